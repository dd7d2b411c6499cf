/** How long a device is waited for, in milliseconds: a push service that does not answer holds nobody up. */
const LONGEST_MS = 30_000;

/** Who waits until every device was notified up to an alert. */
export interface HandledWaits {
  /** Resolves when it is so, or after half a minute. @param head the alert's number */
  until(head: number): Promise<void>;
  /** Looks whether it is so by now. */
  look(): void;
}

export function createHandledWaits(isHandled: (head: number) => boolean): HandledWaits {
  const waits = new Set<{ head: number; resolve: () => void }>();
  const look = (): void => {
    for (const { head, resolve } of waits) if (isHandled(head)) resolve();
  };
  return {
    look,
    until(head) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const longest = setTimeout(resolve, LONGEST_MS).unref();
      const wait = { head, resolve };
      waits.add(wait);
      look();
      return promise.finally(() => {
        waits.delete(wait);
        clearTimeout(longest);
      });
    },
  };
}
