import { expect, onTestFinished, test, vi } from 'vitest';
import type { LadderEnd } from '#backend/contract/ladder.ts';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { must } from '#tests/support/write-routes.ts';
import { dropTaken } from '#backend/outgoing/ladders/drop-taken.ts';
import { GatheredEntity, LadderRunEntity } from '#backend/outgoing/ladders/ladder-entities.ts';
import { CLAIM_MS } from '#backend/platform/database/claims.ts';
import { breakOff, claimDue, release, releaseAll } from './claim-messages.ts';
import { GROUP_KEY, LADDER_KEY, MessageEntity } from './message-entity.ts';

const HOUR_MS = 60 * 60_000;

const on = useOutgoingServer();
const claim = (id: string, limit: number, now: number) =>
  claimDue({ database: on.server.database, ladders: { dropTaken } }, { id, queue: 'all' }, limit, now);

test('what a server that was killed had claimed is due at once, and may have been done', async () => {
  const { database } = on.server;
  const url = 'https://hooks.example.com/in';
  const { id: destinationId } = (await on.world.addDestination({ kind: 'webhook', name: 'Killed', url })).destination;
  const [alertId = ''] = await insertAlerts(database, [{ title: 'Disk full' }]);
  const now = Date.now();
  const payload = contentOf({ ...SAMPLE_ALERT, id: alertId }, { event: 'new', at: now, by: null }, undefined);
  await database.transaction((tx) =>
    tx.getRepository(MessageEntity).insert({
      id: newId(),
      destinationId,
      alertId,
      event: 'new',
      eventKey: 'new',
      state: 'waiting',
      content: JSON.stringify(payload),
      attempts: 1,
      // The server of this test leaves it alone.
      nextAt: now + HOUR_MS,
      claimedUntil: now + 2 * HOUR_MS + CLAIM_MS,
      attemptLog: '[]',
      createdAt: now,
      giveUpAt: now + 24 * HOUR_MS,
      finishedAt: null,
    }),
  );
  const claimOne = () => claim(destinationId, 1, now + 2 * HOUR_MS);
  expect(await claimOne()).toEqual([]);
  await releaseAll(database);
  const [claimed] = await claimOne();
  // Its answer is not known: whoever goes on waits from then on, where a search may not know yet what was made.
  expect(claimed).toMatchObject({ isRepeat: true, mayBeThere: true });
  expect(claimed?.triedAt).toBeGreaterThanOrEqual(now);
  expect(claimed?.triedAt).toBeLessThanOrEqual(Date.now());
  // Claimed again, and not sent: that is as it was. Stopped while it was sent: that counts.
  await database.transaction((tx) => release(tx, claimed ? [claimed] : []));
  expect(await claimOne()).toMatchObject([{ attempts: 2, triedAt: claimed?.triedAt }]);
  await database.transaction((tx) => breakOff(tx, [claimed?.id ?? ''], now + HOUR_MS));
  expect(await claimOne()).toMatchObject([{ attempts: 3, triedAt: now + HOUR_MS }]);
});

/** A message of a ladder whose attempt failed, as it is due in an hour: of one alert, or about it and another one. */
async function failedMessage(endReason: LadderEnd | null, isGroup: boolean, endedAgoMs = 0) {
  const { database } = on.server;
  const url = 'https://hooks.example.com/in';
  const draft = { kind: 'webhook', name: crypto.randomUUID(), url } as const;
  const { id: destinationId } = (await on.world.addDestination(draft)).destination;
  const [alertId = ''] = await insertAlerts(database, [{ title: 'Disk full' }]);
  const now = Date.now();
  const run = {
    id: newId(),
    alertId,
    ruleId: newId(),
    ruleName: 'Night',
    startKey: 'new',
    ladder: '{"steps":[]}',
    state: endReason === null ? ('running' as const) : ('ended' as const),
    position: 1,
    countedFrom: now,
    dueAt: now + 24 * HOUR_MS,
    startedAt: now,
    endedAt: endReason === null ? null : now - endedAgoMs,
    endReason,
    endedBy: null,
  };
  const message = {
    id: newId(),
    destinationId,
    alertId,
    event: 'new' as const,
    eventKey: isGroup ? `${GROUP_KEY}${newId()}` : `${LADDER_KEY}${run.id}:0`,
    state: 'waiting' as const,
    content: JSON.stringify(contentOf(SAMPLE_ALERT, { event: 'new', at: now, by: null }, undefined)),
    attempts: 1,
    nextAt: now + HOUR_MS,
    claimedUntil: 0,
    attemptLog: '[]',
    createdAt: now,
    giveUpAt: now + 24 * HOUR_MS,
    finishedAt: null,
  };
  const gathered = {
    id: newId(),
    ruleId: run.ruleId,
    targetId: destinationId,
    targetKind: 'destination' as const,
    runId: run.id,
    position: 0,
    alertId,
    isUrgent: false,
    isEnd: false,
    state: 'sent' as const,
    messageId: message.id,
    alerts: 1,
    gatheredAt: now,
    doneAt: now,
  };
  await database.transaction(async (tx) => {
    await tx.getRepository(LadderRunEntity).insert(run);
    await tx.getRepository(MessageEntity).insert(message);
    if (isGroup) await tx.getRepository(GatheredEntity).insert(gathered);
  });
  return { destinationId, alertId, id: message.id, runId: run.id, later: now + 2 * HOUR_MS };
}

