import { describe, expect, it } from 'vitest';
import type { Alert } from '#backend/contract/alert.ts';
import { makeAlert } from '#tests/support/make-alert.ts';
import { cardFields } from './card-fields.ts';

const alert = (payload: Record<string, unknown>, more: Partial<Alert> = {}): Alert =>
  makeAlert('a', { payload, ...more });

const names = (payload: Record<string, unknown>, more: Partial<Alert> = {}) => {
  const { shown, extra } = cardFields(alert(payload, more));
  return { shown: shown.map(({ name }) => name), extra: extra.map(({ name }) => name) };
};

describe('cardFields', () => {
  it('shows the first four of plain fields, underscores as spaces', () => {
    expect(names({ order_no: 1, amount: 2, reason: 'x', attempt: 3, sku: 4, message: 'late' })).toEqual({
      shown: ['order no', 'amount', 'reason', 'attempt'],
      extra: ['sku', 'message'],
    });
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

  it('puts empty values last', () => {
    expect(names({ a: null, b: '', c: [], d: {}, e: 0, f: false }).shown).toEqual(['e', 'f', 'a', 'b']);
  });

  it('reads a machine’s envelope for a person: headlines, objects that say something, values, plumbing', () => {
    const payload = {
      receiver: 'ops',
      status: 'firing',
      groupLabels: {},
      commonLabels: { alertname: 'DiskFull', severity: 'critical' },
      commonAnnotations: { summary: 'Disk is full' },
      externalURL: 'http://ops1:9093',
      version: '4',
      groupKey: '{}/{}:{}',
      alerts: [{ labels: { alertname: 'DiskFull' } }],
    };
    expect(names(payload)).toEqual({
      shown: ['status', 'commonLabels', 'commonAnnotations', 'receiver'],
      extra: ['groupLabels', 'commonLabels', 'commonAnnotations', 'externalURL', 'version', 'groupKey', 'alerts'],
    });
  });

  it('keeps the order of a payload that begins with plain values, objects or not', () => {
    expect(names({ host: 'h', cpu: 1, region: 'eu', owner: 'o', summary: 's', labels: { a: 1 } }).shown).toEqual([
      'host',
      'cpu',
      'region',
      'owner',
    ]);
  });

  it('takes an object of ids for an id, and a list of whatever for a value', () => {
    expect(names({ ref: { order_id: 1, version: 2 }, list: ['id'], size: { gb: 1 }, host: 'h', cpu: 1 }).shown).toEqual(
      ['list', 'size', 'host', 'cpu'],
    );
  });

  it('gives objects and long texts in full in Extra Information as well', () => {
    expect(names({ note: 'x'.repeat(241), short: 'y' })).toEqual({ shown: ['note', 'short'], extra: ['note'] });
    expect(names({ data: { id: 1 } })).toEqual({ shown: ['data'], extra: ['data'] });
  });

  it('lists extra data once, also when the body brought it', () => {
    expect(names({ a: 1, extraData: { region: 'eu' } }, { extraData: { source: 'q', region: 'eu' } })).toEqual({
      shown: ['a'],
      extra: ['source', 'region'],
    });
  });
});

describe('a card with a headline', () => {
  it('shows the labels of an alert that was split from a delivery, without what the headline says', () => {
    const labels = {
      alertname: 'DiskFull',
      severity: 'critical',
      cluster: 'prod-eu',
      instance: 'db-7:9100',
      team: 'storage',
    };
    const titled = makeAlert('a', {
      title: 'Disk full on db-7',
      customer: 'prod-eu',
      alertType: 'DiskFull',
      payload: { status: 'firing', labels, annotations: { summary: 'Disk full on db-7' } },
    });
    const { shown, extra } = cardFields(titled);
    expect(shown.map(({ name, value }) => [name, value])).toEqual([
      ['instance', 'db-7:9100'],
      ['team', 'storage'],
    ]);
    expect(extra.map(({ key }) => key)).toEqual(['status', 'labels', 'annotations']);
  });

  it('takes its fields from the newest payload, without the title', () => {
    const titled = makeAlert('a', {
      title: 'Queue is full',
      payload: { message: 'Queue is full', depth: 1 },
      latestPayload: { message: 'Queue is full', depth: 2 },
    });
    expect(cardFields(titled)).toMatchObject({ shown: [{ key: 'depth', value: 2 }], extra: [] });
  });
});
