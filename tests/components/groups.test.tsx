import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { alertGroupsSchema, groupingRulesSchema } from '#backend/contract/alert-group.ts';
import {
  ADMINISTRATOR,
  appServer,
  findings,
  findCard,
  findToast,
  intercept,
  openPage,
  refusal,
} from './support/open-page.tsx';
import { withGroup } from './support/with-group.ts';

const card = (name: string) => findCard(name);
const cardTitles = () => screen.getAllByRole('article').length;

test('alerts of one cause are one card: accepted together, taken out, split, and put back', async () => {
  const app = await appServer();
  await app.clear();
  onTestFinished(async () => {
    await app.admin.request('PATCH', '/api/grouping-rules/names', { isOn: false });
  });
  const user = await openPage(ADMINISTRATOR, '/admin');
  await user.click(await screen.findByRole('checkbox', { name: 'Same customer and type' }));
  await findToast('Same customer and type: on');
  for (const [title, severity] of [
    ['Cart is slow', 'warning'],
    ['Checkout answers 502', 'critical'],
    ['Queue is long', 'high'],
  ])
    await app.post({ customer: 'Nordwind', alertType: 'checkout', title, severity });
  await app.post({ customer: 'Harbor', alertType: 'disk', title: 'Disk is full' });
  await user.click(within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: /^New Alerts/ }));

  const group = await card('3 alerts');
  await waitFor(() => expect(cardTitles()).toBe(2));
  expect(group).toHaveTextContent('Checkout answers 502');
  await waitFor(() => expect(group).toHaveTextContent('Same customer and type, within 30 min'));
  expect(group.closest('article')).toHaveAccessibleName(
    /^Critical, new, 3 alerts in one group: Checkout answers 502\. Same customer/,
  );

  await user.click(within(group).getByRole('link', { name: 'Checkout answers 502' }));
  const panel = within(await screen.findByRole('complementary', { name: 'Group of alerts' }));
  expect(await panel.findByText(/at most 30 min between two alerts/)).toBeVisible();
  const members = await panel.findAllByRole('listitem');
  expect(members.map((one) => within(one).getByRole('link').textContent)).toEqual([
    'Checkout answers 502',
    'Queue is long',
    'Cart is slow',
  ]);
  expect(await findings()).toEqual([]);
  members[1]?.focus();
  await user.keyboard('o');
  await findToast('Alert taken out of its group');
  await waitFor(() => expect(panel.getAllByRole('listitem')).toHaveLength(2));
  await card('Queue is long');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(panel.getAllByRole('listitem')).toHaveLength(3));
  fireEvent.keyDown(document.body, { key: 'Escape' });

  const again = await card('3 alerts');
  again.closest('article')?.focus();
  await user.keyboard('{Shift>}o{/Shift}');
  await findToast('Group of 3 alerts split');
  await waitFor(() => expect(cardTitles()).toBe(4));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(cardTitles()).toBe(2));

  await user.click(within(await card('3 alerts')).getByRole('button', { name: 'Accept 3' }));
  await findToast('3 accepted');
  await waitFor(async () => expect((await app.inbox()).map(({ title }) => title)).toEqual(['Disk is full']));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(async () => expect(await app.inbox()).toHaveLength(4));
  await card('3 alerts');
});

const expectSelected = (count: number) =>
  waitFor(() => expect(document.querySelector('[data-selection-bar]')).toHaveTextContent(`${count} selected`));
/** How many the bar says are selected. */
const selected = (): number =>
  Number(/(\d+) selected/.exec(document.querySelector('[data-selection-bar]')?.textContent ?? '')?.[1]);
const boxes = () => screen.getAllByRole('checkbox', { name: 'Select' });

