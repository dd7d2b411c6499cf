import { expect, test } from 'vitest';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { LadderRunEntity } from '#backend/outgoing/ladders/ladder-entities.ts';
import { breakOff, claimDue, release, releaseAll } from './claim-messages.ts';
import { LADDER_KEY, MessageEntity } from './message-entity.ts';

const HOUR_MS = 60 * 60_000;

const on = useOutgoingServer();

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
      claimedUntil: now + 3 * HOUR_MS,
      attemptLog: '[]',
      createdAt: now,
      giveUpAt: now + 24 * HOUR_MS,
      finishedAt: null,
    }),
  );
  const claim = () => claimDue(database, { id: destinationId, queue: 'all' }, 1, now + 2 * HOUR_MS);
  expect(await claim()).toEqual([]);
  await releaseAll(database);
  const [claimed] = await claim();
  // Its answer is not known: whoever goes on waits from then on, where a search may not know yet what was made.
  expect(claimed).toMatchObject({ isRepeat: true, mayBeThere: true });
  expect(claimed?.triedAt).toBeGreaterThanOrEqual(now);
  expect(claimed?.triedAt).toBeLessThanOrEqual(Date.now());
  // Claimed again, and not sent: that is as it was. Stopped while it was sent: that counts.
  await database.transaction((tx) => release(tx, claimed ? [claimed] : []));
  expect(await claim()).toMatchObject([{ attempts: 2, triedAt: claimed?.triedAt }]);
  await database.transaction((tx) => breakOff(tx, [claimed?.id ?? ''], now + HOUR_MS));
  expect(await claim()).toMatchObject([{ attempts: 3, triedAt: now + HOUR_MS }]);
});

test.each([
  ['accepted', []],
  ['not-taken', ['ladder']],
  [null, ['ladder']],
] as const)(
  'what a ladder sends that ended as %s while it was being sent is sent again: %s',
  async (endReason, sent) => {
    const { database } = on.server;
    const url = 'https://hooks.example.com/in';
    const { id: destinationId } = (await on.world.addDestination({ kind: 'webhook', name: crypto.randomUUID(), url }))
      .destination;
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
      endedAt: endReason === null ? null : now,
      endReason,
      endedBy: null,
    };
    const payload = contentOf({ ...SAMPLE_ALERT, id: alertId }, { event: 'new', at: now, by: null }, undefined);
    await database.transaction(async (tx) => {
      await tx.getRepository(LadderRunEntity).insert(run);
      await tx.getRepository(MessageEntity).insert({
        id: newId(),
        destinationId,
        alertId,
        event: 'new',
        eventKey: `${LADDER_KEY}${run.id}:0`,
        state: 'waiting',
        content: JSON.stringify(payload),
        attempts: 1,
        nextAt: now + HOUR_MS,
        claimedUntil: 0,
        attemptLog: '[]',
        createdAt: now,
        giveUpAt: now + 24 * HOUR_MS,
        finishedAt: null,
      });
    });
    const claimed = await claimDue(database, { id: destinationId, queue: 'all' }, 5, now + 2 * HOUR_MS);
    expect(claimed.map(() => 'ladder')).toEqual(sent);
    const { state } = await database.reads.getRepository(MessageEntity).findOneByOrFail({ alertId });
    expect(state).toBe(sent.length > 0 ? 'waiting' : 'replaced');
  },
);
