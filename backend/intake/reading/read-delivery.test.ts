import { CloudEvent, HTTP } from 'cloudevents';
import { describe, expect, test } from 'vitest';
import type { Sender } from '#backend/contract/sender.ts';
import type { Mapping } from '#backend/contract/mapping.ts';
import type { AdapterSetting } from '#backend/contract/source.ts';
import { type Adapter, MAX_EVENTS, type ReadDelivery } from '#backend/intake/adapters/adapter.ts';
import { ADAPTERS } from '#backend/intake/adapters/adapter-table.ts';
import { answerOptions } from '#backend/intake/adapters/cloudevents.ts';
import { readDelivery } from './read-delivery.ts';
import { severityOf } from '#backend/intake/json/found.ts';

interface Given {
  headers?: Record<string, string>;
  contentType?: string;
  setting?: AdapterSetting;
  mapping?: Mapping;
  adapters?: Readonly<Record<Sender, Adapter>>;
}

const request = (body: unknown, { headers = {}, contentType = 'application/json' }: Given) => ({
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
  contentType,
  receivedAt: 0,
});

function read(body: unknown, given: Given = {}): ReadDelivery {
  const settings = { adapter: given.setting ?? ('auto' as const), mapping: given.mapping ?? {} };
  const reading = readDelivery(request(body, given), settings, given.adapters);
  if ('error' in reading) throw reading.error;
  return reading;
}

function errorOf(body: string, contentType = 'application/json') {
  const reading = readDelivery(request(body, { contentType }));
  return 'error' in reading ? { status: reading.error.status, message: reading.error.message } : null;
}

const title = (text: string) => read({ title: text }).events[0]!.title;
const key = (text: string) => read({ dedupKey: text }).events[0]!.dedupKey;

const alertmanager = (alerts: unknown[]) => ({ alerts, groupLabels: {}, groupKey: 'g' });

describe('fields are bounded', () => {
  test('a title is one line of 300 characters', () => {
    expect(title('  Disk\r\n\tfull\u0000 on\u2028 db-7 \u202e ')).toBe('Disk full on db-7');
    expect(title('💾'.repeat(400))).toBe('💾'.repeat(300));
    expect(title(`${'a'.repeat(299)}e\u0301!`)).toBe('a'.repeat(299));
    expect(title('👨‍👩‍👧'.repeat(100))).toBe('👨‍👩‍👧'.repeat(60));
    expect(title(`${'a'.repeat(296)} 👨‍👩‍👧`)).toBe('a'.repeat(296));
    expect(title(`a${'\u0301'.repeat(400)}`)).toBe(`a${'\u0301'.repeat(299)}`);
    expect(title('a\ud800b')).toBe('a\ufffdb');
    expect(title('\n\n')).toBeNull();
  });

  test('a key longer than 191 characters is replaced by its hash', () => {
    expect(key('k'.repeat(191))).toBe('k'.repeat(191));
    expect(key('k'.repeat(192))).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(key('k'.repeat(192))).not.toBe(key('l'.repeat(192)));
    const group = read({ ...alertmanager([{ status: 'firing' }]), groupKey: 'g'.repeat(5_000) });
    expect(group.events[0]!.groupKey).toMatch(/^sha256:/);
  });

  test.each(['javascript:alert(1)', 'ftp://a.example', '//a.example', 'https://', `https://a/${'x'.repeat(9_000)}`])(
    'no link is made of %.40s',
    (url) => expect(read({ url }).events[0]!.link).toBeNull(),
  );

  test('a customer that labels name is cut at 200 characters', () => {
    const { events } = read(alertmanager([{ labels: { tenant: 'n'.repeat(300) } }]));
    expect(events[0]!.customer).toBe('n'.repeat(200));
  });
});

describe('the specification’s own fields', () => {
  test('count before the adapter’s', () => {
    const alert = { status: 'firing', labels: { alertname: 'A', customer: 'of labels' } };
    expect(read(alertmanager([{ ...alert, customer: { name: 'Nordwind' }, type: 'disk' }])).events[0]).toMatchObject({
      customer: 'Nordwind',
      alertType: 'disk',
      origins: expect.arrayContaining([
        { field: 'customer', value: 'Nordwind', path: 'alerts[0].customer.name' },
        { field: 'alertType', value: 'disk', path: 'alerts[0].type' },
      ]),
    });
    expect(read(alertmanager([alert])).events[0]).toMatchObject({ customer: 'of labels', alertType: 'A' });
  });

  test('are the first of several that is not empty', () => {
    const { customer, alertType } = read('{"Type":"x","type":"","customer":" ","customerName":12345678901234567890}')
      .events[0]!;
    expect({ customer, alertType }).toEqual({ customer: '12345678901234567890', alertType: 'x' });
  });
});

