/** Where the time comes from. Tests put their own in its place. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
