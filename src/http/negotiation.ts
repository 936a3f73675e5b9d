/** A media range of Accept (RFC 9110, section 12.5.1), in lower case. */
export interface MediaRange {
  /** From 0 to 1. */
  readonly weight: number;
  /** Its other parameters, such as `charset=utf-8`. */
  readonly parameters: readonly string[];
}

/**
 * What Accept says of a media type by its name, undefined where it says nothing. A wildcard asks for nothing in particular, and is
 * not looked at.
 *
 * @param type in lower case.
 */
export function rangeOf(type: string, accept: string | undefined): MediaRange | undefined {
  for (const range of accept?.split(',') ?? []) {
    const [name, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const weight = parameters.find((parameter) => WEIGHT.test(parameter));
    // An invalid weight counts as absent.
    const isValid = /^q\s*=\s*(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight ?? '');
    return {
      weight: isValid ? Number(weight?.split('=')[1]) : 1,
      parameters: parameters.filter((parameter) => !WEIGHT.test(parameter)),
    };
  }
  return undefined;
}

const WEIGHT = /^q\s*=/;

/** How much a client wants a media type: 0 where it does not name it, and for `q=0`, which means "not this one". */
export const weightOf = (type: string, accept: string | undefined): number =>
  rangeOf(type, accept)?.weight ?? 0;
