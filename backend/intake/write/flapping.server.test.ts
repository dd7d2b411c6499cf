import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { loadQuietWindows } from '#backend/alerts/maintenance/quiet-windows.ts';
import { alertListSchema } from '#backend/contract/alert.ts';
import { DEFAULT_FLAPPING_RULE } from '#backend/contract/flapping-rule.ts';
import { catchChanges } from '#tests/support/catch-changes.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import {
  FLAPPING_ON,
  type FlappingWorld,
  GROUPED,
  type Report,
  openFlappingWorld,
} from '#tests/support/flapping-world.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { planWindow } from '#tests/support/window-calls.ts';
import { NO_ECHOES } from './echoes.ts';
import { type Arrivals, NOTHING_DECIDES, createBatchWriter } from './write-batch.ts';

/** Ids of groups. */
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

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

describe('a problem that opens and closes 14 times', () => {
  test('is one card that stays, is announced once as flapping, and ends by itself', async () => {
    const { flap, open, announced } = world.writer(FLAPPING_ON, { reopenWithinMs: 0 });
    await flap(5);
    // Until then each was an alert of its own, completed by its sender.
    expect(await world.cards()).toEqual([]);
    await open(10);
    const [first] = await world.cards();
    expect(first?.flapping).toMatchObject({ withinMinutes: 30, isOpen: true });
    expect(first?.flapping?.turns).toHaveLength(11);
    const before = announced();
    expect(before.filter((reason) => reason === 'new')).toHaveLength(6);

    await world.writer(FLAPPING_ON, { reopenWithinMs: 0 }).close(11);
    const later = world.writer(FLAPPING_ON, { reopenWithinMs: 0 });
    await later.flap(8, 12);
    expect(later.announced()).toEqual(Array.from({ length: 16 }, () => 'repeated'));
    const [only, ...others] = await world.cards();
    expect(others).toEqual([]);
    expect(only).toMatchObject({ id: first?.id, status: 'pending', state: 'firing', occurrences: 9 });
    expect(only?.flapping).toMatchObject({ isOpen: false });
    expect(only?.flapping?.turns).toHaveLength(28);
    expect(await world.actionsOf(only?.id)).toEqual(['received', 'flapping', 'repeated']);

    // The last openings were in minutes 22, 24 and 26: two are allowed.
    expect(await world.calm(51.9)).toBe(0);
    expect(await world.calm(52)).toBe(1);
    expect(await world.cards()).toEqual([]);
    const over = await world.card(only?.id);
    expect(over).toMatchObject({ status: 'completed', state: 'resolved' });
    expect(over.resolvedAt).toBe(world.timeOf(27));
    expect(over.flapping).toBeUndefined();
    expect((await world.actionsOf(only?.id)).slice(3)).toEqual(['calmed', 'resolved']);
    expect(await world.calm(53)).toBe(0);
  });

  test('stays the alert that it was where its sender completes nothing, and is firing in the end if it fires', async () => {
    const { flap, open, announced } = world.writer(FLAPPING_ON, { completesResolved: false });
    await flap(6);
    await open(12);
    const [only, ...others] = await world.cards();
    expect(others).toEqual([]);
    expect(announced().filter((reason) => reason === 'flapping')).toHaveLength(1);
    expect(announced().slice(11)).toEqual(['repeated', 'repeated']);
    expect(await world.calm(38)).toBe(1);
    const [after] = await world.cards();
    expect(after).toMatchObject({ id: only?.id, status: 'pending', state: 'firing' });
    expect(after?.flapping).toBeUndefined();
  });

  test('is counted from the beginning again once it was calm', async () => {
    const { flap, announced, changes } = world.writer();
    await flap(6);
    expect(await world.calm(60)).toBe(1);
    const { length } = changes;
    await flap(5, 61);
    expect(announced(length)).not.toContain('flapping');
    await flap(1, 71);
    expect(announced(length)).toContain('flapping');
  });

  test('does not flap where it opens slowly, where the rule is off, or where it only repeats', async () => {
    const slow = world.writer();
    for (let time = 0; time < 10; time += 1) await slow.flap(1, time * 7);
    const off = world.writer(NOTHING_DECIDES);
    world.nextProblem();
    await off.flap(10);
    const repeats = world.writer();
    world.nextProblem();
    for (let minute = 0; minute < 20; minute += 1) await repeats.open(minute);
    for (const { announced } of [slow, off, repeats]) expect(announced()).not.toContain('flapping');
    expect((await world.cards())[0]?.flapping).toBeUndefined();
  });

  test('in one request, and a test, are judged as all others', async () => {
    const { deliver, announced } = world.writer();
    const turns = Array.from({ length: 14 }, (_, at): Report => ({ state: at % 2 === 0 ? 'firing' : 'resolved' }));
    await deliver(0, ...turns);
    const [only, ...others] = await world.cards();
    expect(others).toEqual([]);
    expect(only?.flapping?.turns).toHaveLength(14);
    expect(announced()).toEqual(['new']);
    world.nextProblem();
    await deliver(0, ...turns.map(({ state = 'firing' }): Report => ({ state, isTest: true })));
    expect((await world.cards())[0]?.flapping).toBeUndefined();
  });
});

