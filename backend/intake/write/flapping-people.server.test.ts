import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { catchChanges } from '#tests/support/catch-changes.ts';
import {
  FLAPPING_ON,
  type FlappingWorld,
  GROUPED,
  NO_SOURCES,
  openFlappingWorld,
} from '#tests/support/flapping-world.ts';
import { NO_ECHOES } from './echoes.ts';
import { NOTHING_DECIDES, createBatchWriter } from './write-batch.ts';

let world: FlappingWorld;
beforeAll(async () => {
  world = await openFlappingWorld();
});
afterAll(() => world.destroy());
beforeEach(async () => {
  // Nothing of the test before is to end in this one.
  await world.calm(10_000);
  world.nextProblem();
});

const complete = async (id = ''): Promise<void> => {
  await world.member.send('POST', `/api/alerts/${id}/accept`);
  await world.member.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
  expect((await world.card(id)).status).toBe('completed');
};

describe('people and a problem that flaps', () => {
  test('whoever has accepted it keeps it, and is notified once', async () => {
    const { flap, announced, changes } = world.writer();
    await flap(0);
    await world.writer().open(0);
    const [first] = await world.cards();
    await world.member.send('POST', `/api/alerts/${first?.id}/accept`);
    await world.writer().close(1);
    await flap(8, 2);
    expect(announced().filter((reason) => reason === 'flapping')).toHaveLength(1);
    expect(changes).toContainEqual(
      expect.objectContaining({ reason: 'flapping', alert: expect.objectContaining({ ownerId: world.member.id }) }),
    );
    const [own, ...others] = await world.cards('mine', world.member);
    expect(others).toEqual([]);
    expect(own).toMatchObject({ id: first?.id, status: 'accepted', ownerId: world.member.id, state: 'firing' });
    expect(await world.calm(60)).toBe(1);
    expect(await world.card(own?.id)).toMatchObject({
      status: 'accepted',
      ownerId: world.member.id,
      state: 'resolved',
    });
  });

  test('accepting it while it flaps keeps it from nobody, and it stays out of the inbox', async () => {
    const { flap } = world.writer();
    await flap(6);
    const [one] = await world.cards();
    await world.member.send('POST', `/api/alerts/${one?.id}/accept`);
    await flap(3, 12);
    expect(await world.cards()).toEqual([]);
    expect((await world.card(one?.id)).flapping).toMatchObject({ isOpen: false });
  });

  test('completing it ends its card; what opens then is announced once, and is back with its owner', async () => {
    const { flap, open, announced, changes } = world.writer();
    await flap(6);
    const [one] = await world.cards();
    await world.member.send('POST', `/api/alerts/${one?.id}/accept`);
    await world.member.send('PATCH', `/api/webhooks/${one?.id}/status`, { status: 'completed' });
    expect((await world.card(one?.id)).flapping).toBeUndefined();
    const { length } = changes;
    await open(12);
    await flap(2, 14);
    expect(announced(length).filter((reason) => reason !== 'repeated')).toEqual(['flapping']);
    expect(await world.card(one?.id)).toMatchObject({ status: 'accepted', ownerId: world.member.id });
  });

  test('snoozed, it notifies nobody, and wakes when its time has come or when it fires on', async () => {
    const timed = world.writer();
    await timed.flap(5);
    await timed.open(10);
    const [one] = await world.cards();
    await world.member.send('POST', `/api/alerts/${one?.id}/snooze`, { minutes: 60 });
    const { length } = timed.changes;
    await timed.close(11);
    await timed.flap(3, 12);
    expect(new Set(timed.announced(length))).toEqual(new Set(['repeated']));
    expect(await world.card(one?.id)).toMatchObject({ snoozedUntil: expect.any(String), status: 'pending' });

    world.nextProblem();
    const until = world.writer();
    await until.flap(6);
    const [other] = await world.cards();
    await world.member.send('POST', `/api/alerts/${other?.id}/snooze`, { until: 'next-firing' });
    await until.open(12);
    expect(until.announced()).not.toContain('woken');
    expect((await world.card(other?.id)).snoozedUntil).toBe('next-firing');
    expect(await world.calm(60)).toBeGreaterThan(0);
    const woken = await world.card(other?.id);
    expect(woken.snoozedUntil).toBeUndefined();
    expect(woken).toMatchObject({ state: 'firing', status: 'pending' });
  });

  test('a snoozed group that fires on once it is calm notifies once of its card', async () => {
    const { deliver } = world.writer(GROUPED);
    const keys = ['one', 'other', 'third'].map((name) => `${world.problem()} ${name}`);
    for (const [at, dedupKey] of keys.entries()) {
      for (let time = 0; time < 6; time += 1) {
        await deliver(2 * time, { dedupKey, severity: at === 2 ? 'critical' : 'warning' });
        await deliver(2 * time + 1, { dedupKey, state: 'resolved', severity: 'none' });
      }
      await deliver(12, { dedupKey, severity: 'none' });
    }
    const cards = await world.cards();
    expect(cards).toHaveLength(3);
    for (const { id } of cards) await world.member.send('POST', `/api/alerts/${id}/snooze`, { until: 'next-firing' });
    const { database, changes } = catchChanges(world.server.database);
    expect(await world.calm(60, FLAPPING_ON.flapping, NO_SOURCES, database)).toBe(3);
    const woken = changes.filter((change) => change.type === 'alert_updated' && change.reason === 'woken');
    const critical = cards.filter(({ severity }) => severity === 'critical').map(({ id }) => id);
    expect(woken).toMatchObject([{ alertIds: critical }]);
    expect(critical).toHaveLength(1);
    expect((await world.cards()).map(({ snoozedUntil }) => snoozedUntil)).toEqual([undefined, undefined, undefined]);
  });

  test('completing it while it is closed leaves it resolved, once it is calm or is there again as another alert', async () => {
    for (const endIt of [() => world.calm(60), () => world.writer(FLAPPING_ON, { reopenWithinMs: 0 }).open(12)]) {
      world.nextProblem();
      await world.writer().flap(6);
      const [one] = await world.cards();
      await complete(one?.id);
      expect((await world.card(one?.id)).state).toBe('firing');
      const before = await world.actionsOf(one?.id);
      await endIt();
      expect(await world.card(one?.id)).toMatchObject({
        status: 'completed',
        state: 'resolved',
        resolvedAt: world.timeOf(11),
      });
      expect(await world.actionsOf(one?.id)).toEqual(before);
    }
  });

  test('what resolves it then, because it is there again as another alert, is announced of it as well', async () => {
    await world.writer().flap(6);
    const [one] = await world.cards();
    await complete(one?.id);
    const { open, changes } = world.writer(FLAPPING_ON, { reopenWithinMs: 0 });
    await open(12);
    expect(changes).toContainEqual({ type: 'alert_updated', alertIds: [one?.id], reason: 'repeated' });
  });

  test('completing it while it is open leaves it firing once it is calm', async () => {
    await world.writer().flap(6);
    await world.writer().open(12);
    const [one] = await world.cards();
    await complete(one?.id);
    expect(await world.calm(60)).toBe(0);
    expect(await world.card(one?.id)).toMatchObject({ status: 'completed', state: 'firing' });
  });

  test('completed and back without flapping, its turns count on when its calm is polled', async () => {
    const { flap, open, close, announced, changes } = world.writer(FLAPPING_ON, { reopenWithinMs: 3_600_000 });
    await flap(6);
    const [one] = await world.cards();
    await complete(one?.id);
    await open(33);
    expect((await world.card(one?.id)).flapping).toBeUndefined();
    await world.calm(36);
    const { length } = changes;
    for (const minute of [36.2, 36.6]) {
      await close(minute);
      await open(minute + 0.2);
    }
    expect(announced(length)).not.toContain('flapping');
    await close(37);
    await open(37.2);
    expect(announced(length)).toContain('flapping');
  });

  test('deleting it leaves nothing; what opens then is counted from the beginning', async () => {
    const { flap, announced, changes } = world.writer();
    await flap(6);
    const [one] = await world.cards();
    expect((await world.admin.send('DELETE', `/api/webhooks/${one?.id}`)).ok).toBe(true);
    const { length } = changes;
    await flap(5, 12);
    expect(announced(length)).not.toContain('flapping');
    expect(await world.calm(200)).toBeGreaterThanOrEqual(0);
    expect(
      await world.server.database.reads.query('SELECT alert_id FROM flapping_ends WHERE alert_id = ?', [one?.id]),
    ).toEqual([]);
  });
});

