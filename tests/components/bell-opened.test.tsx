import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import { sessionSchema } from '#backend/contract/session.ts';
import { noticeListSchema } from '#backend/contract/notice.ts';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import {
  findCard,
  findConnected,
  findToast,
  intercept,
  liveSockets,
  memberWithQueue,
  openPage,
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

/** Ann mentions Mara on an alert. */
const mention = (id: string) =>
  ann.client.request('POST', `/api/alerts/${id}/notes`, { text: 'Can you look?', mentions: [maraId] });

const newest = async () =>
  noticeListSchema.parse(await (await maraElsewhere.client.request('GET', '/api/notices')).json())[0];

/** Nothing is unread on the bell. */
const findReadBell = () => screen.findByRole('button', { name: 'For you' });

test('an alert that is opened by its notification reads what is about it, before that is counted', async () => {
  const id = await app.post({ title: 'Disk full on db-7' });
  const user = await openPage(mara, '/');
  await findConnected();
  await findReadBell();
  const counted = Promise.withResolvers<void>();
  intercept('GET', '/api/notices/unread', async (_call, go) => {
    await counted.promise;
    return go();
  });
  await mention(id);
  const toast = await findToast('Ann Ashby mentioned you');
  await user.click(within(toast).getByRole('button', { name: 'Open' }));
  await waitFor(() => expect(location.pathname).toBe(`/alert/${id}`));
  counted.resolve();
  await waitFor(async () => expect(await newest()).toHaveProperty('readAt'));
  await findReadBell();
});

test('an alert that a page opens before it has caught up reads what is about it', async () => {
  const id = await app.post({ title: 'Disk full on db-7' });
  const user = await openPage(mara, '/');
  await findConnected();
  await findReadBell();
  const known = Promise.withResolvers<void>();
  intercept('GET', '/api/changes', async (_call, go) => {
    await known.promise;
    return go();
  });
  liveSockets.at(-1)?.terminate();
  await waitFor(() => expect(screen.queryByText('Connected')).toBeNull());
  await mention(id);
  const card = within(await findCard('Disk full on db-7'));
  await user.click(card.getByRole('link', { name: 'Disk full on db-7' }));
  await waitFor(() => expect(location.pathname).toBe(`/alert/${id}`));
  known.resolve();
  await waitFor(async () => expect(await newest()).toHaveProperty('readAt'));
});
