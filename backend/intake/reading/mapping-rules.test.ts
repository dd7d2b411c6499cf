import { describe, expect, test } from 'vitest';
import type { Mapping } from '#backend/contract/mapping.ts';
import type { ReadDelivery } from '#backend/intake/adapters/adapter.ts';
import { matchesPattern, passes } from './mapping-conditions.ts';
import { mappingErrors } from './mapping.ts';
import { readDelivery } from './read-delivery.ts';

function read(body: unknown, mapping: Mapping, headers: Record<string, string> = {}): ReadDelivery {
  const request = { headers, body: JSON.stringify(body), contentType: 'application/json', receivedAt: 0 };
  const reading = readDelivery(request, { adapter: 'generic', mapping });
  if ('error' in reading) throw reading.error;
  return reading;
}

describe('a value table', () => {
  const state = {
    rows: [
      { from: 'Up', to: 'resolved' },
      { from: 'true', to: 'resolved' },
    ],
    otherwise: 'firing',
  };

  test.each([
    [{ s: 'up' }, 'resolved'],
    [{ s: true }, 'resolved'],
    [{ s: 'sideways' }, 'firing'],
    [{ s: false }, 'firing'],
  ])('of %j gives the state %s', (body, expected) => {
    expect(read(body, { state: 's', values: { state } }).events[0]!.state).toBe(expected);
  });

  test('leaves a value that it does not have, and one that is missing, as without it', () => {
    const values = { severity: { rows: [{ from: '9', to: 'critical' }] } };
    expect(read({ level: 9 }, { severity: 'level', values }).events[0]!.severity).toBe('critical');
    expect(read({ level: 'warn' }, { severity: 'level', values }).events[0]!.severity).toBe('warning');
    const missing = read(
      { severity: 'low' },
      { severity: 'level', values: { severity: { rows: [], otherwise: 'high' } } },
    );
    expect(missing.events[0]!.severity).toBe('low');
    expect(missing.mappingMisses).toEqual(['severity']);
  });

  test('gives a severity that is none, and a text', () => {
    const { events } = read(
      { level: 'noise', severity: 'high', team: 'T1' },
      {
        severity: 'level',
        customer: '$..team',
        values: {
          severity: { rows: [{ from: 'noise', to: 'none' }] },
          customer: { rows: [{ from: 't1', to: 'Nordwind' }] },
        },
      },
    );
    expect(events[0]).toMatchObject({ severity: 'none', customer: 'Nordwind' });
    expect(events[0]!.origins).toContainEqual({
      field: 'customer',
      value: 'Nordwind',
      path: 'team',
      note: '“T1” by the value table',
    });
  });

  test('says in which row it is wrong', () => {
    expect(mappingErrors({ state: 's', values: { state: { rows: [{ from: 'a', to: 'over' }] } } })).toEqual([
      { field: 'state', message: 'Value table, row 1: “over” is none of firing, acknowledged, resolved, event.' },
    ]);
    const twice = { rows: ['A', 'a'].map((from) => ({ from, to: 'x' })) };
    expect(mappingErrors({ title: 's', values: { title: twice } })[0]!.message).toBe(
      'Value table, row 2: “a” has a row above.',
    );
    expect(mappingErrors({ severity: 's', values: { severity: { rows: [], otherwise: 'bad' } } })[0]!.message).toMatch(
      /^Value table, any other value: “bad” is none of critical, /,
    );
    expect(mappingErrors({ values: { title: { rows: [] } } })[0]!.message).toMatch(/^The value table needs a path/);
  });
});

