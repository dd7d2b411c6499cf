/** One of several tabs of a browser. */
export interface ElectedTab {
  /** Whether this tab speaks for all of them: the one that was in front last, else any. */
  isElected(): Promise<boolean>;
  /** Leaves it to the others. */
  close(): void;
}

/**
 * Elects one of this browser's tabs by a lock of this name. A tab that comes to the front takes the lock; one that is
 * closed, or crashes, leaves it to the next. Without locks (plain http) each tab speaks for itself.
 */
export function electTab(name: string): ElectedTab {
  if (!('locks' in navigator)) return { isElected: async () => true, close: () => undefined };
  const ended = new AbortController();
  const { signal } = ended;
  let held = 0;

  /** Holds the lock until another tab takes it. */
  const hold = (): Promise<void> => {
    held += 1;
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  };
  const standInLine = async (): Promise<void> => {
    while (!signal.aborted) {
      const before = held;
      await until(navigator.locks.request(name, { signal }, hold));
      if (held > before) held -= 1;
    }
  };
  const take = async (): Promise<void> => {
    if (held > 0 || signal.aborted) return;
    await until(navigator.locks.request(name, { steal: true }, hold));
    held -= 1;
  };

  window.addEventListener('focus', () => void take(), { signal });
  if (document.hasFocus()) void take();
  void standInLine();
  // While the lock passes from a tab that was closed to the next one, nobody has it: better two speak than none.
  const isFree = async (): Promise<boolean> =>
    (await navigator.locks.query()).held?.every((lock) => lock.name !== name) ?? true;
  return { isElected: async () => held > 0 || (await isFree()), close: () => ended.abort() };
}

/** Waits for the end of a request, granted or not. */
const until = (request: Promise<unknown>): Promise<void> =>
  request.then(
    () => undefined,
    () => undefined,
  );
