/** A URL of one server, or of several servers in libpq's form, of which one is the primary (PostgreSQL, section 34.1.1.3). */

const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/(?:[^/?]*@)?)(?<hosts>[^/?]*)(?<rest>.*)$/s;

/** Splits `postgres://user@host1:5432,host2:5432/name` into one URL per host, in their order. */
export function urlsOf(url: string): readonly [string, ...string[]] {
  const { scheme, hosts = '', rest } = PARTS.exec(url)?.groups ?? {};
  const [first, ...others] = hosts.split(',').map((host) => `${scheme}${host}${rest}`);
  return scheme === undefined || first === undefined ? [url] : [first, ...others];
}
