/** More alerts than come within two seconds in any storm that is told one by one. */
const KEPT = 500;

/** For so long after an alert a tab that was closed may have left it to the next one, in milliseconds. */
const INHERIT_MS = 2000;

/** One of several tabs of a browser. */
export interface ElectedTab {
  /** Whether this tab speaks for all of them: the one that was in front last, else any. */
  isElected(): Promise<boolean>;
  /** Lets the other tabs know that these alerts were told. */
  noteTold(alertIds: readonly string[]): void;
  /**
   * For a tab that is not elected: gives its place to it when the one that was goes within two seconds. Returns, of these
   * alerts, those that nobody has told by then; none when the other one stays.
   */
  inherits(alertIds: readonly string[]): Promise<readonly string[]>;
  /** Leaves it to the others. */
  close(): void;
}

/**
 * Elects one of this browser's tabs by a lock of this name. A tab that comes to the front takes the lock; one that is
 * closed, or crashes, leaves it to the next. Without locks (plain http) each tab speaks for itself.
 */
export function electTab(name: string): ElectedTab {
  if (!('locks' in navigator)) {
    return { isElected: async () => true, noteTold: () => undefined, inherits: async () => [], close: () => undefined };
  }
  const ended = new AbortController();
  const { signal } = ended;
  let held = 0;
  const heirs = new EventTarget();
  const channel = new BroadcastChannel(name);
  let told: readonly string[] = [];
  channel.addEventListener('message', ({ data }) => {
    if (Array.isArray(data)) told = [...told, ...data].slice(-KEPT);
  });

  /** Holds the lock until another tab takes it. */
  const hold = (): Promise<void> => {
    held += 1;
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  };
  const inherit = (): Promise<void> => {
    heirs.dispatchEvent(new Event('inherited'));
    return hold();
  };
  const standInLine = async (): Promise<void> => {
    while (!signal.aborted) {
      const before = held;
      await until(navigator.locks.request(name, { signal }, inherit));
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
  const isHeir = (): Promise<boolean> =>
    new Promise((resolve) => {
      if (held > 0) resolve(true);
      const over = AbortSignal.timeout(INHERIT_MS);
      heirs.addEventListener('inherited', () => resolve(true), { once: true, signal: over });
      over.addEventListener('abort', () => resolve(false));
    });
  return {
    isElected: async () => held > 0 || (await isFree()),
    noteTold: channel.postMessage.bind(channel),
    inherits: async (alertIds) => ((await isHeir()) ? alertIds.filter((id) => !told.includes(id)) : []),
    close() {
      ended.abort();
      channel.close();
    },
  };
}

/** Waits for the end of a request, granted or not. */
const until = (request: Promise<unknown>): Promise<void> =>
  request.then(
    () => undefined,
    () => undefined,
  );
