import { expect, test } from 'vitest';
import { alertSchema } from '#backend/contract/alert.ts';
import { MATTERMOST_CHANNEL, MATTERMOST_TOKEN, createMattermostService } from '#tests/support/mattermost-service.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';

const on = useOutgoingServer();
const { world, receive, addFor, post } = on;

const sendPress = async (body: object) => {
  const response = await on.server.anonymous().send('POST', '/api/chat/mattermost', body);
  return [response.status, await response.text()];
};

test('a button of Mattermost is proved by its key, and refused alone', async () => {
  const ann = await on.server.signedIn({ displayName: 'Ann Ashby' });
  const customer = crypto.randomUUID();
  const mattermost = createMattermostService();
  const { url } = await receive(mattermost.rules);
  await addFor(customer, {
    kind: 'mattermost-bot',
    name: customer,
    url,
    token: MATTERMOST_TOKEN,
    room: MATTERMOST_CHANNEL,
  });
  const id = await post({ customer, title: 'Disk full' });
  await expect.poll(() => mattermost.posts.length).toBe(1);
  const [shown] = mattermost.posts;
  if (!shown) throw new Error('nothing was posted');
  mattermost.users.push(
    Object.assign({ id: 'user1', username: 'ann', email: ann.session?.email ?? '' }, { email_verified: true }),
  );
  const pressed = mattermost.press(shown, 'accept', 'user1');
  expect(pressed.url).toBe('https://alerts.example.com/api/chat/mattermost');
  const { context } = pressed.body as { context: object };
  expect(await sendPress({ ...pressed.body, context: { ...context, action: 'complete' } })).toEqual([
    401,
    expect.any(String),
  ]);
  // A preview shows buttons with a signature that counts nowhere.
  const [{ id: destinationId } = { id: '' }] = await world.destinations();
  const draft = { destinationId, kind: 'mattermost-bot', name: customer, url, room: MATTERMOST_CHANNEL, alertId: id };
  const preview = await (await on.admin.send('POST', '/api/outgoing/preview', { ...draft, event: 'new' })).text();
  expect(preview).toContain(String((context as { value: unknown }).value));
  expect(preview).not.toContain(String((context as { key: unknown }).key));
  expect(await sendPress(pressed.body)).toEqual([200, '{}']);
  expect(alertSchema.parse(await (await on.admin.get(`/api/alerts/${id}`)).json()).ownerName).toBe('Ann Ashby');
  await expect
    .poll(() => shown.props.attachments?.[0]?.actions.map((one) => one.id))
    .toEqual(['start', 'complete', 'snooze']);
  mattermost.users.push({ id: 'user2', username: 'eve', email: on.admin.session?.email ?? '' });
  const [, said] = await sendPress(mattermost.press(shown, 'complete', 'user2').body);
  expect(said).toContain('Mattermost does not say your email');
});
