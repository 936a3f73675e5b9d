export const drawRun = (_: unknown) => '';
