/**
 * How much a client wants a media type: the weight that Accept gives it (RFC 9110, section 12.5.1), from 0 to 1.
 *
 * It is 0 where only a wildcard covers the type, since that asks for nothing in particular, and for `q=0`, which means "not
 * this one".
 *
 * @param type in lower case.
 */
export function weightOf(type: string, accept: string | undefined): number {
  for (const range of accept?.split(',') ?? []) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
    // An invalid weight counts as absent.
    return /^q\s*=\s*(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight ?? '') ? Number(weight?.split('=')[1]) : 1;
  }
  return 0;
}