describe('severity', () => {
  test.each([
    ['critical', 'CRITICAL crit P1 sev0 Sev1 disaster page fatal emergency'],
    ['high', 'high Error P2 sev2 major'],
    ['warning', 'warning warn p3 sev3 medium moderate Average minor'],
    ['low', 'low P4'],
    ['info', 'info informational p5 sev4 none OK'],
    ['none', 'urgent 1 5 unknown constructor __proto__'],
  ])('%s has the words %s', (severity, words) => {
    for (const word of words.split(' ')) expect(severityOf({ value: word, path: '' })?.value).toBe(severity);
  });

  test('is the first word of several that is one', () => {
    expect(read({ severity: 'soon', priority: 'P2' }).events[0]!.severity).toBe('high');
    expect(read({ severity: 'soon' }).events[0]!.severity).toBe('none');
  });
});

describe('the state of any JSON', () => {
  test.each([
    [{ status: 'resolved' }, 'event'],
    [{ status: 'firing' }, 'event'],
    [{ dedupKey: 'k' }, 'firing'],
    [{ dedup_key: 'k', status: 'Closed' }, 'resolved'],
    [{ dedup_key: 'k', state: 'recovered' }, 'resolved'],
    [{ dedup_key: 'k', state: 'acknowledged' }, 'acknowledged'],
    [{ dedup_key: 'k', state: 'closing' }, 'firing'],
  ])('of %j is %s', (body, state) => {
    expect(read(body).events[0]!.state).toBe(state);
  });
});

describe('delivery ids', () => {
  test('name the delivery, with an index for each of several alerts', () => {
    const headers = { 'idempotency-key': ' k-1 ', 'webhook-id': 'w-1' };
    expect(read({}, { headers }).events[0]!.deliveryId).toBe('k-1');
    const two = read(alertmanager([{ status: 'firing' }, { status: 'firing' }]), { headers });
    expect(two.events.map(({ deliveryId }) => deliveryId)).toEqual(['k-1:0', 'k-1:1']);
    expect(read({}).events[0]!.deliveryId).toBeNull();
  });
});

describe('bodies', () => {
  test.each([
    ['', 400, 'The body is empty; send the alert as JSON.'],
    ['  \n', 400, 'The body is empty; send the alert as JSON.'],
    ['{"a":1', 400, 'The body is not valid JSON: the text ends at character 6; send the alert as JSON.'],
    ['{"a":1,}', 400, 'The body is not valid JSON: unexpected character 8; send the alert as JSON.'],
    ['[['.repeat(40) + ']]'.repeat(40), 422, 'The body nests deeper than 64 levels.'],
  ])('%.20j is answered with %i', (body, status, message) => {
    expect(errorOf(body)).toEqual({ status, message });
  });

  test('a form without fields, and lines of which one is broken, are answered with 400', () => {
    expect(errorOf('', 'application/x-www-form-urlencoded')?.status).toBe(400);
    expect(errorOf('payload=%7B', 'application/x-www-form-urlencoded')?.status).toBe(400);
    expect(errorOf('{"a":1\n"b":2}', 'application/x-ndjson')?.status).toBe(400);
    expect(errorOf('\n', 'application/x-ndjson')?.status).toBe(400);
  });

  test('JSON is read under the media types of plain text and of forms', () => {
    expect(read('{"title":"a"}', { contentType: 'text/plain; charset=UTF-8' }).events[0]!.title).toBe('a');
    expect(read(' {"title":"a"}', { contentType: 'application/x-www-form-urlencoded' }).events[0]!.title).toBe('a');
  });

  test('a form’s fields are an object, whatever they are called', () => {
    const contentType = 'application/x-www-form-urlencoded';
    const { payload } = read('__proto__=x&a=1&a=%C3%BC&b=', { contentType }).events[0]!;
    expect(payload).toBe('{"__proto__":"x","a":["1","ü"],"b":""}');
  });

  test('anything but an object is kept as a value', () => {
    expect(read('[1, 2.0]').events[0]!.payload).toBe('{"value":[1, 2.0]}');
    expect(read('"Disk full"').events[0]).toMatchObject({ payload: '{"value":"Disk full"}', title: 'Disk full' });
  });
});

