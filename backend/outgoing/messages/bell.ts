/** Wakes work that sleeps while there is nothing to do. */
export interface Bell {
  /** Something happened: work that sleeps goes on, and work that is being done is done once more. */
  ring(): void;
  /** Forgets what rang so far: what follows sees it. */
  reset(): void;
  /** Sleeps until it rings, for so many milliseconds at most, or until it is stopped. */
  sleep(ms: number, stopping: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    reset() {
      hasRung = false;
    },
    sleep(ms, stopping) {
      if (hasRung || stopping.aborted) return Promise.resolve();
      return new Promise((done) => {
        const end = (): void => {
          clearTimeout(timer);
          stopping.removeEventListener('abort', end);
          wake = undefined;
          done();
        };
        const timer = setTimeout(end, ms).unref();
        stopping.addEventListener('abort', end, { once: true });
        wake = end;
      });
    },
  };
}