describe('what notifies of a problem that flaps', () => {
  test('the first critical opening does, and no later one', async () => {
    const { flap, open, close, announced, changes } = world.writer();
    await flap(6);
    const { length } = changes;
    for (const [minute, severity] of (['high', 'critical', 'warning', 'critical'] as const).entries()) {
      await open(20 + 2 * minute, { severity });
      await close(21 + 2 * minute);
    }
    expect(announced(length).filter((reason) => reason !== 'repeated')).toEqual(['escalated']);
    expect((await world.cards())[0]?.severity).toBe('critical');
  });

  test('nothing does again: neither a long silence of its sender nor a rule that notifies of each repeat', async () => {
    const { flap, announced, changes } = world.writer(FLAPPING_ON, { notifyAgainAfterMs: 1 });
    await flap(6);
    const { length } = changes;
    await flap(3, 12);
    expect(new Set(announced(length))).toEqual(new Set(['repeated']));
  });

  test('its severity is that of its openings: a resolution of another leaves place, history and counters as they are', async () => {
    const { flap, open, close } = world.writer();
    await flap(6);
    const [one] = await world.cards();
    const before = await world.actionsOf(one?.id);
    for (const minute of [12, 14, 16]) {
      await open(minute);
      await close(minute + 1, { severity: 'info' });
      expect((await world.card(one?.id)).severity).toBe('warning');
    }
    // All repeats of an hour are one entry.
    expect((await world.actionsOf(one?.id)).slice(before.length)).toEqual(['repeated']);
    await expectTrueCounts(world.server.database);
  });

  test('a window that is about its severity keeps it quiet, and its resolutions end nothing of that', async () => {
    const { flap, close, open, announced } = world.writer(
      await duringWindow(`customer:"${world.problem()}" severity:warning`),
    );
    await flap(6);
    for (const minute of [12, 14, 16]) {
      await open(minute);
      await close(minute + 1, { severity: 'info' });
      expect(await world.cards()).toMatchObject([
        { quietBy: { name: expect.any(String) }, flapping: { isOpen: false } },
      ]);
    }
    expect(new Set(announced())).toEqual(new Set(['new, quiet', 'resolved', 'reopened', 'repeated']));
  });

  test('a window that is about the words of its resolutions neither begins nor ends with them', async () => {
    const { flap, open, close, announced, changes } = world.writer(
      await duringWindow(`customer:"${world.problem()}" recovered`),
    );
    await flap(6);
    const { length } = changes;
    for (const minute of [12, 14]) {
      await open(minute);
      await close(minute + 1, { title: 'Disk of db-7 recovered' });
      expect((await world.cards())[0]?.quietBy).toBeUndefined();
    }
    expect(new Set(announced(length))).toEqual(new Set(['repeated']));
  });

  test('the card of a group was announced by another alert of it that stands', async () => {
    const grouped = world.writer(GROUPED);
    await grouped.deliver(0, { dedupKey: `${world.problem()} other` });
    await grouped.flap(8);
    const flapping = (await world.cards()).filter((one) => one.flapping);
    expect(flapping).toHaveLength(1);
    expect(flapping[0]?.groupId).toMatch(UUID);
    expect(grouped.announced()).not.toContain('flapping');
  });

  test('a group that it is alone in does, and one whose announced alert is completed', async () => {
    const alone = world.writer(GROUPED);
    await alone.flap(8);
    expect((await world.cards())[0]?.groupId).toMatch(UUID);
    expect(alone.announced().filter((reason) => reason === 'flapping')).toHaveLength(1);

    world.nextProblem();
    const { deliver, flap, announced } = world.writer(GROUPED);
    await deliver(0, { dedupKey: `${world.problem()} other` });
    const [other] = await world.cards();
    await flap(2);
    await world.member.send('POST', `/api/alerts/${other?.id}/accept`);
    await world.member.send('PATCH', `/api/webhooks/${other?.id}/status`, { status: 'completed' });
    await flap(6, 4);
    expect(announced().filter((reason) => reason === 'flapping')).toHaveLength(1);
  });

  test('a report that nobody is to be notified of begins it quietly', async () => {
    const { database, changes } = catchChanges(world.server.database);
    const write = createBatchWriter(database, NO_ECHOES, FLAPPING_ON);
    for (let time = 0; time < 12; time += 1) {
      const state = time % 2 === 0 ? 'firing' : 'resolved';
      await write([{ ...world.deliveryOf(time, {}, { state }), isQuiet: true }]);
    }
    expect((await world.cards())[0]?.flapping).toMatchObject({ isOpen: false, withinMinutes: 30 });
    expect(changes.flatMap((change) => (change.type === 'alert_updated' ? change.reason : []))).not.toContain(
      'flapping',
    );
  });
});

