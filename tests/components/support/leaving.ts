import { intercept } from './open-page.tsx';

/** Whether the browser would ask before it reloads or closes the page. */
export const isUnloadAsked = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

/**
 * Answers a call of the page only once the returned function is called, by `answer` instead of the server where that is given.
 *
 * @param path the path without its query
 */
export function hold(method: string, path: RegExp | string, answer?: () => Response): () => void {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  intercept(method, path, async (_call, go) => {
    await isReleased;
    return answer ? answer() : go();
  });
  return release;
}
