/** Changes that take many calls, and are cut off when the page or the session goes. */
export interface LongWork {
  /** How many have not been made yet. */
  left: number;
  /** Why these are not made any more. */
  error?: Error;
  /** Has no further call made. */
  stop: () => void;
}

const works = new Map<LongWork, Promise<unknown>>();

const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Has the browser ask whether to leave the page, and {@link settleWork} wait, until `done`, which never rejects. */
export function followWork(work: LongWork, done: Promise<unknown>): void {
  works.set(work, done);
  if (typeof window !== 'undefined') window.addEventListener('beforeunload', ask);
  void done.finally(() => forget(work));
}

function forget(work: LongWork): void {
  works.delete(work);
  if (works.size === 0 && typeof window !== 'undefined') window.removeEventListener('beforeunload', ask);
}

/**
 * Waits for what was begun, and for what goes on with it, until `late` at most: the rest is stopped, and the page can be left
 * without being asked about it. Resolves to what was not finished.
 */
export async function settleWork(late: Promise<unknown>): Promise<LongWork[]> {
  let isLate = false;
  const begun = new Set<LongWork>();
  while (works.size > 0 && !isLate) {
    for (const work of works.keys()) begun.add(work);
    isLate = await Promise.race([Promise.all(works.values()).then(() => false), late.then(() => true)]);
  }
  for (const work of begun) {
    work.stop();
    forget(work);
  }
  return [...begun].filter(({ left }) => left > 0);
}
