import { describe, expect, test } from 'vitest';
import type { Mapping } from '#backend/contract/mapping.ts';
import type { ReadDelivery } from '#backend/intake/adapters/adapter.ts';
import { mappingErrors } from './mapping.ts';
import { readDelivery } from './read-delivery.ts';
import { STOPPED, runBounded } from './run-bounded.ts';

function read(body: unknown, mapping: Mapping, headers: Record<string, string> = {}): ReadDelivery {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const request = { headers, body: text, contentType: 'application/json', receivedAt: 0 };
  const reading = readDelivery(request, { adapter: 'auto', mapping });
  if ('error' in reading) throw reading.error;
  return reading;
}

const ORDER = {
  title: 'of the body',
  customer: 'of the body',
  type: 'of the body',
  order: {
    id: 7,
    'shop name': 'Nordwind',
    page: 'https://shop.example/7',
    lines: [{ sku: 'a' }, { sku: 'b', late: true }],
  },
};

describe('a mapped field', () => {
  test('counts before the specification’s and the adapter’s, and says its path', () => {
    const { events } = read(ORDER, {
      title: 'order.lines[1].sku',
      customer: "order['shop name']",
      alertType: '=orders',
      severity: '= P1',
      link: '$.order.page',
      dedupKey: 'order.id',
    });
    expect(events[0]).toMatchObject({
      title: 'b',
      customer: 'Nordwind',
      alertType: 'orders',
      severity: 'critical',
      link: 'https://shop.example/7',
      dedupKey: '7',
    });
    expect(events[0]!.origins).toEqual(
      expect.arrayContaining([
        { field: 'title', value: 'b', path: 'order.lines[1].sku', note: 'mapping' },
        { field: 'customer', value: 'Nordwind', path: "order['shop name']", note: 'mapping' },
        { field: 'alertType', value: 'orders', path: '', note: 'fixed by the mapping' },
      ]),
    );
  });

  test('is found by wildcards, filters and at any depth', () => {
    const { events } = read(ORDER, {
      title: 'order.lines[?@.late == true].sku',
      customer: '$..page',
      alertType: 'order.lines[-1].sku',
    });
    expect(events[0]).toMatchObject({ title: 'b', customer: 'https://shop.example/7', alertType: 'b' });
    expect(events[0]!.origins[0]).toMatchObject({ path: 'order.lines[1].sku' });
  });

  test('may come from a header', () => {
    const { events } = read(ORDER, { customer: 'header: X-Tenant' }, { 'x-tenant': 'Kestrel Health' });
    expect(events[0]).toMatchObject({ customer: 'Kestrel Health' });
  });

  test('keeps every digit of a number', () => {
    const body = '{"id":820982911946154508,"list":[{"id":820982911946154509}]}';
    expect(read(body, { dedupKey: 'id' }).events[0]!.dedupKey).toBe('820982911946154508');
    expect(read(body, { dedupKey: 'list[*].id' }).events[0]!.dedupKey).toBe('820982911946154509');
  });

  test('of a split alert is its own, or the delivery’s', () => {
    const alerts = ['a', 'b'].map((host) => ({ status: 'firing', labels: { host } }));
    const body = { alerts, groupLabels: {}, receiver: 'desk' };
    const { events } = read(body, { title: 'labels.host', customer: '$.receiver', alertType: 'labels.*' });
    expect(events.map(({ title, customer, alertType }) => [title, customer, alertType])).toEqual([
      ['a', 'desk', 'a'],
      ['b', 'desk', 'b'],
    ]);
    expect(events[1]!.origins.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['alerts[1].labels.host', 'receiver']),
    );
  });
});

describe('a state', () => {
  test.each([
    ['=event', 'event'],
    ['=acknowledged', 'acknowledged'],
    ['=OK', 'resolved'],
    ['=on fire', 'firing'],
    ['status', 'resolved'],
  ])('%s is %s', (state, expected) => {
    expect(read({ status: 'recovered' }, { state }).events[0]!.state).toBe(expected);
  });

  test('follows the status once a mapping gives a key', () => {
    expect(read({ host: 'db-7', status: 'down' }, { dedupKey: 'host' }).events[0]!.state).toBe('firing');
    expect(read({ host: 'db-7', status: 'resolved' }, { dedupKey: 'host' }).events[0]!.state).toBe('resolved');
    expect(read({ note: 'it is over', status: 'resolved' }, { dedupKey: 'missing' }).events[0]!.state).toBe('event');
  });
});

describe('where a mapping fails', () => {
  test('the other fields are mapped, and the field is as it would be without it', () => {
    const {
      events,
      mappingErrors: errors,
      mappingMisses,
    } = read(ORDER, {
      title: 'order.lines[0',
      customer: 'order.nothing',
      link: 'order.id',
      severity: '=urgent',
      alertType: 'order.id',
    });
    expect(events[0]).toMatchObject({ title: 'of the body', customer: 'of the body', link: null, alertType: '7' });
    expect(errors).toEqual([
      { field: 'title', message: 'The path ends inside a bracket. Add ] after position 13, or remove [.' },
    ]);
    expect(mappingMisses).toEqual(['customer', 'severity', 'link']);
  });

  test('the message says where the path is wrong', () => {
    expect(mappingErrors({ title: 'order id' })[0]!.message).toMatch(/^The path is wrong at position 7: /);
    expect(mappingErrors({ title: '$.a[?@.b ==]' })[0]!.message).toMatch(/^The path is wrong at position \d+: /);
    expect(mappingErrors({ title: 'order.id', customer: ' ' })).toEqual([]);
  });

  test('a path that takes too long is stopped, and the alert is made without it', () => {
    const body = {
      title: 'of the body',
      list: Array.from({ length: 300 }, (_, a) => ({ a, b: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' })),
    };
    const before = performance.now();
    const { events, mappingErrors: errors } = read(body, {
      title: "list[?match(@.b, '(a|a)*(a|a)*(a|a)*c')].b",
      customer: 'list[0].a',
    });
    expect(performance.now() - before).toBeLessThan(5_000);
    expect(events[0]).toMatchObject({ title: 'of the body', customer: '0' });
    expect(errors).toEqual([{ field: 'title', message: 'Stopped after 50 ms. Use a path that names its fields.' }]);
  });
});

test('bounded work is stopped in the middle of a loop, and its errors are thrown on', () => {
  expect(
    runBounded(() => {
      for (;;);
    }, 20),
  ).toBe(STOPPED);
  expect(runBounded(() => 7, 5_000)).toBe(7);
  expect(() =>
    runBounded(() => {
      throw new TypeError('inside');
    }, 5_000),
  ).toThrow('inside');
});

test('bounded work begins again where the machine was busy with something else, and not forever', () => {
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  let begun = 0;
  /** Has no use of the processor in its first attempts. */
  const delayed = (attempts: number) => () => {
    begun += 1;
    if (begun <= attempts) Atomics.wait(asleep, 0, 0, 10_000);
    return begun;
  };
  expect(runBounded(delayed(1), 200)).toBe(2);
  begun = 0;
  expect(runBounded(delayed(9), 20)).toBe(STOPPED);
  expect(begun).toBeGreaterThan(1);
});