/** As if somebody had the message sent again, whose next attempt failed: the server of this test leaves it alone. */
const sendAgain = (id: string, at: number) =>
  on.server.database.transaction((tx) =>
    tx.getRepository(MessageEntity).update({ id }, { giveUpAt: at + 24 * HOUR_MS }),
  );

test.each([
  ['accepted', false, []],
  ['not-taken', false, ['ladder']],
  [null, false, ['ladder']],
  ['accepted', true, []],
  [null, true, ['ladder']],
] as const)(
  'what a ladder sends that ended as %s while it was being sent, about several alerts: %s, is sent again: %s',
  async (endReason, isGroup, sent) => {
    const { database } = on.server;
    const { destinationId, alertId, later } = await failedMessage(endReason, isGroup);
    const claimed = await claim(destinationId, 5, later);
    expect(claimed.map(() => 'ladder')).toEqual(sent);
    const { state } = await database.reads.getRepository(MessageEntity).findOneByOrFail({ alertId });
    expect(state).toBe(sent.length > 0 ? 'waiting' : 'replaced');
  },
);

/** Whoever is asked by a ladder does something with its alert. */
const take = (alertId: string, how: 'accept' | 'snooze') =>
  must(
    on.admin.send(
      'POST',
      `/api/alerts/${alertId}/${how}`,
      how === 'snooze' ? { until: new Date(Date.now() + HOUR_MS).toISOString() } : undefined,
    ),
  );

test.each([
  ['accepted', false],
  ['accepted', true],
  ['not-taken', false],
  ['not-taken', true],
] as const)(
  'what a ladder that ended as %s has sent, about several alerts: %s, is sent when somebody sends it again, also of an alert that is taken',
  async (endReason, isGroup) => {
    const { destinationId, alertId, id, later } = await failedMessage(endReason, isGroup, HOUR_MS);
    await take(alertId, 'accept');
    await sendAgain(id, Date.now() + 1);
    expect(await claim(destinationId, 5, later)).toHaveLength(1);
  },
);

test.each([
  ['accept', false],
  ['accept', true],
  ['snooze', false],
  ['snooze', true],
] as const)(
  'but not when somebody then does this with the alert that nobody had taken: %s; about several alerts: %s',
  async (how, isGroup) => {
    const { destinationId, alertId, id, later } = await failedMessage('not-taken', isGroup, HOUR_MS);
    await sendAgain(id, Date.now() - HOUR_MS / 2);
    await take(alertId, how);
    expect(await claim(destinationId, 5, later)).toEqual([]);
    expect(await on.server.database.reads.getRepository(MessageEntity).findOneByOrFail({ id })).toMatchObject({
      state: 'replaced',
    });
  },
);

test('what a ladder that is gone made is sent when somebody sends it again', async () => {
  const { database } = on.server;
  const { destinationId, id, runId, later } = await failedMessage('not-taken', false);
  await database.transaction((tx) => tx.getRepository(LadderRunEntity).delete({ id: runId }));
  await sendAgain(id, Date.now() + 1);
  expect(await claim(destinationId, 5, later)).toHaveLength(1);
});

test('what waits by a clock that was set back since is due at once', async () => {
  const customer = `Clock ${crypto.randomUUID()}`;
  const receiver = await on.receive();
  receiver.answer({ status: 503, headers: { 'Retry-After': '3600' } });
  const { destination } = await on.addFor(customer, { kind: 'webhook', url: receiver.url });
  const alertId = await on.post({ customer });
  await expect.poll(async () => (await on.world.destination(destination.id)).health).toBe('slowed');
  receiver.answer(undefined);
  const { database } = on.server;
  const dayLater = Date.now() + 24 * HOUR_MS;
  await database.transaction(async (tx) => {
    await tx.getRepository(MessageEntity).update({ alertId }, { nextAt: dayLater, claimedUntil: dayLater });
    await tx.getRepository(DestinationEntity).update({ id: destination.id }, { retryAt: dayLater });
  });
  await expect.poll(() => receiver.taken().length).toBe(1);
});

test('what waits for a moment does so also by a clock that is set back by half an hour meanwhile', async () => {
  const customer = `Clock ${crypto.randomUUID()}`;
  const receiver = await on.receive();
  receiver.answer({ status: 503 });
  const { destination } = await on.addFor(customer, { kind: 'webhook', url: receiver.url });
  const alertId = await on.post({ customer });
  await expect.poll(async () => (await on.world.destination(destination.id)).health).toBe('slowed');
  receiver.answer(undefined);
  const { database } = on.server;
  const soon = Date.now() + 3_000;
  await database.transaction(async (tx) => {
    await tx.getRepository(MessageEntity).update({ alertId }, { nextAt: soon });
    await tx.getRepository(DestinationEntity).update({ id: destination.id }, { retryAt: soon });
  });
  const { now } = Date;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() - HOUR_MS / 2);
  onTestFinished(() => clock.mockRestore());
  await expect.poll(() => receiver.taken().length).toBe(1);
});