test('undoing a change of a grouping rule leaves what another administrator has changed meanwhile', async () => {
  const app = await appServer();
  onTestFinished(async () => {
    await app.admin.request('PATCH', '/api/grouping-rules/names', { isOn: false, withinMinutes: 30 });
  });
  const user = await openPage(ADMINISTRATOR, '/admin');
  await user.click(await screen.findByRole('checkbox', { name: 'Same customer and type' }));
  await findToast('Same customer and type: on');
  await app.admin.request('PATCH', '/api/grouping-rules/names', { withinMinutes: 60 });
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  const names = async () =>
    groupingRulesSchema
      .parse(await (await app.admin.request('GET', '/api/grouping-rules')).json())
      .find(({ kind }) => kind === 'names');
  await waitFor(async () => expect(await names()).toMatchObject({ isOn: false, withinMinutes: 60 }));
});

test('a group is selected like any card, and what is done with the selection is about all of its alerts', async () => {
  const app = await withGroup();
  const user = await openPage(ADMINISTRATOR, '/');
  const group = await card('3 alerts');
  const row = group.closest('article');
  row?.focus();
  await user.keyboard('x');
  await waitFor(() => expect(within(row!).getByRole('checkbox')).toBeChecked());
  await expectSelected(3);
  await user.keyboard('x');
  await waitFor(() => expect(within(row!).getByRole('checkbox')).not.toBeChecked());

  // From the first card to the last one with Shift.
  await user.click(boxes()[0]!);
  await user.keyboard('{Shift>}');
  await user.click(boxes()[2]!);
  await user.keyboard('{/Shift}');
  await expectSelected(5);
  await user.click(within(row!).getByRole('checkbox'));
  await expectSelected(2);
  await user.keyboard('{Control>}a{/Control}');
  await expectSelected(5);
  await user.keyboard('{Escape}');

  await user.click(within(row!).getByRole('checkbox'));
  await user.click(boxes()[2]!);
  await expectSelected(4);
  await user.keyboard('a');
  await findToast('4 accepted');
  await waitFor(async () => expect((await app.inbox()).map(({ title }) => title)).toEqual(['Load is high']));
});

test('a group that has gone on for days says on which day it began', async () => {
  await withGroup();
  intercept('GET', '/api/alert-groups', async (_call, go) => {
    const groups = alertGroupsSchema.parse(await (await go()).json());
    const since = new Date(2025, 10, 9, 12).toISOString();
    for (const one of groups) Object.assign(one, { since, withinMinutes: 1440 });
    return Response.json(groups);
  });
  await openPage(ADMINISTRATOR, '/');
  const group = await card('3 alerts');
  await waitFor(() => expect(group).toHaveTextContent(/since Nov 9, 2025, \d/));
  expect(group).toHaveTextContent('Same customer and type, within 24 h');
});

/** Groups that are larger than a page, of which the pages after the first come when they are let. */
async function withLargeGroups(...customers: string[]) {
  const app = await withGroup();
  const some = Array.from({ length: 10 }, () => customers).flat();
  for (let round = 0; round < 6; round += 1)
    await Promise.all(
      some.map((customer) => app.post({ customer, alertType: 'checkout', title: `${customer} is slow` })),
    );
  const { promise, resolve } = Promise.withResolvers<void>();
  intercept('GET', '/api/alerts/inbox', async ({ url }, go) => {
    if (url.searchParams.has('before')) await promise;
    return go();
  });
  return { app, letPagesCome: resolve };
}
const checkboxOf = async (text: string) =>
  within((await card(text)).closest('article') ?? document.body).getByRole('checkbox', { name: 'Select' });

test('a selected group that is larger than a page stays selected as its other alerts are loaded', async () => {
  const { app, letPagesCome } = await withLargeGroups('Lakeside', 'Lakeside');
  const user = await openPage(ADMINISTRATOR, '/');
  await user.click(await checkboxOf('120 alerts'));
  await expectSelected(120);
  letPagesCome();
  await card('3 alerts');
  expect(await checkboxOf('120 alerts')).toBeChecked();
  await expectSelected(120);
  await user.keyboard('a');
  await findToast('120 accepted');
  await waitFor(async () => expect(await app.inbox()).toHaveLength(5));
});

