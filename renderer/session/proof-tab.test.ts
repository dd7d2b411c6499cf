import { afterEach, expect, it, vi } from 'vitest';
import { onProofElsewhere, openProofTab, reportProof } from './proof-tab.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('a proof in another tab reaches the page that waits for it, which says so', async () => {
  // However long a busy machine takes to pass the messages on.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const proved = vi.fn<() => void>();
  const end = onProofElsewhere(proved);
  expect(await reportProof()).toBe(true);
  expect(proved).toHaveBeenCalledTimes(1);
  end();
  const report = reportProof();
  vi.advanceTimersByTime(1_000);
  expect(await report).toBe(false);
  expect(proved).toHaveBeenCalledTimes(1);
});

it('the provider’s page cannot navigate the one that opened it', () => {
  const tab = { opener: 'the page' as string | null };
  vi.stubGlobal('window', { open: () => tab });
  vi.stubGlobal('navigator', {});
  expect(openProofTab()).toBe(tab);
  expect(tab.opener).toBeNull();
});

it('an installed app on iOS opens no tab', () => {
  vi.stubGlobal('window', { open: () => ({}) });
  vi.stubGlobal('navigator', { standalone: true });
  expect(openProofTab()).toBeNull();
});
