/** More than can be on their way at once. */
const KEPT = 500;

/** The alerts that windows told of lately. It is gone with the worker, which lives longer than a push is late. */
export interface ToldMemory {
  note(alertIds: readonly string[]): void;
  has(alertId: string): boolean;
}

/** Makes a memory of the last alerts that were told. */
export function createToldMemory(): ToldMemory {
  let ids: readonly string[] = [];
  return {
    note: (alertIds) => void (ids = [...ids, ...alertIds].slice(-KEPT)),
    has: (alertId) => ids.includes(alertId),
  };
}
