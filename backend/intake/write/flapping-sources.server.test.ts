import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { FlappingTerms } from '#backend/alerts/alert/rhythm.ts';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { configurationPlanSchema, configurationSchema } from '#backend/contract/configuration.ts';
import { flappingRuleSchema } from '#backend/contract/flapping-rule.ts';
import { DEFAULT_SOURCE_SETTINGS, type SourceSettings } from '#backend/contract/source.ts';
import type { CalmDeps } from '#backend/intake/webhooks/calm-down.ts';
import { createLimitFollower } from '#backend/intake/webhooks/follow-limits.ts';
import {
  FLAPPING_ON,
  NO_SOURCES,
  type FlappingWorld,
  type Report,
  openFlappingWorld,
} from '#tests/support/flapping-world.ts';
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
    const { source } = await sources.newSource();
    await settle(source.id, OWN);
    onTestFinished(() => settle(source.id, 'installation'));
    const { flap } = world.writer(FLAPPING_ON, { flapping: OWN }, source.id);
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

/** Changes the rule. The server, which follows it too, and every follower of a test know the same. */
const changeRule = async (terms: FlappingTerms) => {
  await world.admin.send('PATCH', '/api/flapping-rule', terms);
  return { terms: () => terms };
};
const follow = (flapping: CalmDeps['flapping']) =>
  createLimitFollower({ database: world.server.database, sources: NO_SOURCES, flapping })(new AbortController().signal);

describe('a limit that is changed while a problem flaps', () => {
  afterEach(async () => void (await changeRule({ times: 5, withinMinutes: 30 })));

  test('counts for its end, also where another server stores an opening by the limit before', async () => {
    const { flap, open } = world.writer();
    await flap(6);
    // It opened in minutes 6, 8 and 10: two are allowed in 30 minutes, and of the last two one in 60.
    expect(await world.calm(35.9)).toBe(0);
    const longer = await changeRule({ times: 3, withinMinutes: 60 });
    await follow(longer);
    expect(await world.calm(67.9, longer)).toBe(0);
    await open(12);
    await follow(longer);
    expect(await world.calm(69.9, longer)).toBe(0);
    const shorter = await changeRule({ times: 5, withinMinutes: 10 });
    await follow(shorter);
    expect(await world.calm(17.9, shorter)).toBe(0);
    expect(await world.calm(18, shorter)).toBe(1);
  });

  test('counts for each of many, whichever of two servers follows it first', async () => {
    const many = 120;
    const { deliver } = world.writer();
    const turns = Array.from({ length: 12 }, (_, at): Report => ({ state: at % 2 === 0 ? 'firing' : 'resolved' }));
    for (let number = 0; number < many; number += 1) {
      const dedupKey = `${world.problem()} ${number}`;
      await deliver(0, ...turns.map((turned) => Object.assign({ dedupKey }, turned)));
    }
    const shorter = await changeRule({ times: 5, withinMinutes: 10 });
    await Promise.all([follow(shorter), follow(shorter)]);
    expect(await follow(shorter)).toBe(0);
    expect(await world.calm(9.9, shorter)).toBe(0);
    expect(await world.calm(10, shorter)).toBe(many);
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
const configured = async () => configurationSchema.parse(await (await world.admin.get('/api/configuration')).json());
const planOf = async (configuration: unknown) => {
  const answer = await world.admin.send('POST', '/api/configuration/plan', configuration);
  return configurationPlanSchema.parse(await answer.json());
};

describe('by the API', () => {
  test('its own limit counts from the next report, holds while the rule is off, and "never" ends it at once', async () => {
    const [own, plain] = [await sources.newSource(), await sources.newSource()];
    await settle(own.source.id, OWN);
    expect(await rule()).toMatchObject({ isOn: true, ownSources: 1 });
    await flapOften(own.token, 3);
    await flapOften(plain.token, 6);
    for (const [{ source }, withinMinutes] of [
      [own, 10],
      [plain, 30],
    ] as const)
      expect((await alertsOf(source.id))[0]?.flapping).toMatchObject({ withinMinutes });

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

  test('a higher limit of its own ends within seconds what does not reach it any more', async () => {
    const { source, token } = await sources.newSource();
    await settle(source.id, OWN);
    await flapOften(token, 3);
    expect((await alertsOf(source.id))[0]?.flapping).toBeDefined();
    await settle(source.id, { times: 8, withinMinutes: 10 });
    await waitFor(async () => expect((await alertsOf(source.id))[0]?.flapping).toBeUndefined());
  });

  test('a configuration file sets it and takes it back, and the plan after is empty', async () => {
    const { source } = await sources.newSource();
    for (const flapping of [OWN, 'never', undefined]) {
      const { sources: all = [] } = await configured();
      const wanted = { sources: all.map((one) => (one.name === source.name ? Object.assign(one, { flapping }) : one)) };
      const { changes } = await planOf(wanted);
      expect(changes).toHaveLength(1);
      const applied = await world.admin.send('POST', '/api/configuration', {
        configuration: wanted,
        expected: changes,
      });
      expect(applied.status).toBe(200);
      const { sources: after = [] } = await configured();
      expect(after.find(({ name }) => name === source.name)?.flapping).toEqual(flapping ?? 'installation');
      expect((await planOf(wanted)).changes).toEqual([]);
    }
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
