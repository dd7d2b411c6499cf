import { beforeAll, expect, test } from 'vitest';
import { ladderPreviewSchema } from '#backend/contract/ladder.ts';
import { LadderRunEntity, LadderStepEntity } from './ladder-entities.ts';
import { callsOf, onlineLadder } from '#tests/support/ladder-world.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import type { TestClient } from '#tests/support/test-client.ts';

const on = useOutgoingServer();
const { ladders: world, post } = on;
let night: TestClient;
beforeAll(async () => {
  night = await on.server.signedIn({ displayName: 'Nora Night' });
});

const customer = (): string => `Ladder ${crypto.randomUUID()}`;

test('steps notify a group and a destination, once each, until somebody accepts; then the ladder says who', async () => {
  const of = customer();
  const nora = await on.server.signedIn({ displayName: 'Nora Night' });
  const receiver = await on.receive();
  const { destination } = await on.world.addDestination({
    kind: 'webhook',
    name: crypto.randomUUID(),
    url: receiver.url,
  });
  const { id: groupId } = await world.addGroup([nora.id]);
  await world.addLadder(of, {
    steps: [
      { afterMinutes: 0, recipients: [{ kind: 'group', id: groupId }] },
      { afterMinutes: 5, recipients: [{ kind: 'destination', id: destination.id }] },
      { afterMinutes: 15, recipients: [{ kind: 'member', id: nora.id }] },
    ],
    repeat: 1,
    isUrgent: false,
  });
  const alertId = await post({ customer: of, title: 'Disk almost full' });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  expect(await callsOf(nora)).toEqual([alertId]);
  const [run] = await world.runs(alertId, nora);
  expect(run?.steps.map(({ state, to }) => `${state} ${to.join()}`)).toEqual([
    expect.stringMatching(/^done Group/),
    expect.stringMatching(/^next /),
    'later Nora Night',
    expect.stringMatching(/^later Group/),
    expect.stringMatching(/^later /),
    'later Nora Night',
    'later Every administrator',
  ]);
  await world.skip(alertId);
  await expect.poll(() => receiver.taken().length).toBe(1);
  expect(await world.taken(alertId)).toEqual(['0.1', '0.2']);
  // The third keeps its distance of ten minutes to the second.
  const third = (await world.runs(alertId))[0]?.steps[2];
  expect(Math.abs(Date.parse(third?.at ?? '') - Date.now() - 600_000)).toBeLessThan(30_000);
  await nora.send('POST', `/api/alerts/${alertId}/accept`, {});
  const ended = async () => (await world.runs(alertId))[0];
  await expect.poll(async () => (await ended())?.endedBy).toBe('Nora Night');
  expect(await ended()).toMatchObject({ endReason: 'accepted' });
  expect((await ended())?.steps.map(({ state }) => state)).toEqual(['done', 'done']);
});

test('after the last step every administrator is notified once, and the alert is marked as not taken', async () => {
  const of = customer();
  await world.addLadder(of, {
    ...onlineLadder([0]),
    steps: [{ afterMinutes: 0, recipients: [{ kind: 'member', id: night.id }] }],
  });
  const alertId = await post({ customer: of });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  await world.skip(alertId);
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1', '0.end']);
  expect(await callsOf(on.admin)).toContain(alertId);
  expect((await world.runs(alertId))[0]).toMatchObject({ endReason: 'not-taken' });
});

test('an alert that is given back a moment later goes on where it was', async () => {
  const of = customer();
  await world.addLadder(of, onlineLadder([0, 5]));
  const alertId = await post({ customer: of, severity: 'warning', dedupKey: of });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  await night.send('POST', `/api/alerts/${alertId}/accept`, {});
  const stored = () => on.server.database.reads.getRepository(LadderRunEntity).findOneBy({ alertId });
  await expect.poll(async () => (await stored())?.state).toBe('ended');
  await night.send('POST', `/api/alerts/${alertId}/unaccept`);
  await expect.poll(async () => (await stored())?.state).toBe('running');
  expect(await world.taken(alertId)).toEqual(['0.1']);
  expect(await world.runs(alertId)).toHaveLength(1);
  // With the alert its ladders go, too.
  await on.admin.send('DELETE', `/api/webhooks/${alertId}`);
  await expect.poll(stored).toBeNull();
});

