import { AsyncLocalStorage } from 'node:async_hooks';

/** How long one piece of work may wait for a database that does not answer, all its waits together, in looks (see `mysql-pool`). */
const WAITS = 15;

/** What one piece of work has left of that. */
export interface Patience {
  left: number;
  /** The look that was counted last: of several waits at once one counts. */
  countedAt: number;
  isOver: () => boolean;
}

const patience = new AsyncLocalStorage<Patience>();

/**
 * Runs work that somebody waits for: a request, or a batch of alerts. Alone each of its waits is bounded, for a connection
 * and for every statement; together they were twice that and more, where a network lost packets of some connections.
 *
 * @param isOver from when on nobody waits any more: an answer that has begun may take its time
 */
export function withPatience<T>(work: () => T, isOver: () => boolean): T {
  return patience.run({ left: WAITS, countedAt: -1, isOver }, work);
}

/** What the work that runs now has left; undefined when nobody waits for it. */
export const currentPatience = (): Patience | undefined => patience.getStore();

/** Work in steps begins again with each that was committed. */
export function renewPatience(): void {
  const current = patience.getStore();
  if (current) current.left = WAITS;
}

/** Counts one look during which the work waited. True when it has waited for too long. */
export function spendPatience(of: Patience | undefined, look: number): boolean {
  if (!of || of.isOver()) return false;
  if (of.countedAt !== look) Object.assign(of, { countedAt: look, left: of.left - 1 });
  return of.left <= 0;
}

/** As {@link withPatience}, for work that somebody waits for until it has ended. */
export async function withPatienceToTheEnd<T>(work: () => Promise<T>): Promise<T> {
  let isDone = false;
  try {
    return await withPatience(work, () => isDone);
  } finally {
    isDone = true;
  }
}
