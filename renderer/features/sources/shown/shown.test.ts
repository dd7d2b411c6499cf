import { describe, expect, it } from 'vitest';
import { DEFAULT_SOURCE_SETTINGS, type Source } from '#backend/contract/source.ts';
import { inOrder, matching, orderOf } from '#renderer/features/sources/list/source-order.ts';
import { formatInterval, formatLeft, formatSpan } from './ages.ts';
import { formatAgoInHours } from '#renderer/lib/ages.ts';
import { counted, formatBytes, formatTook } from './amounts.ts';
import { healthLabel, needsAttention } from './health-labels.ts';
import { eventsSentence, replaySentence } from './outcome-labels.ts';
import { barsOf, sumOf } from './sparkline-bars.ts';

const NOW = new Date(2025, 10, 21, 9, 42, 0);

const NO_USE = { deliveries: 0, lastUsedAt: null };

const before = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000);

const source = (change: Partial<Source> = {}): Source => ({
  id: 'a',
  name: 'Shop orders',
  createdAt: new Date(2025, 10, 20, 12).toISOString(),
  version: 1,
  lastUsedAt: null,
  pausedAt: null,
  pausedBy: null,
  recognisedAs: null,
  settings: DEFAULT_SOURCE_SETTINGS,
  mailAddress: null,
  secrets: [],
  health: { state: 'ok', reason: null, since: null },
  hours: [],
  lastDeliveryAt: null,
  refusedToday: 0,
  usualGapMs: null,
  ways: { key: NO_USE, basic: NO_USE, token: NO_USE },
  log: { deliveries: 0, bytes: 0 },
  ...change,
});

const named = (id: string, name: string, state: Source['health']['state'] = 'ok'): Source =>
  source({ id, name, health: { state, reason: null, since: null } });

describe('amounts', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [4198, '4.1 KB'],
    [262_144, '256 KB'],
    [1_468_006, '1.4 MB'],
    [222_298_112, '212 MB'],
  ])('%i bytes read %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [0.2, '1 ms'],
    [9.4, '9 ms'],
    [998, '998 ms'],
    [1240, '1.2 s'],
  ])('%d ms read %s', (ms, text) => expect(formatTook(ms)).toBe(text));

  it('puts a noun in the plural', () => {
    expect([counted(1, 'repeat'), counted(0, 'repeat')]).toEqual(['1 repeat', '0 repeats']);
  });
});

describe('ages', () => {
  it.each([
    [0, 'just now'],
    [26, '26 min ago'],
    [184, '3 h ago'],
    [24 * 60, undefined],
  ])('%i minutes', (minutes, text) => expect(formatAgoInHours(before(minutes), NOW)).toBe(text));

  it.each([
    [40_000, '40 s'],
    [59_700, '1 min'],
    [3_590_000, '1 h'],
    [172_790_000, '2 d'],
    [300_000, '5 min'],
    [10_800_000, '3 h'],
    [172_800_000, '2 d'],
  ])('a span of %i ms reads %s', (ms, text) => expect(formatSpan(ms)).toBe(text));

  it.each([
    [900, 'second'],
    [59_900, 'minute'],
    [3_600_000, 'hour'],
    [300_000, '5 min'],
  ])('an interval of %i ms is every %s', (ms, text) => expect(formatInterval(ms)).toBe(text));

  it('counts what is left down, and ends', () => {
    expect(formatLeft(before(-23 * 60 - 10), NOW)).toBe('23 h');
    expect(formatLeft(before(-12), NOW)).toBe('12 min');
    expect(formatLeft(before(-0.5), NOW)).toBe('less than 1 min');
    expect(formatLeft(before(0), NOW)).toBeUndefined();
  });
});