test('what a ladder made and nobody was sent is sent after all, when the alert is given back a moment later', async () => {
  const of = customer();
  const receiver = await on.receive();
  receiver.answer({ status: 503, headers: { 'Retry-After': '1' } });
  const draft = { kind: 'ntfy', name: crypto.randomUUID(), url: receiver.url, topic: 'night' } as const;
  const { destination } = await on.world.addDestination(draft);
  // That somebody has it is sent there, too.
  await on.world.addRule([destination.id], { search: `customer:"${of}"`, events: ['accepted'] });
  const steps = [{ afterMinutes: 0, recipients: [{ kind: 'destination' as const, id: destination.id }] }];
  await world.addLadder(of, { steps, repeat: 0, isUrgent: false });
  const alertId = await post({ customer: of, title: 'Disk full' });
  await expect.poll(() => receiver.requests.length).toBeGreaterThan(0);
  const states = async () =>
    (await on.world.receipts(alertId)).receipts.map(({ event, state }) => `${event} ${state}`).toSorted();
  await night.send('POST', `/api/alerts/${alertId}/accept`, {});
  await expect.poll(states).toEqual(['accepted waiting', 'new replaced']);
  await night.send('POST', `/api/alerts/${alertId}/unaccept`);
  await expect.poll(states).toEqual(['accepted replaced', 'new waiting']);
  receiver.answer(undefined);
  await expect.poll(states).toEqual(['accepted replaced', 'new sent']);
  expect(receiver.taken()).toMatchObject([{ body: expect.stringContaining('"Disk full"') }]);
});

test('what a rule sends waits beside what a ladder sends, and comes when somebody has taken the alert', async () => {
  const of = customer();
  const receiver = await on.receive();
  receiver.answer({ status: 503, headers: { 'Retry-After': '1' } });
  const draft = { kind: 'ntfy', name: crypto.randomUUID(), url: receiver.url, topic: 'night' } as const;
  const { destination } = await on.world.addDestination(draft);
  await on.world.addRule([destination.id], { search: `customer:"${of}"`, events: ['new'] });
  const steps = [{ afterMinutes: 1, recipients: [{ kind: 'destination' as const, id: destination.id }] }];
  await world.addLadder(of, { steps, repeat: 0, isUrgent: false });
  const alertId = await post({ customer: of, title: 'Disk full' });
  await expect.poll(() => receiver.requests.length).toBeGreaterThan(0);
  await world.skip(alertId);
  const states = async () => (await on.world.receipts(alertId)).receipts.map(({ state }) => state);
  await expect.poll(states).toHaveLength(2);
  // An attempt of the first ends meanwhile.
  const before = receiver.requests.length;
  await expect.poll(() => receiver.requests.length).toBeGreaterThan(before);
  await night.send('POST', `/api/alerts/${alertId}/accept`, {});
  await expect.poll(async () => (await states())[1]).toBe('replaced');
  receiver.answer(undefined);
  await expect.poll(states).toEqual(['sent', 'replaced']);
  expect(receiver.taken()).toMatchObject([{ body: expect.stringContaining('"Disk full"') }]);
});

test('who is disabled is not notified; who chose nothing is not either, though the rule is urgent', async () => {
  const of = customer();
  const gone = await on.server.signedIn({ displayName: 'Gone' });
  const silent = await on.server.signedIn({ displayName: 'Silent' });
  const asleep = await on.server.signedIn({ displayName: 'Asleep' });
  await silent.send('PATCH', '/api/notification-settings', { level: 'never' });
  const pausedUntil = new Date(Date.now() + 3_600_000).toISOString();
  await asleep.send('PATCH', '/api/notification-settings', { pausedUntil });
  await on.admin.send('PATCH', `/api/auth/users/${gone.id}/toggle-active`);
  const group = await world.addGroup([gone.id, silent.id, asleep.id]);
  const steps = [{ afterMinutes: 0, recipients: [{ kind: 'group' as const, id: group.id }] }];
  const preview = async (isUrgent: boolean) => {
    const answer = await on.admin.send('POST', '/api/outgoing/ladder-preview', {
      ladder: { steps, repeat: 0, isUrgent },
    });
    const [first] = ladderPreviewSchema.parse(await answer.json());
    return first?.people.map(({ displayName, without = 'yes' }) => `${displayName} ${without}`);
  };
  expect(await preview(false)).toEqual(['Asleep paused', 'Silent unwanted']);
  expect(await preview(true)).toEqual(['Asleep yes', 'Silent unwanted']);
  await world.addLadder(of, { steps, repeat: 0, isUrgent: true });
  const alertId = await post({ customer: of });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  expect(await callsOf(asleep)).toEqual([alertId]);
  expect(await callsOf(silent)).toEqual([]);
});

