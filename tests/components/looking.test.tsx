import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type LiveClient, listenLive } from '#tests/support/live-client.ts';
import { findCard, findConnected, memberWithQueue, openPage } from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
});

/** A colleague's page. */
async function colleague(name: string): Promise<LiveClient> {
  const { cookies } = await app.signIn(await app.addMember(name));
  const cookieHeader = Array.from(cookies, ([cookie, value]) => `${cookie}=${value}`).join('; ');
  const client = await listenLive({ url: app.url.origin, cookies, cookieHeader });
  onTestFinished(() => client.socket.terminate());
  return client;
}
const look = ({ socket }: LiveClient, alertId: string | null) =>
  socket.send(JSON.stringify({ type: 'looking', alertId }));

const line = (within_: Element) => within_.querySelector('.lookers-line__lookers');
const expectLine = (card: Element, text: string) => waitFor(() => expect(line(card)).toHaveTextContent(text));
const expectNone = (card: Element) => waitFor(() => expect(line(card)).toBeNull());

/** Names of those who look at an alert, as a colleague's page was sent last. */
const seenBy = ({ events }: LiveClient, alertId: string) => {
  const last = events.findLast((event) => event.type === 'looking_changed' && event.alertId === alertId);
  return last?.type === 'looking_changed' && last.people.map(({ displayName }) => displayName);
};

test('a card shows who looks at its alert, silently, and loses it when they leave', async () => {
  const [id] = [await app.post({ title: 'Disk full' }), await app.post({ title: 'Replica falls behind' })];
  const [jonas, ann] = [await colleague('Jonas Okafor'), await colleague('Ann Ashby')];
  await openPage(mara, '/');
  await findConnected();
  const [card, other] = [await findCard('Disk full'), await findCard('Replica falls behind')];
  const titles = other.innerHTML;
  look(jonas, id);
  await expectLine(card, 'JOJonas is looking');
  expect(line(card)).toHaveAttribute('aria-hidden', 'true');
  look(ann, id);
  await expectLine(card, 'JOAA2 are looking');
  expect(line(card)).toHaveAttribute('data-tip', 'Jonas Okafor, Ann Ashby');
  look(jonas, null);
  await expectLine(card, 'AAAnn is looking');
  ann.socket.terminate();
  await expectNone(card);
  expect(other.innerHTML).toBe(titles);
});

test('the open alert is looked at while its page is in front, and shows who else does', async () => {
  const [id, next] = [await app.post({ title: 'Disk full' }), await app.post({ title: 'Replica falls behind' })];
  const jonas = await colleague('Jonas Okafor');
  const user = await openPage(mara, '/');
  await findConnected();
  const open = async (title: string) => user.click(within(await findCard(title)).getByRole('link', { name: title }));
  const expectSeen = (alertId: string, names: string[] | false) =>
    waitFor(() => expect(seenBy(jonas, alertId)).toEqual(names));
  await open('Disk full');
  await expectSeen(id, ['Mara Lindqvist']);
  // Oneself is not shown to oneself, and a colleague is in the head of the open alert, too.
  look(jonas, id);
  const panel = await screen.findByRole('complementary', { name: 'Alert details' });
  await expectLine(panel, 'JOJonas is looking');

  await open('Replica falls behind');
  await expectSeen(next, ['Mara Lindqvist']);
  expect(seenBy(jonas, id)).toEqual(['Jonas Okafor']);

  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  await expectSeen(next, []);
  visibility.mockRestore();
  document.dispatchEvent(new Event('visibilitychange'));
  await expectSeen(next, ['Mara Lindqvist']);

  const focus = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
  dispatchEvent(new Event('blur'));
  await expectSeen(next, []);
  focus.mockRestore();
  dispatchEvent(new Event('focus'));
  await expectSeen(next, ['Mara Lindqvist']);
  await user.keyboard('{Escape}');
  await expectSeen(next, []);
});

test('the page of an alert is looked at again over a new connection', async () => {
  onTestFinished(() => void vi.restoreAllMocks());
  const id = await app.post({ title: 'Disk full' });
  const jonas = await colleague('Jonas Okafor');
  const sockets = vi.spyOn(globalThis.WebSocket.prototype, 'send');
  await openPage(mara, pathOfAlert(id));
  await screen.findByRole('heading', { name: 'Disk full' });
  // Nothing of the page has the focus yet, and jsdom says so of the document.
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  dispatchEvent(new Event('focus'));
  await waitFor(() => expect(seenBy(jonas, id)).toEqual(['Mara Lindqvist']));
  look(jonas, id);
  await waitFor(() => expect(line(document.body)).toHaveTextContent('Jonas is looking'));
  const [socket] = sockets.mock.contexts.slice(-1) as WebSocket[];
  socket?.close();
  await waitFor(() => expect(line(document.body)).toBeNull());
  await waitFor(() => expect(seenBy(jonas, id)).toEqual(['Jonas Okafor']));
  await waitFor(() => expect(line(document.body)).toHaveTextContent('Jonas is looking'));
  await waitFor(() => expect(seenBy(jonas, id)).toEqual(['Jonas Okafor', 'Mara Lindqvist']));
});
