import { expect, test } from 'vitest';
import { liveDiscord } from '#tests/support/live-chat-services.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { must } from '#tests/support/write-routes.ts';

const on = useOutgoingServer();

test('a message in a chat says what its alert is by now, once its destination is resumed, and nothing new is posted', async () => {
  const customer = `Resumed ${crypto.randomUUID()}`;
  const chats = [liveDiscord(), liveDiscord()];
  const destinations: string[] = [];
  for (const { rules } of chats) {
    const { url } = await on.receive(rules);
    const input = { kind: 'discord' as const, url: `${url}/api/webhooks/123456789012345678/${'x'.repeat(68)}` };
    destinations.push((await on.addFor(customer, input, ['new', 'completed'])).destination.id);
  }
  const texts = () => chats.map(({ shown }) => shown.map(({ text }) => /Accepted|Completed/.exec(text)?.[0] ?? 'new'));
  const [accepted, completed] = [
    await on.post({ customer, title: 'Disk full' }),
    await on.post({ customer, title: 'Memory full' }),
  ];
  await expect.poll(texts).toEqual([
    ['new', 'new'],
    ['new', 'new'],
  ]);
  const [paused = ''] = destinations;
  await on.world.changeDestination(paused, { isPaused: true });
  for (const id of [accepted, completed]) await must(on.admin.send('POST', `/api/alerts/${id}/accept`, {}));
  await must(on.admin.send('PATCH', `/api/webhooks/${completed}/status`, { status: 'completed' }));
  await on.post({ customer, title: 'CPU busy' });
  // What the other one shows has been read from the feed while this one was paused.
  await expect.poll(texts).toEqual([
    ['new', 'new'],
    ['Accepted', 'Completed', 'new'],
  ]);
  await on.world.changeDestination(paused, { isPaused: false });
  await expect.poll(texts).toEqual([
    ['Accepted', 'Completed'],
    ['Accepted', 'Completed', 'new'],
  ]);
});