describe('a template', () => {
  const BODY = { name: 'db-7', status: 'down', list: [{ id: 1 }, { id: 2 }], ok: false };

  test('puts values into its text; missing ones are empty', () => {
    const { events } = read(
      BODY,
      {
        title: '{{name}} is {{status}}{{nothing}} for {{header: x-tenant}}',
        dedupKey: '{{ list[1].id }}/{{ list[?@.id == 1].id }}',
        customer: '{{ok}}',
      },
      { 'x-tenant': 'Nordwind' },
    );
    expect(events[0]).toMatchObject({ title: 'db-7 is down for Nordwind', dedupKey: '2/1', customer: 'false' });
    expect(events[0]!.origins[0]).toEqual({
      field: 'title',
      value: 'db-7 is down for Nordwind',
      path: 'name + status + header: x-tenant',
      note: 'template of the mapping',
    });
  });

  test('of which no path finds anything leaves the field as it is', () => {
    const { events, mappingMisses } = read({ title: 'Disk full' }, { title: '{{a}} is {{b}}', dedupKey: 'host-{{a}}' });
    expect(events[0]).toMatchObject({ title: 'Disk full', dedupKey: null });
    expect(mappingMisses).toEqual(['title', 'dedupKey']);
  });

  test('can be looked up in a table', () => {
    const values = { title: { rows: [{ from: 'db-7 down', to: 'The shop is down' }] } };
    expect(read(BODY, { title: '{{name}} {{status}}', values }).events[0]!.title).toBe('The shop is down');
  });

  test.each([
    ['{{name', 'Line 1, character 1: {{ is not closed. Add }} behind the path.'],
    ['a {{b {{c}}', 'Line 1, character 3: {{ is not closed. Add }} behind the path.'],
    ['a {{b}}\nc }} d', 'Line 2, character 3: }} closes nothing. Add {{ before the path.'],
    ['x {{ }}', 'Line 1, character 3: There is no path between {{ and }}.'],
    ['{{a}} {{a[}}', 'Line 1, character 9: The path ends inside a bracket. Add ] after position 2, or remove [.'],
    ['{{a}}'.repeat(21), 'Line 1, character 101: A template has at most 20 paths.'],
  ])('with an error is not taken: %j', (title, message) => {
    expect(mappingErrors({ title })).toEqual([{ field: 'title', message }]);
  });

  test('makes text alone', () => {
    expect(mappingErrors({ state: '{{status}}' })[0]!.message).toMatch(/^A template makes text/);
  });

  test('is neither fixed text nor a path with braces in a name', () => {
    const { events } = read({ '{{a}}': 'found' }, { title: "$['{{a}}']", customer: '= {{a}}' });
    expect(events[0]).toMatchObject({ title: 'found', customer: '{{a}}' });
  });

  test('runs nothing, and takes at most a thousand characters of a value', () => {
    const { events } = read({ a: '{{b}} ${1+1}', long: 'x'.repeat(5_000) }, { title: '{{a}}', alertType: '{{long}}' });
    expect(events[0]!.title).toBe('{{b}} ${1+1}');
    expect(events[0]!.alertType!.length).toBeLessThanOrEqual(1_000);
  });
});

describe('a split path', () => {
  const BODY = { account: 'Nordwind', data: { items: [{ title: 'A' }, { title: 'B', n: 2 }] } };

  test('makes an alert of each item, with what they share', () => {
    const { events, splitInto } = read(BODY, { split: 'data.items', customer: '$.account', dedupKey: 'n' });
    expect(events.map(({ title, customer, payload }) => [title, customer, payload])).toEqual([
      ['A', 'Nordwind', '{"title":"A"}'],
      ['B', 'Nordwind', '{"title":"B","n":2}'],
    ]);
    expect(events[0]!.shared).toBe('{"account":"Nordwind"}');
    expect(events[1]!.element).toBe('data.items[1]');
    expect(events.map(({ dedupKey }) => dedupKey)).toEqual([null, '2']);
    expect(splitInto).toBe(2);
  });

  test('to an empty list has nothing to do', () => {
    const reading = read({ data: { items: [] } }, { split: 'data.items' });
    expect(reading).toMatchObject({ events: [], splitInto: 0 });
    expect(reading.ignored).toBe('Nothing to do: the list that the mapping splits is empty');
  });

  test('that leads to no list of objects leaves the delivery whole', () => {
    const missing = read(BODY, { split: 'data.rows' });
    expect(missing).toMatchObject({ splitInto: null, mappingMisses: ['split'] });
    expect(missing.events).toHaveLength(1);
    const odd = read({ items: [{ a: 1 }, 2] }, { split: 'items' });
    expect(odd.events).toHaveLength(1);
    expect(odd.mappingErrors).toEqual([
      { field: 'split', message: 'Item 2 of the list is no object. The delivery is one alert.' },
    ]);
    const long = read({ items: Array.from({ length: 1_001 }, (_, n) => ({ n })) }, { split: '$.items' });
    expect(long.events).toHaveLength(1);
    expect(long.mappingErrors[0]!.message).toMatch(/^The list has more than 1,000 items/);
  });

  test('names its fields', () => {
    expect(mappingErrors({ split: '$..items' })[0]!.message).toMatch(/^Use a path that names its fields/);
    expect(mappingErrors({ split: '{{items}}' })[0]!.field).toBe('split');
  });
});

