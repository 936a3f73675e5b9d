/** One URL, or one for several servers in libpq's form, of which one takes writes (PostgreSQL, section 34.1.1.3). */

const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/(?:[^/?]*@)?)(?<hosts>[^/?]*)(?<rest>.*)$/s;

/** `postgres://user@host1:5432,host2:5432/name` as a URL for each host, in their order. */
export function urlsOf(url: string): readonly [string, ...string[]] {
  const { scheme, hosts = '', rest } = PARTS.exec(url)?.groups ?? {};
  const [first, ...others] = hosts.split(',').map((host) => `${scheme}${host}${rest}`);
  return scheme === undefined || first === undefined ? [url] : [first, ...others];
}