describe('health', () => {
  it('is one word when all is well', () => {
    expect(healthLabel(source(), NOW)).toEqual({ state: 'ok', label: 'OK', reason: undefined });
  });

  it('gives the reason of a refusal', () => {
    const health = { state: 'refusing', reason: 'Its secret expired.', since: null } as const;
    expect(healthLabel(source({ health }), NOW)).toMatchObject({ label: 'Refusing', reason: 'Its secret expired.' });
  });

  it('says how long a source is silent, and what is usual', () => {
    const health = { state: 'silent', reason: null, since: before(184).toISOString() } as const;
    expect(healthLabel(source({ health, usualGapMs: 300_000 }), NOW)).toMatchObject({
      label: 'Silent for 3 h',
      reason: 'Longer than usual: every 5 min',
    });
  });

  it('says after how long silence is reported, where the source says so itself', () => {
    const health = {
      state: 'silent',
      reason: 'Nothing for more than 15 min.',
      since: before(20).toISOString(),
    } as const;
    const settings = { ...DEFAULT_SOURCE_SETTINGS, reportSilence: 15 };
    expect(healthLabel(source({ health, settings, usualGapMs: 3_600_000 }), NOW)).toMatchObject({
      label: 'Silent for 20 min',
      reason: 'Nothing for more than 15 min.',
    });
  });

  it('says when a source that was never used was created', () => {
    const health = { state: 'never-used', reason: null, since: null } as const;
    expect(healthLabel(source({ health }), NOW)).toMatchObject({ label: 'Never used', reason: 'Created Nov 20' });
  });

  it('says who paused a source, and when', () => {
    const health = { state: 'paused', reason: null, since: null } as const;
    const pausedAt = new Date(2025, 10, 19, 12).toISOString();
    expect(healthLabel(source({ health, pausedAt, pausedBy: 'Jonas Okafor' }), NOW)).toMatchObject({
      label: 'Paused',
      reason: 'By Jonas Okafor, Nov 19',
    });
  });

  it('says the year of a day of another one', () => {
    const day = new Date(2024, 10, 20, 12).toISOString();
    const health = { reason: null, since: null };
    const labels = [
      source({ health: { ...health, state: 'never-used' }, createdAt: day }),
      source({ health: { ...health, state: 'paused' }, pausedAt: day }),
    ];
    expect(labels.map((one) => healthLabel(one, NOW).reason)).toEqual(['Created Nov 20, 2024', 'Nov 20, 2024']);
  });

  it('needs attention while refusing or silent only', () => {
    const states = ['ok', 'refusing', 'silent', 'never-used', 'paused'] as const;
    const wanting = states.filter((state) => needsAttention({ health: { state, reason: null, since: null } }));
    expect(wanting).toEqual(['refusing', 'silent']);
  });
});

describe('bars', () => {
  it('are as high as their share of the most', () => {
    const counts = [0, 5, 10].map((deliveries) => ({ deliveries, refused: 0 }));
    expect(barsOf(counts, 24).map(({ accepted }) => accepted)).toEqual([0, 12, 24]);
  });

  it('show one delivery among thousands, and one refusal among many', () => {
    const counts = [
      { deliveries: 1, refused: 0 },
      { deliveries: 5_000, refused: 1 },
    ];
    expect(barsOf(counts, 24)).toEqual([
      { accepted: 2, refused: 0 },
      { accepted: 22, refused: 2 },
    ]);
  });

  it('are all refused where nothing was accepted', () => {
    expect(barsOf([{ deliveries: 3, refused: 3 }], 24)).toEqual([{ accepted: 0, refused: 24 }]);
  });

  it('add up', () => {
    expect(
      sumOf([
        { deliveries: 3, refused: 1 },
        { deliveries: 4, refused: 0 },
      ]),
    ).toEqual({ deliveries: 7, refused: 1 });
  });
});

describe('what a delivery and a replay did', () => {
  it('is counted in a fixed order', () => {
    expect(eventsSentence(['repeated', 'new', 'new'])).toBe('2 new alerts, 1 repeat');
    expect(eventsSentence([])).toBe('');
    expect(replaySentence({ repeated: 2, new: 1, refused: 0 })).toBe('1 new alert, 2 repeats');
  });
});

describe('the order of the list', () => {
  const sources = [
    named('1', 'shop'),
    named('2', 'Kestrel', 'silent'),
    named('3', 'Atlas', 'ok'),
    named('4', 'Zebra', 'refusing'),
    named('5', 'Mole', 'paused'),
  ];

  it('is refusing, silent, then by name whatever the case', () => {
    expect(orderOf(sources)).toEqual(['4', '2', '3', '5', '1']);
  });

  it('stays while healths change, and takes new sources at its end', () => {
    const order = orderOf(sources);
    const later = [named('9', 'Aardvark', 'refusing'), ...sources.map((one) => named(one.id, one.name, 'ok'))];
    expect(inOrder(later, order).map(({ id }) => id)).toEqual([...order, '9']);
  });

  it('is narrowed by name, sender and other names of the sender, and by health', () => {
    const prometheus = source({ id: '6', name: 'Edge', recognisedAs: 'alertmanager' });
    expect(matching([...sources, prometheus], ' promeTHEUS ', undefined)).toEqual([prometheus]);
    expect(matching(sources, '', 'silent').map(({ id }) => id)).toEqual(['2']);
  });
});
