import { QueryObserver, environmentManager } from '@tanstack/react-query';
import { expect, onTestFinished, test, vi } from 'vitest';
import { setWindowShown } from '#renderer/lib/page-shown.ts';
import { createQueryClient } from './query-client.ts';

/** How often the query is read, in milliseconds. */
const EVERY_MS = 30_000;

test.each([
  { refetchInterval: EVERY_MS, by: 'a number' },
  { refetchInterval: () => EVERY_MS, by: 'what is there' },
])(
  'what is read every so often by $by waits while the tab is in the background or the desktop app’s window in the tray',
  async ({ refetchInterval }) => {
    vi.useFakeTimers();
    const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
    vi.stubGlobal('document', page);
    environmentManager.setIsServer(() => false);
    onTestFinished(() => {
      setWindowShown(true);
      environmentManager.setIsServer(() => true);
      vi.unstubAllGlobals();
      vi.useRealTimers();
    });
    const client = createQueryClient();
    client.mount();
    const read = vi.fn<() => Promise<number>>(async () => 1);
    const stop = new QueryObserver(client, {
      queryKey: ['counts'],
      queryFn: read,
      refetchInterval,
    }).subscribe(() => undefined);
    onTestFinished(stop);
    const showTab = (visibilityState: string) => {
      page.visibilityState = visibilityState;
      page.dispatchEvent(new Event('visibilitychange'));
    };
    await vi.advanceTimersByTimeAsync(EVERY_MS);
    expect(read).toHaveBeenCalledTimes(2);

    for (const [hide, show] of [
      [() => setWindowShown(false), () => setWindowShown(true)],
      [() => showTab('hidden'), () => showTab('visible')],
    ] as const) {
      read.mockClear();
      hide();
      await vi.advanceTimersByTimeAsync(2 * EVERY_MS);
      expect(read).not.toHaveBeenCalled();
      show();
      await vi.advanceTimersByTimeAsync(0);
      // Its time has passed meanwhile.
      expect(read).toHaveBeenCalledOnce();
      hide();
      show();
      await vi.advanceTimersByTimeAsync(0);
      // Nothing is read for being looked at alone.
      expect(read).toHaveBeenCalledOnce();
      await vi.advanceTimersByTimeAsync(EVERY_MS);
      expect(read.mock.calls.length).toBeGreaterThan(1);
    }
  },
);
