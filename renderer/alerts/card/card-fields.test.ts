import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { readDelivery } from '#backend/intake/reading/read-delivery.ts';
import { createRandom } from '#scripts/demo/random.ts';
import { createStream } from '#scripts/demo/senders.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { type AlertField, cardFields } from './card-fields.ts';
import { formatValue } from './format-value.ts';

const alert = (payload: Record<string, unknown>, more: Partial<Alert> = {}): Alert =>
  makeAlert('a', { payload, ...more });

const names = (payload: Record<string, unknown>, more: Partial<Alert> = {}) => {
  const { shown, extra } = cardFields(alert(payload, more));
  return { shown: shown.map(({ name }) => name), extra: extra.map(({ name }) => name) };
};

const pairs = (payload: Record<string, unknown>, more: Partial<Alert> = {}) =>
  cardFields(alert(payload, more)).shown.map(({ name, value }) => [name, value]);

describe('cardFields', () => {
  it('shows four short values in the order they came, underscores as spaces', () => {
    expect(names({ order_no: 1, sum: 2, cause: 'x', attempt: 3, sku: 4, message: 'late' })).toEqual({
      shown: ['order no', 'sum', 'cause', 'attempt'],
      extra: ['sku', 'message'],
    });
  });

  it('shows first where it happens, what is concerned and how much', () => {
    const payload = {
      team: 'a',
      region: 'eu',
      env: 'prod',
      value: 7,
      instance: 'i-1',
      service_name: 'checkout',
      HostName: 'db-7',
    };
    expect(names(payload).shown).toEqual(['HostName', 'service name', 'instance', 'value']);
    expect(names({ team: 'a', region: 'eu', env: 'prod' }).shown).toEqual(['env', 'region', 'team']);
  });

  it('shows long texts, moments and yes or no after short values, ids and technical names last', () => {
    const payload = {
      id: 7,
      request_id: 'x',
      trace: '4fcd1bca-9e2a-4f0e-8d51-3b8f0a1c2d3e',
      paid: true,
      started_at: '2026-11-21T10:00:00Z',
      note: 'a text that is longer than what is read at a glance',
      reason: 'late',
    };
    expect(names(payload).shown).toEqual(['reason', 'note', 'paid', 'started at']);
    expect(names({ id: 7, reason: 'late' }).shown).toEqual(['reason', 'id']);
  });

  it('leaves out underscored keys and what the card shows elsewhere, and keeps them for Extra Information', () => {
    const payload = {
      _trace: 1,
      CUSTOMER: 'n',
      AlertType: 't',
      'alert type': 't',
      alert_type: 't',
      Type: 't',
      PK: 9,
      a: 1,
    };
    expect(names(payload)).toEqual({
      shown: ['a'],
      extra: ['trace', 'CUSTOMER', 'AlertType', 'alert type', 'alert type', 'Type', 'PK'],
    });
  });

  it('does not repeat the customer and the type that the card shows', () => {
    const payload = { customer: ' Nordwind ', type: 'Host alert', a: 1 };
    expect(names(payload, { customer: 'Nordwind', alertType: 'Host alert' })).toEqual({ shown: ['a'], extra: [] });
    expect(names({ customer: { name: 'N', tier: 1 } }, { customer: 'N' }).extra).toEqual(['customer']);
  });

  it('leaves out what is empty or was masked, and the zero of a clock', () => {
    const payload = {
      a: null,
      b: '',
      c: [],
      d: {},
      e: 0,
      f: 'x',
      key: 'ad_••••••••ptiw',
      endsAt: '0001-01-01T00:00:00Z',
    };
    expect(names(payload).shown).toEqual(['f', 'e']);
    expect(names(payload).extra).toEqual(['a', 'b', 'c', 'd', 'key', 'endsAt']);
  });

  it('finds values wherever in the payload they stand, and names a thing by what it is', () => {
    const payload = {
      data: { object: { amount: 1249, currency: 'EUR', outcome: { reason: 'declined' } } },
      repository: { full_name: 'bluepeak/meter-ingest', private: false },
      tags: ['a', 'b'],
    };
    expect(pairs(payload)).toEqual([
      ['repository', 'bluepeak/meter-ingest'],
      ['amount', 1249],
      ['currency', 'EUR'],
      ['reason', 'declined'],
    ]);
    // What stands deeper is in Extra Information with what it stands in.
    expect(names(payload).extra).toEqual(['data', 'repository', 'tags']);
  });

  it('gives objects and long texts in full in Extra Information as well', () => {
    expect(names({ note: 'x y '.repeat(61), short: 'y' })).toEqual({ shown: ['short', 'note'], extra: ['note'] });
    expect(names({ data: { id: 1 } })).toEqual({ shown: ['id'], extra: ['data'] });
  });

  it('lists extra data once, also when the body brought it', () => {
    expect(names({ a: 1, extraData: { region: 'eu' } }, { extraData: { source: 'q', region: 'eu' } })).toEqual({
      shown: ['a'],
      extra: ['source', 'region'],
    });
  });

  it('takes its fields from the newest payload', () => {
    const titled = makeAlert('a', {
      title: 'Queue is full',
      payload: { message: 'Queue is full', depth: 1 },
      latestPayload: { message: 'Queue is full', depth: 2 },
    });
    expect(cardFields(titled)).toMatchObject({ shown: [{ key: 'depth', value: 2 }], extra: [] });
  });
});

