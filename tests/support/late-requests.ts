/** A request in flight: it reaches the server at some moment, and its answer the page at some later one, or never. */
interface Request {
  reach: () => void;
  arrive: () => void;
  fail: () => void;
}

/** Requests whose ways there and back go when a test lets them. */
export function createRequests() {
  const requests: Request[] = [];

  /** Sends a request, which the server answers with what `answer` says when it arrives there. */
  const send = <T>(answer: () => T, signal?: AbortSignal): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      let made: (() => void) | undefined;
      const reach = (): void => {
        if (made) return;
        try {
          const value = answer();
          made = () => resolve(value);
        } catch (error) {
          made = () => reject(error as Error);
        }
      };
      // As fetch does: a list that is left gives its answer up.
      signal?.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')));
      requests.push({
        reach,
        arrive: () => {
          reach();
          made?.();
        },
        fail: () => reject(new Error('The server could not be reached.')),
      });
    });
  return { requests, send };
}