describe('a condition', () => {
  test.each([
    ['is', 'TEST', 'test', true],
    ['is', '', '', true],
    ['is', 'x', 'test', false],
    ['is_not', 'x', 'test', true],
    ['is_not', 'test', 'test', false],
    ['contains', 'a Staging b', 'staging', true],
    ['contains', 'anything', '', false],
    ['matches', 'db-7.staging', 'db-*.stag*', true],
    ['matches', 'db-7.prod', 'db-*.stag*', false],
  ] as const)('%s: %j against %j is %s', (comparison, found, value, expected) => {
    expect(passes({ test: comparison, value }, found)).toBe(expected);
  });

  test('compares with a pattern in time that grows with the text alone', () => {
    const before = process.cpuUsage();
    expect(matchesPattern(`${'a*'.repeat(100)}b`, 'a'.repeat(10_000))).toBe(false);
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
    expect(matchesPattern('a*a', 'a')).toBe(false);
    expect(matchesPattern('*', '')).toBe(true);
  });

  const BODY = { items: [{ title: 'A', env: 'prod' }, { title: 'B', env: 'staging' }, { title: 'C' }] };
  const noAlertWhen = [
    { name: 'staging', path: 'env', test: 'is', value: 'Staging' },
    { name: 'without environment', path: 'env', test: 'is', value: '' },
  ] satisfies Mapping['noAlertWhen'];

  test('leaves out the alerts that pass its test, and counts them', () => {
    const { events, leftOut, ignored } = read(BODY, { split: 'items', noAlertWhen });
    expect(events.map(({ title }) => title)).toEqual(['A']);
    expect(leftOut).toEqual([1, 1]);
    expect(ignored).toBeNull();
  });

  test('that leaves out all of them is why there is no alert, whatever state the mapping gives', () => {
    const reading = read({ env: 'staging', status: 'down' }, { state: 'status', dedupKey: 'env', noAlertWhen });
    expect(reading.events).toEqual([]);
    expect(reading.ignored).toBe('No alert when: staging');
  });

  test('whose path takes too long leaves nothing out', () => {
    const list = Array.from({ length: 300 }, () => ({ b: `${'a'.repeat(32)}!` }));
    const path = "list[?match(@.b, '(a|a)*(a|a)*(a|a)*c')].b";
    const { events, mappingErrors: errors } = read(
      { list },
      { noAlertWhen: [{ name: 'slow', path, test: 'is', value: '' }] },
    );
    expect(events).toHaveLength(1);
    expect(errors).toEqual([
      { field: 'noAlertWhen', index: 0, message: 'Stopped after 50 ms. Use a path that names its fields.' },
    ]);
  });

  test('says which one has an error', () => {
    const wrong = { name: 'wrong', path: 'a[', test: 'is', value: '' } as const;
    expect(mappingErrors({ noAlertWhen: [...noAlertWhen, wrong] })).toEqual([
      expect.objectContaining({ field: 'noAlertWhen', index: 2 }),
    ]);
  });
});
