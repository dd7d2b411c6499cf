import { expect, onTestFinished, test, vi } from 'vitest';
import type { Attention } from '#electron/contract/desktop.ts';
import { createPageAttention } from './page-attention.ts';

const SIGNED_IN: Attention = { inboxCount: 2, connection: 'connected' };
const UNKNOWN: Attention = { inboxCount: 0, connection: 'connecting' };
const NOBODY: Attention = { ...UNKNOWN, connection: 'signed-out' };

function openPage() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const page = createPageAttention();
  const seen: Attention[] = [];
  page.state.subscribe((attention) => void seen.push(attention));
  page.report(SIGNED_IN);
  return { page, seen };
}

test('the count stays while the page is loaded again, and is no news when it reports', () => {
  const { page, seen } = openPage();
  page.reloaded();
  page.report(SIGNED_IN);
  vi.advanceTimersByTime(60_000);
  const loading = { ...SIGNED_IN, connection: 'connecting' };
  expect(seen).toEqual([UNKNOWN, SIGNED_IN, loading, SIGNED_IN]);
});

test('the count goes where the page that was loaded again reports nothing, as a sign-in does', () => {
  const { page, seen } = openPage();
  page.reloaded();
  vi.advanceTimersByTime(59_999);
  expect(page.state.get().inboxCount).toBe(2);
  vi.advanceTimersByTime(1);
  expect(page.state.get()).toEqual(NOBODY);
  page.reloaded();
  expect(seen).toHaveLength(4);
});

test('the count goes with the page, and nobody counts as signed out before the next one says so', () => {
  const { page } = openPage();
  page.gone();
  vi.advanceTimersByTime(60_000);
  expect(page.state.get()).toEqual(UNKNOWN);
});
