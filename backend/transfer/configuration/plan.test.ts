import { expect, test } from 'vitest';
import { differencesOf } from './differences.ts';
import { type AnyEntry, faultsOfNames, movedSteps, placesOf, planSection, shownStep } from './plan.ts';

const present = (name: string, fields: object = {}, version = 1) => ({
  id: `id of ${name}`,
  version,
  entry: { name, ...fields },
});

const plan = async (wanted: AnyEntry[], there: ReturnType<typeof present>[], secrets: string[] = []) => {
  const { steps, same } = await planSection({
    section: 'destinations',
    wanted: wanted.map((entry, index) => ({ index, entry, normal: entry })),
    present: there,
    otherSecrets: async () => secrets,
    isOver: (entry) => entry['isOver'] === true,
    keepsWhenAbsent: ['owner'],
  });
  return { steps: steps.map(shownStep), same };
};

test('what is missing is made, what differs changed, what is not named deleted, and the rest stays', async () => {
  const wanted = [{ name: 'New', room: 'C1' }, { name: 'other', room: 'C2' }, { name: 'Same' }];
  const there = [present('Gone', { room: 'C9' }, 4), present('Other', { room: 'C1' }, 3), present('Same')];
  expect(await plan(wanted, there)).toEqual({
    same: 1,
    steps: [
      { section: 'destinations', name: 'New', action: 'create', fields: [{ path: 'room', after: '"C1"' }] },
      {
        section: 'destinations',
        name: 'other',
        action: 'change',
        version: 3,
        fields: [
          { path: 'name', before: '"Other"', after: '"other"' },
          { path: 'room', before: '"C1"', after: '"C2"' },
        ],
      },
      {
        section: 'destinations',
        name: 'Gone',
        action: 'delete',
        version: 4,
        fields: [{ path: 'room', before: '"C9"' }],
      },
    ],
  });
});

test('secrets are shown as such, and make a change only where they are not the stored ones', async () => {
  const bot = { name: 'Bot', kind: 'telegram', token: 'canary' };
  const stored = present('Bot', { kind: 'telegram' });
  expect(await plan([bot], [stored])).toEqual({ same: 1, steps: [] });
  const plans = [await plan([bot], []), await plan([bot], [stored], ['token'])];
  expect(plans.map(({ steps }) => steps[0]?.fields.at(-1))).toEqual([
    { path: 'token', after: '(secret)' },
    { path: 'token', before: '(secret)', after: '(another secret)' },
  ]);
  expect(JSON.stringify(plans)).not.toContain('canary');
});

test('what is over is not made any more, and stays where it is', async () => {
  const over = { name: 'Over', isOver: true };
  expect(await plan([over], [])).toEqual({ same: 1, steps: [] });
  expect(await plan([over], [present('Over', { minutes: 90 })])).toEqual({ same: 1, steps: [] });
});

test('a field that keeps its value differs only where it is written', async () => {
  const there = [present('Rule', { owner: 'ann@example.com' })];
  expect(await plan([{ name: 'Rule' }], there)).toEqual({ same: 1, steps: [] });
  const { steps } = await plan([{ name: 'Rule', owner: 'bob@example.com' }], there);
  expect(steps.map(({ fields }) => fields)).toEqual([
    [{ path: 'owner', before: '"ann@example.com"', after: '"bob@example.com"' }],
  ]);
});

test('a name is in a section once', () => {
  expect(faultsOfNames('groups', [{ name: 'Night' }, { name: 'Day' }, { name: 'NIGHT' }])).toEqual([
    { path: 'groups.2.name', message: '"NIGHT" is in this section already.' },
  ]);
});

test('fields differ by path and lists as a whole, whatever the order of fields', () => {
  const before = { auth: { key: true, basic: true }, list: [{ a: 1, b: 2 }], gone: 1 };
  const after = { auth: { basic: true, key: false }, list: [{ b: 2, a: 1 }], come: null };
  expect(differencesOf(before, after)).toEqual([
    { path: 'auth.key', before: 'true', after: 'false' },
    { path: 'come', after: 'null' },
    { path: 'gone', before: '1' },
  ]);
});

test('plans differ by steps and versions', () => {
  const change = { section: 'groups', name: 'Night', action: 'change', version: 1 } as const;
  expect(movedSteps([change], [{ ...change, name: 'night' }])).toEqual([]);
  expect(movedSteps([change], [{ ...change, version: 2 }])).toHaveLength(2);
  expect(movedSteps([change], [])).toEqual([change]);
  const over = [{ section: 'groups', name: 'NIGHT' }] as const;
  expect(movedSteps([change], [], over)).toEqual([]);
  expect(movedSteps([{ ...change, action: 'delete' }], [], over)).toHaveLength(1);
});

test('an order differs only by what was there and stays', () => {
  const { before, after } = placesOf(['Gone', 'A', 'B', 'C'], ['New', 'b', 'A', 'Newer', 'C']);
  expect([...before]).toEqual([
    ['b', 'a'],
    ['c', 'b'],
  ]);
  expect([...after]).toEqual([
    ['a', 'b'],
    ['c', 'a'],
  ]);
  expect(placesOf(['Gone', 'A', 'B'], ['A', 'New', 'B'])).toEqual(placesOf(['A', 'B'], ['A', 'B']));
});
