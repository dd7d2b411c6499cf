import { assert, json as anyJson, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { readDelivery } from '#backend/intake/reading/read-delivery.ts';

/** Reads a body as any JSON: its alerts, or why there is none. */
function read(body: unknown, contentType = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const reading = readDelivery(
    { headers: { 'content-type': contentType }, body: text, contentType, receivedAt: 0 },
    { adapter: 'generic', mapping: {} },
  );
  if ('error' in reading) throw reading.error;
  return reading;
}

const brief = ({ title, severity, state, link }: SenderEvent) => ({
  title,
  severity,
  state,
  ...(link !== null && { link }),
});
const first = (body: unknown) => brief(read(body).events[0]!);

describe('a headline', () => {
  test.each<[string, unknown, string]>([
    [
      'is the title before all else',
      { id: 7, message: 'No space left', title: 'Disk full on db-7' },
      'Disk full on db-7',
    ],
    ['stands in the object that holds the news', { data: { incident: { title: 'Checkout fails' } } }, 'Checkout fails'],
    [
      'names what its description is about',
      { uuid: 'a3', name: 'Nightly export', description: 'Took longer than 3 h' },
      'Nightly export: Took longer than 3 h',
    ],
    ['says what has a name and a state', { Name: 'Webshop', Status: 'Down', StatusCode: '503' }, 'Webshop is down'],
    ['says what failed', { name: 'Database backup', state: 'failed' }, 'Database backup failed'],
    [
      'has the state in the sender’s words',
      { event_data: { check_name: 'Login page', check_state_name: 'Reporting Error' } },
      'Login page: Reporting Error',
    ],
    [
      'has what a short message is about, and that it failed',
      { data: { app: { name: 'billing-web' }, status: 'failed', description: 'Deploy 41ab07' }, resource: 'release' },
      'billing-web: Deploy 41ab07 failed',
    ],
    [
      'is never the bare name of an event',
      { type: 'STORAGE_EXCEED', event_data: { custom: { Details: 'adding 3 MiB would pass the limit of 2 GiB' } } },
      'Storage exceed: adding 3 MiB would pass the limit of 2 GiB',
    ],
    [
      'is the sentence that an event is called by',
      { event: 'Ping of web-1 has failed', alert_type: 'ALERT_FAILURE', check_error_message: 'no answer' },
      'Ping of web-1 has failed',
    ],
    [
      'is no id, address, time or placeholder',
      {
        title: '3f2a9c51-d0e8-4b77-9a51-000000000001',
        subject: '$SUBJECT',
        message: 'https://a.example/1',
        text: 'The queue grows',
      },
      'The queue grows',
    ],
    ['is no person', { user: { name: 'Ann Ashby' }, sender: 'ann', text: 'deploys tag v2' }, 'deploys tag v2'],
    [
      'is of a thing its name and not its description',
      { repository: { name: 'shop', description: 'All of our code' }, n: 1 },
      'shop',
    ],
    ['is plain text of HTML', { ticket_subject: '<b>No&nbsp;heating</b> in &quot;B2&quot;' }, 'No heating in "B2"'],
    [
      'is plain text of Markdown',
      { text: '**Build 17** of [shop](https://ci.example/17) is `red`' },
      'Build 17 of shop is red',
    ],
    ['is plain text of Slack', { text: '<https://ci.example/17|Build 17> waits' }, 'Build 17 waits'],
    [
      'is the first line of a log without its time',
      { output: '16:31:56.746: Error Write below /bin\nmore' },
      'Error Write below /bin',
    ],
    [
      'is what a list of keys and values says',
      { fields: [{ key: 'subject', value: 'Fan 2 stands still' }] },
      'Fan 2 stands still',
    ],
    [
      'names what is checked and where',
      { host: 'web-1', service: 'HTTP', state: 'critical', output: 'Connection refused' },
      'HTTP on web-1: Connection refused',
    ],
    [
      'is read of names written in one word',
      { HOSTNAME: 'web-1', SERVICEDESC: 'Load', SERVICESTATE: 'WARNING', SERVICEOUTPUT: 'load average: 9.1, 8.0' },
      'web-1: load average: 9.1, 8.0',
    ],
    [
      'is of the error and not of what it was found in',
      { project: { name: 'Shop', url: 'https://a.example' }, error: { message: 'cart has no total', status: 'open' } },
      'cart has no total',
    ],
    [
      'is the text that is called an alert',
      { alert: 'Disk is almost full on db-7', host: 'db-7' },
      'Disk is almost full on db-7',
    ],
    ['is the readable name of the event where nothing else is', { eventType: 'disk.almost_full' }, 'Disk almost full'],
  ])('%s', (_, body, title) => {
    expect(first(body).title).toBe(title);
  });
});

/** The beginning and the end of a problem, of which each names the same problem. */
const LIFECYCLES: [string, Record<string, unknown>, Record<string, unknown>][] = [
  [
    'the id of a check',
    { check_id: 5, check_name: 'Login', state: 'Down' },
    { check_id: 5, check_name: 'Login', state: 'Up' },
  ],
  ['its name where it has no id', { Name: 'Shop', Status: 'Down' }, { Name: 'Shop', Status: 'Up' }],
  [
    'host and service, beside a measure',
    { host: 'web-1', service: 'cpu', state: 'critical', metric: 99 },
    { host: 'web-1', service: 'cpu', state: 'ok', metric: 3 },
  ],
  ['a level that is OK again', { id: 'cpu:web-1', level: 'CRITICAL' }, { id: 'cpu:web-1', level: 'OK' }],
  [
    'an arrow between states',
    { id: '18', host: 'web-1', event: 'UP -> DOWN', status: 'DOWN', severity: 'OK' },
    { id: '18', host: 'web-1', event: 'DOWN -> UP', status: 'UP', severity: 'OK' },
  ],
  [
    'the name of an event',
    { event_name: 'new_item', data: { item: { id: 7, title: 'TypeError in cart' } } },
    { event_name: 'resolved_item', data: { item: { id: 7, title: 'TypeError in cart' } } },
  ],
  ['a flag', { monitor: 'shop', is_down: true }, { monitor: 'shop', is_down: false }],
  [
    'a ticket',
    { helpdesk: { ticket_id: '4', ticket_subject: 'No heating', ticket_status: 'Pending' } },
    { helpdesk: { ticket_id: '4', ticket_subject: 'No heating', ticket_status: 'Closed' } },
  ],
  [
    'a build that succeeds again',
    { pipeline: 'shop', branch: 'main', run_id: 'a1', status: 'failed' },
    { pipeline: 'shop', branch: 'main', run_id: 'a2', status: 'success' },
  ],
  [
    'an incident that began and ended',
    { data: { id: '8', type: 'incident', attributes: { cause: 'Status 503', status: 'Started' } } },
    { data: { id: '8', type: 'incident', attributes: { cause: 'Status 503', status: 'Ended' } } },
  ],
  [
    'the end in the name of an event',
    { alert_id: 'c1', text: 'Pool eu-1 is bad', alert_event: 'ALERT_STATE_START' },
    { alert_id: 'c1', text: 'Pool eu-1 is good', alert_event: 'ALERT_STATE_END' },
  ],
  [
    'a state with the one before it',
    { sensor: 'a', status: 'Down (was: Up)' },
    { sensor: 'a', status: 'Up (was: Down)' },
  ],
  [
    'a level as the name of an event',
    { entity_id: 'disk/db-7', message_type: 'CRITICAL', text: 'Free space is 4 %' },
    { entity_id: 'disk/db-7', message_type: 'RECOVERY', text: 'Free space is 40 %' },
  ],
  ['a word that is negated', { monitor: 'shop', status: 'not available' }, { monitor: 'shop', status: 'available' }],
];

test.each(LIFECYCLES)('a problem is ended under the same key: %s', (_, begin, end) => {
  const [begun] = read(begin).events;
  const [ended] = read(end).events;
  expect([begun!.state, ended!.state]).toEqual(['firing', 'resolved']);
  expect(begun!.dedupKey).not.toBeNull();
  expect(ended!.dedupKey).toBe(begun!.dedupKey);
});

test('somebody has what is as bad as before', () => {
  const problem = { host: 'db-7', service: 'disk', state: 'CRITICAL', output: 'Disk critical: 4 % are free' };
  const [begun] = read({ ...problem, type: 'PROBLEM' }).events;
  const [taken] = read({ ...problem, type: 'ACKNOWLEDGEMENT' }).events;
  expect(taken).toMatchObject({ state: 'acknowledged', severity: 'critical', dedupKey: begun!.dedupKey });
});

test.each<[string, unknown, unknown]>([
  [
    'two parts of one page',
    { page: { id: 'p' }, component: { id: 'a', name: 'API', status: 'major_outage' } },
    { page: { id: 'p' }, component: { id: 'b', name: 'Shop', status: 'major_outage' } },
  ],
  ['two hosts', { host: 'web-1', state: 'critical' }, { host: 'web-2', state: 'critical' }],
  ['two checks', { check_id: 1, name: 'Login', state: 'down' }, { check_id: 2, name: 'Login', state: 'down' }],
  [
    'two branches',
    { pipeline: 'shop', branch: 'a', status: 'failed' },
    { pipeline: 'shop', branch: 'b', status: 'failed' },
  ],
])('%s are two problems', (_, one, other) => {
  expect(read(one).events[0]!.dedupKey).not.toBe(read(other).events[0]!.dedupKey);
});

test.each<[string, unknown]>([
  ['a message without a state', { service: 'billing', message: 'Invoice 17 was sent' }],
  ['a failure of what does not run again', { service: 'billing', status: 'failed', message: 'Invoice 17 failed' }],
  ['an order', { type: 'order.completed', data: { id: 'ord_1', status: 'completed', total: 12 } }],
  ['a greeting', { status: 'ok', message: 'Hello' }],
  [
    'an alert for this product, whatever its state',
    { customer: 'Nordwind', alertType: 'backup', job: 'x', status: 'success' },
  ],
])('%s is an alert of its own', (_, body) => {
  expect(read(body)).toMatchObject({ ignored: null, events: [{ state: 'event', dedupKey: null }] });
});

test.each<[string, unknown]>([
  ['a build that begins', { pipeline: 'shop', stage: 'Prod', state: 'STARTED' }],
  ['a run that waits', { run_url: 'https://a.example/3', workspace_name: 'shop', run_status: 'pending' }],
  ['a phase that begins', { name: 'shop', build: { number: 20, phase: 'STARTED' } }],
  ['a job that is skipped', { job: { name: 'deploy' }, conclusion: 'skipped' }],
  [
    'a build that went well',
    { eventType: 'build.complete', message: { text: 'Build 17 succeeded' }, resource: { status: 'succeeded' } },
  ],
])('%s is no alert', (_, body) => {
  expect(read(body)).toMatchObject({ events: [], ignored: expect.any(String) });
});

describe('a link', () => {
  test.each<[string, unknown, string | undefined]>([
    [
      'is the page for a person',
      { title: 'a', html_link: 'https://a.example/9', self: 'https://b.example/1' },
      'https://a.example/9',
    ],
    [
      'is that of the alert before that of its log',
      { log_url: 'https://a.example/log', alert_url: 'https://a.example/9' },
      'https://a.example/9',
    ],
    ['stands inside, too', { data: { context: { portalLink: 'https://a.example/9' } } }, 'https://a.example/9'],
    [
      'is no picture',
      { title: 'a', icon_url: 'https://a.example/i', image: { url: 'https://a.example/a.png' } },
      undefined,
    ],
    ['is no address of an API', { data: { resource_url: 'https://api.a.example/v1/9' } }, undefined],
    ['does nothing when it is opened', { title: 'a', acknowledge_url: 'https://a.example/ack/9' }, undefined],
  ])('%s', (_, body, link) => {
    expect(first(body).link).toBe(link);
  });
});

test('the items of a list are an alert each', () => {
  const up = { event: 'check.up', check: { url: 'https://shop.example' } };
  const [down, ended] = read([{ ...up, event: 'check.down' }, up]).events;
  expect(down).toMatchObject({ title: 'shop.example is down', state: 'firing' });
  expect(ended).toMatchObject({ state: 'resolved', dedupKey: down!.dedupKey });
});

test('what is plain text is an alert, whose headline is its first line', () => {
  const text = 'CrashLoopBackOff\nsource: pod/default/shop\nThe container crashes again and again';
  for (const type of ['', 'text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded']) {
    const [event] = read(text, type).events;
    expect(event!.title).toBe('CrashLoopBackOff');
    expect(JSON.parse(event!.payload)).toEqual({ value: text });
  }
  expect(() => read('no JSON')).toThrow('not valid JSON');
  expect(() => read('{no JSON', 'text/plain')).toThrow('not valid JSON');
});

/** A part of a form whose boundary is `x1`. */
const part = (head: string, value: string) => `--x1\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;

test('a form with parts is read as one without, and its files are left out', () => {
  const file = part('name="log"; filename="a.txt"', 'name=nothing');
  const body = `${part('name="Name"', 'Shop')}${part('name="Status"', 'Down')}${file}--x1--\r\n`;
  expect(read(body, 'multipart/form-data; boundary=x1').events[0]).toMatchObject({ title: 'Shop is down' });
  const json = `${part('name="data"', '{"title":"Fan 2 stands still"}')}--x1--\r\n`;
  expect(read(json, 'multipart/form-data; boundary="x1"').events[0]!.title).toBe('Fan 2 stands still');
});

test('any JSON is read, into at least one alert or the reason why there is none', () => {
  assert(
    property(anyJson({ maxDepth: 5 }), (json) => {
      const { events, ignored, problem } = read(json);
      expect(problem).toBeNull();
      expect(events.length > 0 || ignored !== null).toBe(true);
    }),
  );
});
