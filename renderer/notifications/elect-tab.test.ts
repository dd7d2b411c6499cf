import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type AnnouncingTab, electTab } from './elect-tab.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const opened: AnnouncingTab[] = [];
let name = '';

/** A tab behind other windows unless it has the focus; `focus` brings it to the front. */
function openTab(hasFocus = false): { tab: AnnouncingTab; focus: () => void } {
  const window = new EventTarget();
  vi.stubGlobal('window', window);
  vi.stubGlobal('document', { hasFocus: () => hasFocus });
  const tab = electTab(name);
  opened.push(tab);
  return { tab, focus: () => void window.dispatchEvent(new Event('focus')) };
}

const leaders = (...tabs: { tab: AnnouncingTab }[]): boolean[] => tabs.map(({ tab }) => tab.isLeader());

beforeEach(() => {
  name = `announcer of ${crypto.randomUUID()}`;
});

afterEach(() => {
  for (const tab of opened.splice(0)) tab.close();
  vi.unstubAllGlobals();
});

it('lets one tab announce: the one that was in front last', async () => {
  const first = openTab();
  const second = openTab();
  await waitFor(() => expect(leaders(first, second)).toEqual([true, false]));
  second.focus();
  await waitFor(() => expect(leaders(first, second)).toEqual([false, true]));
  second.focus();
  first.focus();
  await waitFor(() => expect(leaders(first, second)).toEqual([true, false]));
  const third = openTab(true);
  await waitFor(() => expect(leaders(first, second, third)).toEqual([false, false, true]));
});

it('passes on to one other tab what the leader has not announced when it is closed', async () => {
  const first = openTab(true);
  await waitFor(() => expect(leaders(first)).toEqual([true]));
  const others = [openTab(), openTab()];
  first.tab.report(['announced']);
  const inherited = Promise.all(others.map(({ tab }) => tab.inherit(['announced', 'lost'])));
  // The report is still on its way to the other tabs.
  first.tab.close();
  expect((await inherited).flat()).toEqual(['lost']);
  expect(leaders(...others).filter(Boolean)).toHaveLength(1);
});

it('waits for its turn once, however often it was in front', async () => {
  const open = new Set<Promise<unknown>>();
  const request = navigator.locks.request.bind(navigator.locks) as (...args: unknown[]) => Promise<unknown>;
  const spy = vi.spyOn(navigator.locks, 'request').mockImplementation(((...args: unknown[]) => {
    const asked = request(...args);
    open.add(asked);
    void asked.catch(() => undefined).then(() => open.delete(asked));
    return asked;
  }) as LockManager['request']);
  const tabs = [openTab(), openTab()] as const;
  for (let turn = 0; turn < 6; turn += 1) {
    const front = turn % 2;
    tabs[front]?.focus();
    await waitFor(() => expect(leaders(...tabs)).toEqual([front === 0, front === 1]));
  }
  // The lock that one tab holds, and the one that the other tab waits for.
  await waitFor(() => expect(open.size).toBe(2));
  spy.mockRestore();
});

it('leaves alerts to a leader that stays', async () => {
  const first = openTab();
  await waitFor(() => expect(leaders(first)).toEqual([true]));
  const second = openTab();
  expect(await second.tab.inherit(['alert'])).toEqual([]);
  expect(leaders(first, second)).toEqual([true, false]);
});

it('has one leader after many changes of focus at once, and still passes it on', async () => {
  const tabs = [openTab(), openTab(), openTab()] as const;
  const oneLeads = () => waitFor(() => expect(leaders(...tabs).filter(Boolean)).toHaveLength(1));
  for (let turn = 0; turn < 20; turn += 1) {
    tabs[turn % 3]?.focus();
    if (turn % 4 === 0) tabs[(turn + 1) % 3]?.focus();
  }
  await oneLeads();
  tabs[1].focus();
  await waitFor(() => expect(leaders(...tabs)).toEqual([false, true, false]));
  tabs[1].tab.close();
  await waitFor(() => expect(leaders(tabs[0], tabs[2]).filter(Boolean)).toHaveLength(1));
});

it('has every tab announce for itself where there are no Web Locks', async () => {
  vi.stubGlobal('navigator', {});
  const tabs = [openTab(), openTab(true)];
  expect(leaders(...tabs)).toEqual([true, true]);
  tabs[0]?.tab.report(['alert']);
  expect(await tabs[1]?.tab.inherit(['alert'])).toEqual([]);
});
