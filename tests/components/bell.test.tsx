import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { sessionSchema } from '#backend/contract/session.ts';
import { noticeListSchema } from '#backend/contract/notice.ts';
import { setWindowShown } from '#renderer/lib/page-shown.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import {
  findCard,
  findConnected,
  findToast,
  findings,
  intercept,
  json,
  memberWithQueue,
  openPage,
  refusal,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
let maraElsewhere: Queue;
let ann: Queue;
let maraId: string;
beforeEach(async () => {
  ({ app, mara, queue: maraElsewhere } = await memberWithQueue());
  ann = await queueOf(app, await app.addMember('Ann Ashby'));
  ({ id: maraId } = sessionSchema.parse(await (await maraElsewhere.client.request('GET', '/api/auth/session')).json()));
  await app.clear();
});

/** Ann mentions Mara on an alert of its own. Resolves to the alert's id. */
async function mention(title: string, text = 'Can you look?'): Promise<string> {
  const id = await app.post({ title, customer: 'Harbor & Finch', severity: 'critical' });
  await ann.client.request('POST', `/api/alerts/${id}/notes`, { text, mentions: [maraId] });
  return id;
}
const storedNotices = async () =>
  noticeListSchema.parse(await (await maraElsewhere.client.request('GET', '/api/notices')).json());
const findBell = (unread: number) =>
  screen.findByRole('button', { name: unread === 0 ? 'For you' : `For you, ${unread} unread` });
const openBell = async (user: UserEvent, unread: number) => {
  await user.click(await findBell(unread));
  return within(await screen.findByRole('dialog', { name: 'For you' }));
};
const rows = (bell: Awaited<ReturnType<typeof openBell>>) =>
  bell.getAllByRole('listitem').map((row) => within(row).getByText(/^Disk|^Card|^Late/).textContent);
const expectClosed = () => waitFor(() => expect(screen.queryByRole('dialog', { name: 'For you' })).toBeNull());

test('a mention from while the member was signed out is counted, opens its alert beside the list, and is read by that', async () => {
  const id = await mention('Disk full on db-7', 'Same as Tuesday: @Mara Lindqvist, can you look?');
  const user = await openPage(mara, '/');
  const bell = await openBell(user, 1);
  const row = await bell.findByRole('link', { name: /Ann Ashby mentioned you/ });
  expect(row).toHaveTextContent('Unread');
  expect(row).toHaveTextContent('“Same as Tuesday: @Mara Lindqvist, can you look?”');
  expect(row).toHaveTextContent('Critical: Disk full on db-7');
  expect(row).toHaveTextContent('Harbor & Finch');
  await waitFor(() => expect(row).toHaveFocus());
  expect(await findings()).toEqual([]);
  await user.keyboard('{Enter}');
  await expectClosed();
  expect(location.pathname).toBe(`/alert/${id}`);
  expect(await findCard('Disk full on db-7')).toBeVisible();
  await findBell(0);
  expect((await storedNotices())[0]).toHaveProperty('readAt');
});

test('G N opens it, arrows move in it, Escape gives the focus back', async () => {
  for (const title of ['Disk one', 'Disk two', 'Disk three']) await mention(title);
  const user = await openPage(mara, '/');
  await findBell(3);
  await findConnected();
  await user.keyboard('gn');
  const bell = within(await screen.findByRole('dialog', { name: 'For you' }));
  const links = await bell.findAllByRole('link');
  await waitFor(() => expect(links[0]).toHaveFocus());
  expect(rows(bell)).toEqual(['Disk three', 'Disk two', 'Disk one']);
  for (const [key, at] of [
    ['ArrowDown', 1],
    ['End', 2],
    ['ArrowDown', 2],
    ['ArrowUp', 1],
    ['Home', 0],
  ] as const) {
    await user.keyboard(`{${key}}`);
    expect(links[at]).toHaveFocus();
  }
  // The list behind it keeps its keys to itself.
  await user.keyboard('ja');
  expect(links[0]).toHaveFocus();
  await user.keyboard('{Escape}');
  await expectClosed();
  await waitFor(async () => expect(await findBell(3)).toHaveFocus());
  expect(await app.inbox()).toHaveLength(3);
});