describe('a field that says what its card says already', () => {
  const problem: Partial<Alert> = {
    title: 'Disk almost full on db-7',
    customer: 'acme/storage',
    alertType: 'disk.full',
    sourceName: 'Grafana production',
    severity: 'critical',
    state: 'firing',
  };
  it.each([
    ['the headline', 'summary', 'Disk almost full on db-7.'],
    ['the headline within more text', 'description', '[FIRING:1] Disk almost full on db-7'],
    ['a part of the headline', 'alert_name', 'Disk almost full'],
    ['the customer', 'tenant', 'ACME / storage'],
    ['the last part of the customer', 'namespace', 'storage'],
    ['the type', 'rule', 'Disk full'],
    ['a word of the type', 'event', 'full'],
    ['the source', 'sent_by', 'Grafana production'],
    ['the severity', 'level', 'critical'],
    ['the severity in the sender’s word', 'priority', 'P1'],
    ['the state', 'anything', 'firing'],
    ['the state in the sender’s word', 'NewStateValue', 'ALARM'],
  ])('is left out: %s', (_what, key, value) => {
    expect(names({ [key]: value, depth: 3 }, problem).shown).toEqual(['depth']);
  });

  it('is kept where it says more: a host of the headline, another state, another severity', () => {
    const payload = { host: 'db-7', status: 'escalated', urgency: 'low', door: 'open' };
    expect(names(payload, problem).shown).toEqual(['host', 'status', 'urgency', 'door']);
  });

  it('is left out when the headline, customer or type has its words, or it is the moment of arrival', () => {
    const paid = {
      title: 'Payment of SO-5 failed',
      customer: 'Lakeside / shop',
      timestamp: '2026-11-21T10:00:00.000Z',
    };
    const payload = { order: 'SO-5', channel: 'shop', attempt: '5', at: 1, created_at: '2026-11-21T09:59:30Z' };
    expect(names(payload, paid).shown).toEqual(['attempt', 'at']);
    expect(names({ created_at: '2026-11-21T09:50:00Z' }, paid).shown).toEqual(['created at']);
  });

  it('is shown once, whatever it is called', () => {
    expect(names({ host: 'db-7', instance: 'db-7', node_name: 'DB-7' }).shown).toEqual(['host']);
  });
});

const SAMPLES = new URL('../../../backend/intake/reading/samples/', import.meta.url);

interface Received {
  headers: Record<string, string>;
  body: string;
}

/** The repository's samples of every sender, and what the demo sends in an hour. */
function requests(): Received[] {
  const samples = readdirSync(SAMPLES).filter((file) => file.endsWith('.json'));
  const next = createStream(createRandom(783));
  return [
    ...samples.map((file) => {
      const { headers, rawBody, body } = JSON.parse(readFileSync(new URL(file, SAMPLES), 'utf8'));
      return { headers, body: rawBody ?? JSON.stringify(body) };
    }),
    ...Array.from({ length: 300 }, (_, minute) => next(new Date(Date.UTC(2026, 10, 21, 10, minute)))),
  ];
}

function alertsIn({ headers, body }: Received): Alert[] {
  const contentType = headers['content-type'] ?? '';
  const reading = readDelivery({ headers, body, contentType, receivedAt: Date.UTC(2026, 10, 21) });
  if ('error' in reading) return [];
  return reading.events.map(({ title, customer, alertType, severity, state, payload }) =>
    makeAlert('a', { title, customer, alertType, severity, state, payload: JSON.parse(payload) }),
  );
}

const plain = (text: string): string => text.trim().toLowerCase().replace(/[.!]$/, '');

/** Whether a field reads as its card's headline, customer, type, severity or state does. */
function isRepeated({ title, customer, alertType, severity, state }: Alert, { key, value }: AlertField): boolean {
  const line = plain(formatValue(key, value, new Date(0)).line);
  return [title, customer, alertType, severity, state].some((said) => said !== null && plain(said) === line);
}

it('never repeats what the card says, in deliveries of every sender', () => {
  const alerts = requests().flatMap(alertsIn);
  expect(alerts.length).toBeGreaterThan(300);
  const repeated = alerts.flatMap((one) => cardFields(one).shown.filter((field) => isRepeated(one, field)));
  expect(repeated).toEqual([]);
  const shown = alerts.reduce((sum, one) => sum + cardFields(one).shown.length, 0);
  expect(shown / alerts.length).toBeGreaterThan(3);
});