/** What decides while a window is on, about what a search finds. */
async function duringWindow(search: string): Promise<Arrivals> {
  await planWindow(world, 0, { search });
  const windows = await loadQuietWindows(world.server.database);
  return { ...FLAPPING_ON, windows: { onAt: () => windows } };
}

const find = async (search: string) => {
  const answer = await world.admin.get(`/api/alerts/inbox?search=${encodeURIComponent(search)}`);
  return alertListSchema.parse(await answer.json()).filter(({ customer }) => customer === world.problem());
};

test('is:flapping finds what flaps, in lists and by words beside it', async () => {
  const { flap } = world.writer();
  await flap(7);
  expect(await find('is:flapping')).toHaveLength(1);
  expect(await find('is:flapping "Disk full"')).toHaveLength(1);
  expect(await find('is:test')).toEqual([]);
  await world.calm(60);
  expect(await find('is:flapping')).toEqual([]);
});

test('an administrator decides how often, and the audit trail says it', async () => {
  const other = await startTestServer();
  const boss = await other.signedIn({ role: 'admin' });
  const read = async () => (await boss.get('/api/flapping-rule')).json();
  expect(await read()).toEqual({ ...DEFAULT_FLAPPING_RULE, ownSources: 0 });
  const changed = await boss.send('PATCH', '/api/flapping-rule', { times: 3 });
  expect(await changed.json()).toMatchObject({
    isOn: true,
    times: 3,
    withinMinutes: 30,
    changedBy: expect.any(String),
  });
  expect((await boss.send('PATCH', '/api/flapping-rule', { times: 21 })).status).toBe(422);
  await boss.send('PATCH', '/api/flapping-rule', { isOn: false });
  expect(await read()).toMatchObject({ isOn: false, times: 3 });
  const trail = await (await boss.get('/api/audit?actions=flapping_changed')).text();
  expect(trail).toContain('more than 5 times in 30 min → more than 3 times in 30 min');
  expect(trail).toContain('more than 3 times in 30 min → off');
  await other.destroy();
});