describe('whatever goes wrong', () => {
  test('a faulty adapter makes one alert of any JSON, and the reason', () => {
    const broken: Adapter = {
      sender: 'github',
      read: () => {
        throw new TypeError('x is not a function');
      },
    };
    const reading = read({ title: 'Disk full' }, { setting: 'github', adapters: { ...ADAPTERS, github: broken } });
    expect(reading).toMatchObject({
      sender: 'github',
      problem: 'The adapter of github failed: x is not a function',
      events: [{ title: 'Disk full', state: 'event' }],
    });
  });

  test('so does one whose alerts make no sense', () => {
    const draft = { element: undefined, state: { value: 'firing', path: '' } };
    const broken = { sender: 'github', read: () => ({ drafts: [draft] }) } as unknown as Adapter;
    const reading = read({ title: 'Disk full' }, { setting: 'github', adapters: { ...ADAPTERS, github: broken } });
    expect(reading.problem).toMatch(/^The adapter of github failed/);
    expect(reading.events).toMatchObject([{ title: 'Disk full' }]);
  });

  test('half a character in what a link is made of fails no adapter', () => {
    const self = 'https://nordwind.example/rest/api/2/issue/1';
    const issue = { self, key: 'A-\ud83d', fields: { summary: 'Disk full' } };
    const reading = read({ webhookEvent: 'jira:issue_created', issue }, { setting: 'jira' });
    expect(reading.problem).toBeNull();
    expect(reading.events[0]?.link).toBe('https://nordwind.example/browse/A-%EF%BF%BD');
  });

  test('a body that is not what the source’s setting says is one alert of any JSON', () => {
    const reading = read({ message: 'hello' }, { setting: 'alertmanager' });
    expect(reading).toMatchObject({
      sender: 'alertmanager',
      recognisedBy: 'the source’s setting',
      problem: 'The body has no alert of alertmanager. It is read as any JSON.',
      events: [{ title: 'hello' }],
    });
    expect(read([], { setting: 'sendgrid' }).events[0]!.title).toMatch(/^The body has no alert of sendgrid/);
  });

  test('a delivery of too many alerts is kept whole, as one', () => {
    const { events, problem } = read(alertmanager(Array.from({ length: MAX_EVENTS + 1 }, () => ({}))));
    expect(events).toHaveLength(1);
    expect(problem).toBe('The delivery has more than 10000 alerts. It is kept whole, as one.');
    expect(read(alertmanager(Array.from({ length: MAX_EVENTS }, () => ({})))).events).toHaveLength(MAX_EVENTS);
  });

  test('what many alerts share does not multiply beyond bounds', () => {
    const alerts = Array.from({ length: MAX_EVENTS }, () => ({ status: 'firing' }));
    const { events } = read({ ...alertmanager(alerts), commonLabels: { long: 'x'.repeat(4_000) }, receiver: 'desk' });
    expect(events.map(({ shared }) => shared.length).reduce((a, b) => a + b)).toBeLessThan(5_000_000);
    expect(JSON.parse(events[0]!.shared)).toMatchObject({ receiver: 'desk' });
  });
});

describe('the source’s setting', () => {
  test('counts before recognition', () => {
    const headers = { 'x-github-event': 'push' };
    expect(read({ title: 'a' }, { headers, setting: 'generic' })).toMatchObject({ sender: 'generic', problem: null });
  });

  test('headers count before the body’s shape', () => {
    const body = alertmanager([{ status: 'firing' }]);
    expect(read(body, { headers: { 'x-github-event': 'push' } }).sender).toBe('github');
    // An envelope that any sender may use says less than the shape.
    expect(read(body, { headers: { 'webhook-id': 'a' } }).sender).toBe('alertmanager');
  });
});

describe('CloudEvents of their own package', () => {
  const event = new CloudEvent({
    id: 'A-41',
    type: 'com.example.order.late',
    source: '/shop/orders',
    subject: 'Order 41',
    time: '2026-03-04T10:00:00.000Z',
    data: { order: 41 },
  });

  test.each(['binary', 'structured'] as const)('are read in %s mode', (mode) => {
    const { headers, body } = HTTP[mode](event);
    const sent = headers as Record<string, string>;
    const lower = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
    expect(read(String(body), { headers: lower, contentType: lower['content-type'] ?? '' })).toMatchObject({
      sender: 'cloudevents',
      events: [
        {
          title: 'Order 41',
          customer: '/shop/orders',
          alertType: 'com.example.order.late',
          state: 'event',
          deliveryId: '/shop/orders A-41',
          at: Date.UTC(2026, 2, 4, 10),
        },
      ],
    });
  });
});

test('CloudEvents senders are answered that they may send', () => {
  const headers = { 'webhook-request-origin': 'eventgrid.azure.net', 'webhook-request-rate': '120' };
  expect(answerOptions(headers)?.answer).toEqual({
    status: 200,
    headers: {
      Allow: 'POST, PUT, OPTIONS',
      'WebHook-Allowed-Origin': 'eventgrid.azure.net',
      'WebHook-Allowed-Rate': '*',
    },
    body: '',
  });
  expect(answerOptions({})).toBeUndefined();
});

test.each([
  'http://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription',
  'https://sns.eu-west-1.amazonaws.com.evil.example/',
  'https://evil.example/sns.eu-west-1.amazonaws.com',
  'https://sns.eu-west-1.amazonaws.com:8443/',
  'https://user@sns.eu-west-1.amazonaws.com/',
])('a subscription is not confirmed at %s', (address) => {
  const body = { Type: 'SubscriptionConfirmation', TopicArn: 'arn:aws:sns:x:1:t', SubscribeURL: address };
  expect(read(body).handshake).toMatchObject({ kind: 'subscription' });
  expect(read(body).handshake).not.toHaveProperty('confirmUrl');
});
