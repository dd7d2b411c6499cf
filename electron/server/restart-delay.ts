const FIRST_MS = 500;
const LONGEST_MS = 30_000;

/** How long to wait before the server is started again, in milliseconds: doubling with each crash in a row. */
export const restartDelay = (crashes: number): number => Math.min(FIRST_MS * 2 ** Math.max(0, crashes - 1), LONGEST_MS);