test('the links of a selected group are those of all of its alerts, loaded or not', async () => {
  await withLargeGroups('Lakeside', 'Lakeside');
  const user = await openPage(ADMINISTRATOR, '/');
  await user.click(await checkboxOf('120 alerts'));
  await expectSelected(120);
  await user.keyboard('y');
  await findToast('Copied to clipboard');
  expect(new Set((await navigator.clipboard.readText()).split('\n')).size).toBe(120);
});

test('a key that is pressed right after a large group was selected is about all of its alerts', async () => {
  const { app } = await withLargeGroups('Lakeside', 'Lakeside');
  const user = await openPage(ADMINISTRATOR, '/');
  const box = await checkboxOf('120 alerts');
  const { promise, resolve } = Promise.withResolvers<void>();
  const asked = vi.fn<() => void>();
  intercept('GET', /^\/api\/alert-groups\/./, async (_call, go) => {
    asked();
    await promise;
    return go();
  });
  await user.click(box);
  await waitFor(() => expect(asked).toHaveBeenCalled());
  await user.keyboard('a');
  resolve();
  await findToast('120 accepted');
  await waitFor(async () => expect(await app.inbox()).toHaveLength(5));
});

test('a selected group that is larger than a page is deleted with all of its alerts, and leaving the page sends every part at once', async () => {
  const { app, letPagesCome } = await withLargeGroups('Lakeside', 'Lakeside');
  const user = await openPage(ADMINISTRATOR, '/');
  await user.click(await checkboxOf('120 alerts'));
  await expectSelected(120);
  // What the page gets no answer to any more.
  const { promise, resolve } = Promise.withResolvers<void>();
  const sent: number[] = [];
  intercept('POST', '/api/alerts/bulk', async ({ body }, go) => {
    const { ids, ifOwner } = JSON.parse(body) as { ids: string[]; ifOwner?: string };
    sent.push(ids.length);
    expect(ifOwner).toBe('none');
    const answer = await go();
    await promise;
    return answer;
  });
  await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: /^Delete/ }));
  await findToast('120 deleted');
  expect(sent).toEqual([]);
  dispatchEvent(new Event('pagehide'));
  await waitFor(async () => expect(await app.inbox()).toHaveLength(5));
  expect(sent.toSorted((one, other) => one - other)).toEqual([20, 100]);
  letPagesCome();
  resolve();
});

test('of two selected groups one is let go of at once with what is not loaded of it, and a read that fails keeps the other', async () => {
  const { app } = await withLargeGroups('Lakeside', 'Seaside');
  const user = await openPage(ADMINISTRATOR, '/');
  await user.click(await checkboxOf('Lakeside is slow'));
  await expectSelected(60);
  intercept('GET', /^\/api\/alert-groups\/./, () => refusal(503, 'Busy.'));
  await user.click(await checkboxOf('Seaside is slow'));
  await waitFor(() => expect(selected()).toBeGreaterThan(60));
  // What of it is not loaded could not be read.
  const both = selected();
  expect(both).toBeLessThan(120);
  await user.click(await checkboxOf('Lakeside is slow'));
  expect(selected()).toBe(both - 60);
  await user.keyboard('a');
  await findToast(`${both - 60} accepted`);
  await waitFor(async () =>
    expect((await app.inbox()).filter(({ customer }) => customer === 'Lakeside')).toHaveLength(60),
  );
});

test('an alert that becomes a group’s, and a group that is accepted, are never said to have left the list', async () => {
  const app = await withGroup();
  const user = await openPage(ADMINISTRATOR, '/');
  const group = await card('3 alerts');
  const said: string[] = [];
  const observer = new MutationObserver(() => {
    if (document.body.textContent.includes('No longer in this list')) said.push(document.body.textContent);
  });
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  onTestFinished(() => observer.disconnect());
  await app.post({ customer: 'Harbor', alertType: 'disk', title: 'Disk is full again' });
  await card('2 alerts');
  await waitFor(() => expect(cardTitles()).toBe(3));
  await user.click(within(group).getByRole('button', { name: 'Accept 3' }));
  await findToast('3 accepted');
  await waitFor(() => expect(cardTitles()).toBe(2));
  expect(said).toEqual([]);
});
