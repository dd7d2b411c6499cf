import { expect, test } from 'vitest';
import { readDelivery } from '#backend/intake/reading/read-delivery.ts';

/** What people see of the first alert of a body that nobody is known to send. */
function read(body: object) {
  const contentType = 'application/json';
  const request = { headers: { 'content-type': contentType }, body: JSON.stringify(body), contentType, receivedAt: 0 };
  const reading = readDelivery(request, { adapter: 'generic', mapping: {} });
  if ('error' in reading) throw reading.error;
  const { title, severity, state, dedupKey, link } = reading.events[0]!;
  return { title, severity, state, dedupKey, link };
}

const NOTHING_ELSE = { severity: 'none', state: 'event', dedupKey: null, link: null };
const button = (name: string, more: object) => ({
  type: 'button',
  text: { type: 'plain_text', text: name },
  ...more,
});
const run = (id: number, status: string) => ({ id, status, name: 'Updates', playbook: 'updates.yml' });
const text = (written: string) => ({ type: 'mrkdwn', text: written });

test('a notification of a title and a message has that title; one of a message alone has the message', () => {
  const data = { url: 'https://home.example.org/lovelace/0', tag: 'battery' };
  expect(read({ title: 'Low battery', message: 'The battery of the hallway is at 5 %', data })).toEqual({
    ...NOTHING_ELSE,
    title: 'Low battery',
    link: 'https://home.example.org/lovelace/0',
  });
  const message = 'The front door has been open for 10 minutes';
  expect(read({ message })).toEqual({ ...NOTHING_ELSE, title: message });
  expect(read({ title: 'Garage door', message, entity_id: 'cover.garage', state: 'open' })).toMatchObject({
    state: 'firing',
    dedupKey: 'entity_id:cover.garage',
  });
});

test.each([
  ['flat', (group: string) => ({ alertId: 'web-1', ruleId: 'r-9', ruleName: 'CPU above 90', actionGroup: group })],
  [
    'nested',
    (group: string) => ({ alert: { id: 'web-1', actionGroup: group }, rule: { id: 'r-9', name: 'CPU above 90' } }),
  ],
])('the action group of a ruler says where its alert stands, which is named within its rule: %s', (_, body) => {
  const fired = read(body('threshold met'));
  expect(fired).toMatchObject({ title: expect.stringContaining('CPU above 90'), state: 'firing', link: null });
  expect(read(body('recovered'))).toMatchObject({ state: 'resolved', dedupKey: fired.dedupKey });
  expect(read({ ...body('threshold met'), ruleId: 'r-10', rule: { id: 'r-10' } }).dedupKey).not.toBe(fired.dedupKey);
  expect(read({ ...body('threshold met'), kibanaBaseUrl: 'https://kibana.example.org' }).link).toBeNull();
});

test('blocks of a chat are read for their headline, and for the page of a button or beside a text', () => {
  const view = button('View', { url: 'https://ci.example.org/runs/77' });
  expect(
    read({
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Deploy of shop failed' } },
        { type: 'section', text: text('*Branch:* main'), accessory: view },
      ],
    }),
  ).toMatchObject({ title: 'Deploy of shop failed', link: 'https://ci.example.org/runs/77' });
  expect(
    read({
      blocks: [
        { type: 'section', text: text('Disk full on <https://mon.example.org/hosts/7|db-7>') },
        { type: 'actions', elements: [button('Acknowledge', { action_id: 'ack' }), view] },
      ],
    }),
  ).toMatchObject({ title: 'Disk full on db-7', link: 'https://ci.example.org/runs/77' });
  expect(
    read({
      blocks: [
        {
          type: 'section',
          text: text('Queue is stuck'),
          accessory: { type: 'image', image_url: 'https://a.example/b' },
        },
      ],
    }),
  ).toEqual({ ...NOTHING_ELSE, title: 'Queue is stuck' });
});

test('keys in bold before their values are keys and values', () => {
  const fields = [text('*Host:*\ndb-7'), text('*State:* critical')];
  expect(
    read({
      blocks: [
        { type: 'divider' },
        { type: 'section', fields },
        { type: 'section', text: text('Replication stopped') },
      ],
    }),
  ).toMatchObject({ title: 'db-7: Replication stopped', severity: 'critical', state: 'firing' });
});

test('of two names of an event the one that says more is shown, and a playbook runs again', () => {
  const error = { url: 'https://errors.example.org/7', message: '' };
  const application = { name: 'Shop' };
  expect(read({ event: 'error_notification', eventType: 'NewErrorOccurred', error, application })).toMatchObject({
    title: 'New error occurred: Shop',
    link: error.url,
  });
  const failed = read(run(1, 'failed'));
  expect(failed).toMatchObject({ title: 'Updates failed', severity: 'high', state: 'firing' });
  expect(read(run(2, 'successful'))).toMatchObject({ state: 'resolved', dedupKey: failed.dedupKey });
});
