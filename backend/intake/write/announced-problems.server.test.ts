import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { FLAPPING_ON, type FlappingWorld, openFlappingWorld } from '#tests/support/flapping-world.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { NOTHING_DECIDES } from './write-batch.ts';

let world: FlappingWorld;
beforeAll(async () => {
  world = await openFlappingWorld();
});
afterAll(() => world.destroy());
beforeEach(() => world.nextProblem());

test('reports of an alert whose first payload is too large to be read again are announced by its id', async () => {
  const { open, close, changes } = world.writer(NOTHING_DECIDES, { reopenWithinMs: 600_000 });
  await open(0, { payload: jsonText(JSON.stringify({ text: 'x'.repeat(65 * 1024) })) });
  const [card] = await world.cards();
  const alertIds = [card?.id];
  await open(1, { severity: 'critical' });
  await close(2);
  await open(3);
  expect(changes.slice(1)).toEqual([
    { type: 'alert_updated', alertIds, reason: 'escalated' },
    { type: 'alert_updated', alertIds, reason: 'resolved' },
    { type: 'alert_unaccepted', alertIds },
    { type: 'alert_updated', alertIds, reason: 'reopened' },
  ]);
});

test('a problem that gets worse and ends in one batch is announced as over', async () => {
  const { deliver, open, announced } = world.writer(NOTHING_DECIDES);
  await open(0);
  await deliver(1, { severity: 'critical' }, { state: 'resolved', severity: 'none' });
  expect(announced()).toEqual(['new', 'resolved']);
});

test('one that gets worse, ends and is back in one batch is announced as worse', async () => {
  const { deliver, open, announced } = world.writer(NOTHING_DECIDES, { completesResolved: false });
  await open(0);
  await deliver(1, { severity: 'critical' }, { state: 'resolved', severity: 'none' }, { severity: 'critical' });
  expect(announced()).toEqual(['new', 'escalated']);
});

test('an alert that ends by itself is announced with what was reported last', async () => {
  const { flap, open, close } = world.writer(FLAPPING_ON, { reopenWithinMs: 0 });
  await flap(6);
  await open(12);
  await close(13, { payload: jsonText('{"host":"db-8"}') });
  const { events, socket } = await listenLive(world.admin);
  expect(await world.calm(60)).toBe(1);
  const updates = () => events.flatMap((event) => (event.type === 'alert_updated' ? [event] : []));
  await expect
    .poll(updates)
    .toMatchObject([{ reason: 'calmed', alert: { payload: { host: 'db-7' }, latestPayload: { host: 'db-8' } } }]);
  socket.terminate();
});