test('what comes while it is open waits in a button, and no row moves; what is read elsewhere is so here', async () => {
  await mention('Disk one');
  const user = await openPage(mara, '/');
  await findConnected();
  const bell = await openBell(user, 1);
  await bell.findByRole('link');
  await mention('Disk two');
  const news = await bell.findByRole('button', { name: '1 new' });
  expect(rows(bell)).toEqual(['Disk one']);
  await findBell(2);
  const one = (await storedNotices()).at(-1)?.id;
  await maraElsewhere.client.request('PATCH', '/api/notices', { ids: [one], isRead: true });
  await waitFor(() => expect(bell.getByRole('link', { name: /Disk one/ })).not.toHaveTextContent('Unread'));
  expect(rows(bell)).toEqual(['Disk one']);
  await user.click(news);
  await waitFor(() => expect(rows(bell)).toEqual(['Disk two', 'Disk one']));
  expect(bell.getByRole('link', { name: /Disk two/ })).toHaveFocus();
  expect(bell.queryByRole('button', { name: /new$/ })).toBeNull();
});

test('all are read at once, and are unread again by Undo', async () => {
  for (const title of ['Disk one', 'Disk two']) await mention(title);
  const user = await openPage(mara, '/');
  const bell = await openBell(user, 2);
  await user.click(await bell.findByRole('button', { name: 'Mark all as read' }));
  const toast = await findToast('2 marked as read');
  await findBell(0);
  expect(bell.queryByText('2 unread')).toBeNull();
  expect((await storedNotices()).filter(({ readAt }) => readAt === undefined)).toEqual([]);
  expect(bell.getByRole('link', { name: /Disk two/ })).toHaveFocus();
  await user.click(within(toast).getByRole('button', { name: 'Undo' }));
  await findBell(2);
  expect(bell.getByText('2 unread')).toBeVisible();
  await waitFor(async () => expect((await storedNotices()).filter(({ readAt }) => readAt !== undefined)).toEqual([]));
});

test('all of a part are read at once, and what the part does not show stays unread', async () => {
  await ann.accept({ title: 'Card one', customer: 'Atlas' });
  await ann.client.request('POST', '/api/alerts/hand-over', { userId: maraId, note: 'Quiet evening.' });
  await waitFor(async () => expect(await storedNotices()).toHaveLength(1));
  await mention('Disk one');
  const user = await openPage(mara, '/');
  const bell = await openBell(user, 2);
  await user.click(bell.getByRole('radio', { name: 'Assigned' }));
  await bell.findByText('No assignments');
  expect(bell.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  await user.click(bell.getByRole('radio', { name: 'Mentions 1' }));
  await waitFor(() => expect(rows(bell)).toEqual(['Disk one']));
  await user.click(bell.getByRole('button', { name: 'Mark all as read' }));
  await findToast('1 marked as read');
  await findBell(1);
  expect((await storedNotices()).map(({ kind, readAt }) => [kind, readAt === undefined])).toEqual([
    ['mentioned', false],
    ['handed_over', true],
  ]);
  expect(bell.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  await user.click(bell.getByRole('radio', { name: 'Hand-overs 1' }));
  expect(await bell.findByRole('button', { name: 'Mark all as read' })).toBeVisible();
});

test('what was on screen for a second is read when the list closes, and what was not stays unread', async () => {
  onTestFinished(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  // A busy machine does not make a second of what is short.
  const real = performance.now.bind(performance);
  const start = real();
  let ahead = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => start + (real() - start) / 100 + ahead);
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly report: (entries: object[]) => void;
      constructor(report: (entries: object[]) => void) {
        this.report = report;
      }
      observe(target: Element): void {
        if (target.textContent.includes('Disk two')) this.report([{ target, isIntersecting: true }]);
      }
      disconnect(): void {}
    },
  );
  for (const title of ['Disk one', 'Disk two']) await mention(title);
  const user = await openPage(mara, '/');
  let bell = await openBell(user, 2);
  await bell.findAllByRole('link');
  await user.keyboard('{Escape}');
  await expectClosed();
  await findBell(2);
  bell = await openBell(user, 2);
  await bell.findAllByRole('link');
  ahead = 1_000;
  await user.click(bell.getByRole('radio', { name: 'Mentions 2' }));
  await bell.findAllByRole('link');
  await user.click(bell.getByRole('radio', { name: 'Assigned' }));
  await bell.findByText('No assignments');
  expect((await storedNotices()).filter(({ readAt }) => readAt !== undefined)).toEqual([]);
  await user.keyboard('{Escape}');
  await findBell(1);
  expect((await storedNotices()).map(({ readAt }) => readAt === undefined)).toEqual([false, true]);
});

