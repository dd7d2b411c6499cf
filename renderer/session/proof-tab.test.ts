import { afterEach, expect, it, vi } from 'vitest';
import { onProofElsewhere, openProofTab, reportProof } from './proof-tab.ts';

afterEach(() => void vi.unstubAllGlobals());

it('a proof in another tab reaches the page that waits for it, which says so', async () => {
  const proved = vi.fn<() => void>();
  const end = onProofElsewhere(proved);
  expect(await reportProof()).toBe(true);
  expect(proved).toHaveBeenCalledTimes(1);
  end();
  expect(await reportProof()).toBe(false);
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
