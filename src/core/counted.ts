/** Returns a number with its unit: `1 point`, `2 points`. */
export const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`;