test('what a ladder would do is said of any start whose steps can be named', async () => {
  const steps = [{ afterMinutes: 1_440, recipients: [{ kind: 'online' as const }] }];
  const statusAt = async (at: string) =>
    (
      await on.admin.send('POST', '/api/outgoing/ladder-preview', {
        ladder: { steps, repeat: 9, isUrgent: false },
        at,
      })
    ).status;
  expect(await statusAt('9998-12-31T23:59:00Z')).toBe(200);
  expect(await statusAt('9999-12-31T23:59:00Z')).toBe(422);
});

test('a step says where it sends nothing because the destination is not for the alert’s customer', async () => {
  const of = customer();
  const receiver = await on.receive();
  const draft = { kind: 'webhook', name: `Ops ${crypto.randomUUID()}`, url: receiver.url } as const;
  const { destination } = await on.world.addDestination({ ...draft, customers: ['Somebody else'] });
  const steps = [{ afterMinutes: 0, recipients: [{ kind: 'destination' as const, id: destination.id }] }];
  const ladder = { steps, repeat: 0, isUrgent: false };
  const answer = await on.admin.send('POST', '/api/outgoing/ladder-preview', { ladder });
  const [planned] = ladderPreviewSchema.parse(await answer.json());
  expect(planned?.faults).toEqual([`${draft.name} is sent alerts of some customers only.`]);
  await world.addLadder(of, ladder);
  const alertId = await post({ customer: of });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  const [run] = await world.runs(alertId);
  expect(run?.steps[0]?.faults).toEqual([`${draft.name} may not be sent alerts of this customer.`]);
  expect((await on.world.receipts(alertId)).receipts).toEqual([]);
});

test('a group that a ladder notifies is not deleted, and a step that was asked for twice is taken once', async () => {
  const of = customer();
  const group = await world.addGroup([night.id]);
  const steps = [0, 5, 10].map((afterMinutes) => ({
    afterMinutes,
    recipients: [{ kind: 'group' as const, id: group.id }],
  }));
  const rule = await world.addLadder(of, { steps, repeat: 0, isUrgent: false });
  const refused = await on.admin.send('DELETE', `/api/outgoing/groups/${group.id}`);
  expect([refused.status, await refused.text()]).toEqual([409, expect.stringContaining(rule.name)]);
  const alertId = await post({ customer: of });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  const [run] = await world.runs(alertId);
  const path = `/api/alerts/${alertId}/ladders/${run?.id}/skip`;
  const answers = await Promise.all([1, 2].map(() => on.admin.send('POST', path, { position: 1 })));
  expect(answers.map(({ status }) => status).toSorted()[0]).toBe(204);
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1', '0.2']);
  expect((await on.admin.send('POST', path, { position: 1 })).status).toBe(409);
  expect((await night.send('POST', path, { position: 2 })).status).toBe(403);
  await on.admin.send('POST', `/api/alerts/${alertId}/ladders/${run?.id}/stop`);
  expect((await world.runs(alertId))[0]).toMatchObject({ endReason: 'stopped', endedBy: 'Ada Admin' });
  expect(await on.server.database.reads.getRepository(LadderStepEntity).countBy({ runId: run?.id ?? '' })).toBe(2);
  await on.admin.send('DELETE', `/api/outgoing/rules/${rule.id}`);
  expect((await on.admin.send('DELETE', `/api/outgoing/groups/${group.id}`)).status).toBe(204);
});

test('a step comes at its time while nothing else happens', async () => {
  const of = customer();
  await world.addLadder(of, onlineLadder([0, 5]));
  const alertId = await post({ customer: of });
  await expect.poll(() => world.taken(alertId)).toEqual(['0.1']);
  // Just after a look of a server that has nothing to send, which looks every five seconds.
  const dueAt = Date.now() + 5_100;
  await on.server.database.transaction((tx) => tx.getRepository(LadderRunEntity).update({ alertId }, { dueAt }));
  const steps = on.server.database.reads.getRepository(LadderStepEntity);
  const run = await on.server.database.reads.getRepository(LadderRunEntity).findOneByOrFail({ alertId });
  await expect.poll(() => steps.countBy({ runId: run.id }), { interval: 100 }).toBe(2);
  const second = await steps.findOneByOrFail({ runId: run.id, position: 1 });
  expect(second.firedAt).toBeGreaterThanOrEqual(dueAt);
  expect(second.firedAt - dueAt).toBeLessThan(4_500);
});
