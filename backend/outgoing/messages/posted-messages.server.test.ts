import { expect, test } from 'vitest';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import { liveDiscord } from '#tests/support/live-chat-services.ts';
import { MATTERMOST_CHANNEL, MATTERMOST_TOKEN, createMattermostService } from '#tests/support/mattermost-service.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { must } from '#tests/support/write-routes.ts';

const ALL: OutgoingEvent[] = ['new', 'escalated', 'accepted', 'completed', 'note'];

const on = useOutgoingServer();
const { receive, post } = on;
const accept = (id: string) => must(on.admin.send('POST', `/api/alerts/${id}/accept`, {}));
const note = (id: string, text: string) =>
  must(on.admin.send('POST', `/api/alerts/${id}/notes`, { text, mentions: [] }));
const setStatus = (id: string, status: string) =>
  must(on.admin.send('PATCH', `/api/webhooks/${id}/status`, { status }));

/** A channel of Mattermost that is sent all that happens to alerts of one customer, and an alert of theirs that it shows. */
async function mattermostWith(customer: string) {
  const mattermost = createMattermostService();
  const receiver = await receive(mattermost.rules);
  const draft = { kind: 'mattermost-bot', token: MATTERMOST_TOKEN, room: MATTERMOST_CHANNEL } as const;
  const { destination } = await on.addFor(customer, { ...draft, url: receiver.url }, ALL);
  const id = await post({ customer, type: 'disk', title: 'Disk full', alertKey: customer });
  await expect.poll(() => mattermost.posts.length).toBe(1);
  const shows = (at: number) => JSON.stringify(mattermost.posts[at]?.props);
  return { mattermost, requests: receiver.requests, id, shows, state: () => on.world.destination(destination.id) };
}

test('in Discord the message of a long alert is changed, too, and has its notes below it', async () => {
  const customer = `Long ${crypto.randomUUID()}`;
  const discord = liveDiscord();
  const { url } = await receive(discord.rules);
  const draft = { kind: 'discord', url: `${url}/api/webhooks/123456789012345678/${'x'.repeat(68)}` } as const;
  await on.addFor(customer, draft, ALL);
  // As Kubernetes reports in Cyrillic: of each field 200 characters are shown.
  const text = 'Диск почти заполнен. '.repeat(12);
  const fields = { summary: `1 ${text}`, description: `2 ${text}`, runbook: `3 ${text}`, dashboard: `4 ${text}` };
  const id = await post({ customer, type: 'disk', title: 'Disk full', alertKey: customer, ...fields });
  await expect.poll(() => discord.shown.length).toBe(1);
  await accept(id);
  await expect.poll(() => discord.shown[0]?.text).toContain('Accepted, Ada Admin');
  await note(id, 'Extended by 20 GB');
  await expect.poll(() => discord.shown[1]?.text).toContain('Extended by 20 GB');
  expect(discord.shown).toHaveLength(2);
});

test('in Mattermost a deleted post is posted again by the next event, also by a note, which follows below it', async () => {
  const { mattermost, requests, id, shows, state } = await mattermostWith(`Deleted ${crypto.randomUUID()}`);
  mattermost.remove(mattermost.posts[0]);
  await accept(id);
  await expect.poll(() => shows(1)).toContain('Accepted, Ada Admin');
  mattermost.remove(mattermost.posts[1]);
  await note(id, 'Extended by 20 GB');
  await expect.poll(() => mattermost.posts[3]?.message).toContain('Extended by 20 GB');
  const [, , card, below] = mattermost.posts;
  expect([shows(2), card?.root_id]).toEqual([expect.stringContaining('Accepted, Ada Admin'), '']);
  expect(below?.root_id).toBe(card?.id);
  await note(id, 'And by 20 more');
  await expect.poll(() => mattermost.posts[4]?.root_id).toBe(card?.id);
  // What no rule sends posts nothing, and is no failure.
  mattermost.remove(card);
  await setStatus(id, 'in-progress');
  await expect.poll(() => requests.some(({ path }) => path === `/api/v4/posts/${card?.id}`)).toBe(true);
  await expect.poll(async () => (await state()).waiting).toBe(0);
  expect([mattermost.posts.length, (await state()).health]).toEqual([5, 'ok']);
});

test('a bot that was removed from its channel changes its post once it is back, and posts no other', async () => {
  const { mattermost, id, shows, state } = await mattermostWith(`Removed ${crypto.randomUUID()}`);
  mattermost.isRemoved = true;
  await accept(id);
  await expect.poll(async () => (await state()).reason).toContain('may not write to this channel');
  mattermost.isRemoved = false;
  const failed = (await on.world.receipts(id)).receipts.find(({ event }) => event === 'accepted');
  await must(on.admin.send('POST', `/api/outgoing/messages/${failed?.id}/send-again`));
  await expect.poll(() => shows(0)).toContain('Accepted, Ada Admin');
  expect(mattermost.posts).toHaveLength(1);
});

test('in Mattermost a post is changed also where the time is over for which posts may be edited', async () => {
  const { mattermost, id, shows } = await mattermostWith(`Old ${crypto.randomUUID()}`);
  mattermost.isClosed = true;
  await accept(id);
  await expect.poll(() => shows(0)).toContain('Accepted, Ada Admin');
  expect(mattermost.posts).toHaveLength(1);
});