describe('several servers, and moments between', () => {
  test('two that store turns at the same moment make one card and announce it once', async () => {
    const servers = [world.writer(), world.writer()];
    await servers[0]?.open(0);
    for (let time = 0; time < 14; time += 1) {
      await Promise.all(servers.map(({ close }) => close(2 * time + 1)));
      await Promise.all(servers.map(({ open }) => open(2 * time + 2)));
    }
    const [only, ...others] = await world.cards();
    expect(others).toEqual([]);
    expect(only?.flapping?.turns).toHaveLength(29);
    const reasons = servers.flatMap(({ announced }) => announced());
    expect(reasons.filter((reason) => reason === 'flapping')).toHaveLength(1);
    expect(reasons.filter((reason) => reason === 'new')).toHaveLength(1);
  });

  test('a batch that fails leaves nothing of a turn, and is stored whole the next time', async () => {
    const { flap } = world.writer();
    await flap(5);
    const failing = createBatchWriter(
      {
        ...world.server.database,
        transaction: (work) =>
          world.server.database.transaction(async (tx) => {
            await work(tx);
            throw new Error('The server is killed before its commit.');
          }),
      },
      NO_ECHOES,
      FLAPPING_ON,
    );
    await expect(failing([world.deliveryOf(10, {}, {})])).rejects.toThrow('killed');
    expect(await world.cards()).toEqual([]);
    const again = world.writer();
    await again.open(10);
    expect(again.announced()).toEqual(['flapping']);
    expect((await world.cards())[0]?.flapping?.turns).toHaveLength(11);
  });

  test('two that look at the same moment end it once, and a report that came meanwhile goes on', async () => {
    const { flap } = world.writer();
    await flap(6);
    const [one] = await world.cards();
    const ended = await Promise.all([world.calm(60), world.calm(60)]);
    expect(ended.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect((await world.actionsOf(one?.id)).filter((action) => action === 'calmed')).toHaveLength(1);
    world.nextProblem();
    const other = world.writer();
    await other.flap(6);
    await other.open(30);
    await other.close(31);
    // What came meanwhile has put it off.
    expect(await world.calm(37.9)).toBe(0);
    expect(await world.calm(38)).toBe(1);
  });

  test('one that does not know yet that the rule is on ends nothing early', async () => {
    await world.writer().flap(6);
    const late = world.writer(NOTHING_DECIDES);
    await late.open(12);
    await late.close(13);
    expect(await world.calm(14)).toBe(0);
    expect((await world.cards())[0]?.flapping?.turns).toHaveLength(14);
    expect(await world.calm(42)).toBe(1);
  });

  test('turning the rule off ends at once what flaps, as its sender reports it', async () => {
    const { flap } = world.writer();
    await flap(6);
    const [one] = await world.cards();
    expect(await world.calm(12, NOTHING_DECIDES.flapping)).toBeGreaterThan(0);
    expect(await world.card(one?.id)).toMatchObject({ status: 'completed', state: 'resolved' });
  });
});