test('a notice of a deleted alert stays and says by whom; Enter reads it and leads nowhere', async () => {
  const id = await mention('Disk full on db-7');
  await ann.client.request('DELETE', `/api/webhooks/${id}`);
  const user = await openPage(mara, '/');
  const bell = await openBell(user, 1);
  const row = await bell.findByRole('button', { name: /It was deleted by Ann Ashby\./ });
  await waitFor(() => expect(row).toHaveFocus());
  await user.keyboard('{Enter}');
  await findBell(0);
  expect(row).toBeVisible();
  expect(location.pathname).toBe('/');
});

test('a hand-over leads to the queue; segments show a part', async () => {
  await mention('Late answers');
  await ann.accept({ title: 'Card one', customer: 'Atlas' });
  await ann.accept({ title: 'Card two', customer: 'Atlas' });
  await ann.client.request('POST', '/api/alerts/hand-over', { userId: maraId, note: 'Quiet evening.' });
  await waitFor(async () => expect(await storedNotices()).toHaveLength(2));
  const user = await openPage(mara, '/');
  const bell = await openBell(user, 2);
  await bell.findByRole('link', { name: /handed over 2 alerts/ });
  await user.click(bell.getByRole('radio', { name: 'Mentions 1' }));
  await waitFor(() => expect(rows(bell)).toEqual(['Late answers']));
  await user.click(bell.getByRole('radio', { name: 'Assigned' }));
  await bell.findByText('No assignments');
  await user.click(bell.getByRole('radio', { name: 'Hand-overs 1' }));
  const row = await bell.findByRole('link', { name: /“Quiet evening\.”/ });
  expect(row).toHaveTextContent('Card two and 1 more');
  await user.click(row);
  await expectClosed();
  expect(location.pathname).toBe('/my-alerts');
  await findBell(1);
});

test('an alert that is opened by its address reads what is about it', async () => {
  const id = await mention('Disk full on db-7');
  await mention('Disk two');
  await openPage(mara, `/alert/${id}`);
  await findBell(1);
  expect((await storedNotices()).map(({ readAt }) => readAt === undefined)).toEqual([true, false]);
});

test('an alert that is opened in a tab in the background reads what is about it once the tab is shown', async () => {
  const id = await mention('Disk full on db-7');
  await mention('Disk two');
  setWindowShown(false);
  onTestFinished(() => setWindowShown(true));
  await openPage(mara, `/alert/${id}`);
  await findBell(2);
  await findConnected();
  await findBell(2);
  setWindowShown(true);
  await findBell(1);
  expect((await storedNotices()).map(({ readAt }) => readAt === undefined)).toEqual([true, false]);
});

test('an empty list says what comes there, a failed one offers to try again', async () => {
  const user = await openPage(mara, '/');
  const again = intercept('GET', '/api/notices', () => refusal(422, 'No.'));
  let bell = await openBell(user, 0);
  await bell.findByText('Could not be loaded');
  again();
  await user.click(bell.getByRole('button', { name: 'Try again' }));
  await bell.findByText('Nothing for you yet');
  expect(bell.getByText('Mentions, hand-overs, and assignments appear here.')).toBeVisible();
  expect(bell.queryByRole('button', { name: 'Mark all as read' })).toBeNull();
  await user.keyboard('{Escape}');
  await expectClosed();
  intercept('GET', '/api/notices/unread', () => json({ total: 120, mentions: 120, handOvers: 0, assignments: 0 }));
  await mention('Disk one');
  expect(await findBell(120)).toHaveTextContent('99+');
  bell = await openBell(user, 120);
  expect(await bell.findByRole('radio', { name: 'Mentions 99+' })).toBeInTheDocument();
});

test('what cannot be marked says so and stays unread', async () => {
  await mention('Disk one');
  const user = await openPage(mara, '/');
  const bell = await openBell(user, 1);
  await bell.findByRole('link');
  intercept('POST', '/api/notices/read-all', () => refusal(503, 'The database is away.'));
  await user.click(bell.getByRole('button', { name: 'Mark all as read' }));
  await findToast('Could not be marked as read');
  expect(bell.getByRole('link')).toHaveTextContent('Unread');
});
