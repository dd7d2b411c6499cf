import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { flappingRuleSchema } from '#backend/contract/flapping-rule.ts';
import { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from '#backend/contract/source.ts';
import { FLAPPING_ON, type FlappingWorld, openFlappingWorld } from '#tests/support/flapping-world.ts';
import { type SourceWorld, createSourceWorld } from '#tests/support/source-world.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { NOTHING_DECIDES } from './write-batch.ts';

const OWN = { times: 2, withinMinutes: 10 };

let world: FlappingWorld;
let sources: SourceWorld;
beforeAll(async () => {
  world = await openFlappingWorld();
  sources = createSourceWorld(world.server, world.admin);
});
afterAll(() => world.destroy());
beforeEach(async () => {
  await world.calm(10_000);
  world.nextProblem();
});

describe('a source that says when its problems flap', () => {
  test('never: none does, however often it opens', async () => {
    const { flap, announced } = world.writer(FLAPPING_ON, { flapping: 'never' });
    await flap(12);
    expect(announced()).not.toContain('flapping');
    expect(await world.cards()).toEqual([]);
  });

  test('by a limit of its own: at that, whether the rule of the installation is on or off', async () => {
    for (const arrivals of [FLAPPING_ON, NOTHING_DECIDES]) {
      world.nextProblem();
      const { flap, open, announced } = world.writer(arrivals, { flapping: OWN });
      await flap(2);
      await open(4);
      expect(announced().filter((reason) => reason === 'flapping')).toHaveLength(1);
      expect((await world.cards())[0]?.flapping).toMatchObject({ withinMinutes: 10, isOpen: true });
    }
  });

  test('by a limit above that of the installation: not before', async () => {
    const { flap, announced } = world.writer(FLAPPING_ON, { flapping: { times: 8, withinMinutes: 60 } });
    await flap(8);
    expect(announced()).not.toContain('flapping');
    await flap(1, 16);
    expect(announced().filter((reason) => reason === 'flapping')).toHaveLength(1);
  });

  test('is calm by its own limit: after it has opened at most half as often', async () => {
    const { flap } = world.writer(FLAPPING_ON, { flapping: OWN });
    await flap(3);
    // It opened in minutes 0, 2 and 4: one is allowed in ten minutes.
    expect(await world.calm(11.9)).toBe(0);
    expect(await world.calm(12)).toBe(1);
  });

  test('two servers of which one has not read yet what it says make one card, announced once', async () => {
    const [late, knowing] = [world.writer(), world.writer(FLAPPING_ON, { flapping: OWN })];
    await Promise.all([late.open(0), knowing.open(0)]);
    for (let time = 0; time < 6; time += 1) {
      await Promise.all([late, knowing].map(({ close }) => close(time + 0.3)));
      await Promise.all([late, knowing].map(({ open }) => open(time + 0.6)));
    }
    const [card, ...others] = await world.cards();
    expect(others).toEqual([]);
    expect(card?.flapping?.turns).toHaveLength(13);
    const reasons = [late, knowing].flatMap(({ announced }) => announced());
    expect(reasons.filter((reason) => reason === 'flapping')).toHaveLength(1);
  });

  test('two that end it at the same moment, because it says never now, end it once and leave those of other sources', async () => {
    const { source } = await sources.newSource();
    const flapAs = async (of: string | undefined) => {
      world.nextProblem();
      await world.writer(FLAPPING_ON, {}, of).flap(6);
      return (await world.cards())[0];
    };
    const [other, own] = [await flapAs(undefined), await flapAs(source.id)];
    const never = {
      get: (id: string) =>
        id === source.id ? { settings: { ...DEFAULT_SOURCE_SETTINGS, flapping: 'never' } } : undefined,
      all: () => [{ id: source.id, settings: { ...DEFAULT_SOURCE_SETTINGS, flapping: 'never' } }],
    } as unknown as Parameters<typeof world.calm>[2];
    const ended = await Promise.all([1, 2].map(() => world.calm(12, FLAPPING_ON.flapping, never)));
    expect(ended.toSorted()).toEqual([0, 1]);
    expect(await world.card(own?.id)).toMatchObject({ status: 'completed', state: 'resolved' });
    expect((await world.card(other?.id)).flapping).toMatchObject({ isOpen: false });
  });
});

/** Reports a turn of this source's problem as its sender. */
const turn = async (token: string, isOpen: boolean) =>
  expect(
    (
      await sources.send(`/in/${token}`, {
        body: JSON.stringify({ title: 'Link down', dedup_key: 'link', status: isOpen ? 'firing' : 'resolved' }),
      })
    ).status,
  ).toBe(202);
const flapOften = async (token: string, times: number) => {
  for (let time = 0; time < times; time += 1) for (const isOpen of [true, false]) await turn(token, isOpen);
};
const alertsOf = async (sourceId: string): Promise<Alert[]> =>
  alertListSchema
    .parse(await (await world.admin.get('/api/alerts/all')).json())
    .filter((alert) => alert.sourceId === sourceId);
const settle = (id: string, flapping: SourceSettings['flapping']) => sources.change(id, { flapping });
const rule = async () => flappingRuleSchema.parse(await (await world.admin.get('/api/flapping-rule')).json());

describe('by the API', () => {
  test('its own limit counts from the next report, holds while the rule is off, and "never" ends it at once', async () => {
    const [own, plain] = [await sources.newSource(), await sources.newSource()];
    await settle(own.source.id, OWN);
    expect(await rule()).toMatchObject({ isOn: true, ownSources: 1 });
    await flapOften(own.token, 3);
    await flapOften(plain.token, 6);
    for (const { source } of [own, plain]) expect((await alertsOf(source.id))[0]?.flapping).toBeDefined();

    await world.admin.send('PATCH', '/api/flapping-rule', { isOn: false });
    await waitFor(async () => expect((await alertsOf(plain.source.id))[0]?.flapping).toBeUndefined());
    expect((await alertsOf(own.source.id))[0]?.flapping).toMatchObject({ withinMinutes: 10 });
    expect(await alertsOf(plain.source.id)).toMatchObject([{ status: 'completed', state: 'resolved' }]);

    await settle(own.source.id, 'never');
    await waitFor(async () => expect((await alertsOf(own.source.id))[0]?.flapping).toBeUndefined());
    await world.admin.send('PATCH', '/api/flapping-rule', { isOn: true });
    await flapOften(own.token, 8);
    expect((await alertsOf(own.source.id))[0]?.flapping).toBeUndefined();
    expect(await rule()).toMatchObject({ isOn: true, ownSources: 1 });
    await settle(own.source.id, 'installation');
    expect(await rule()).toMatchObject({ ownSources: 0 });
  });

  test('what is no limit is refused, a version that is not the last one too, and the audit trail says what changed', async () => {
    const { source } = await sources.newSource();
    const change = (flapping: unknown, version?: number) =>
      world.admin.send('PATCH', `/api/sources/${source.id}${version === undefined ? '' : `?ifVersion=${version}`}`, {
        settings: { flapping },
      });
    for (const wrong of [
      'sometimes',
      null,
      { times: 0, withinMinutes: 5 },
      { times: 5 },
      { times: 5, withinMinutes: 1_441 },
    ]) {
      expect([wrong, (await change(wrong)).status]).toEqual([wrong, 422]);
    }
    const answers = await Promise.all(
      [OWN, 'never'].map(async (wanted) => (await change(wanted, source.version)).status),
    );
    expect(answers.toSorted()).toEqual([200, 409]);
    await change(OWN);
    await change('never');
    const trail = await (await world.admin.get('/api/audit?actions=source_changed')).text();
    expect(trail).toContain(
      'flapping.times: 2 → none; flapping.withinMinutes: 10 → none; flapping: none → \\"never\\"',
    );
  });
});
