import { describe, expect, test } from 'vitest';
import { eventOf, readSent } from '#tests/support/read-sent.ts';

const netdataAlert = (message: string, severity: string, values: object = {}) => ({
  message,
  alert: 'disk_space_usage',
  chart: 'disk_space._',
  severity,
  space: 'Nordwind',
  alert_url: `https://app.netdata.cloud/alerts/${crypto.randomUUID()}`,
  ...values,
});

describe('an alert of Netdata Cloud', () => {
  test('is one of the node that its message names', () => {
    const one = eventOf(netdataAlert('Disk space usage of / on db-7 is critical', 'critical'));
    expect(one).toMatchObject({ state: 'firing', dedupKey: 'disk_space_usage|disk_space._|db-7' });
    expect(eventOf(netdataAlert('Disk space usage of / on db-8 recovered', 'clear')).dedupKey).not.toBe(one.dedupKey);
    expect(eventOf(netdataAlert('Disk space usage of / on db-7 recovered', 'clear'))).toMatchObject({
      state: 'resolved',
      dedupKey: one.dedupKey,
    });
  });

  test.each([
    ['High load on average, on node "web.1.example"', 'web.1.example'],
    ['Host db-7. is slow', 'db-7'],
    ['Slow disk on host db-7', 'db-7'],
    ['The host is slow on db-7', 'db-7'],
  ])('names it in %s', (message, node) => {
    expect(eventOf(netdataAlert(message, 'warning')).dedupKey).toBe(`disk_space_usage|disk_space._|${node}`);
  });

  test('of a node that has a field is that node’s', () => {
    expect(eventOf(netdataAlert('x on db-8', 'warning', { host: 'db-7' })).dedupKey).toMatch(/\|db-7$/);
  });

  test('of a node that nothing names is an alert of its own, which no other ends', () => {
    const message = 'CPU usage is 95 % on average';
    expect(eventOf(netdataAlert(message, 'critical'))).toMatchObject({
      state: 'event',
      dedupKey: null,
      severity: 'critical',
    });
    expect(readSent(netdataAlert('CPU usage is fine', 'clear'))).toMatchObject({
      events: [],
      ignored: 'Nothing to do: clear, and nothing names the node',
    });
  });
});

const uptimeRobotReport = (type: string) =>
  eventOf({ monitor_id: '7', monitor_friendly_name: 'Portal', alert_type_friendly_name: type });

test('what UptimeRobot reports of a certificate does not end when the monitor is up again', () => {
  const [down, up, expiry] = [uptimeRobotReport('Down'), uptimeRobotReport('Up'), uptimeRobotReport('SSL expiry')];
  expect(up).toMatchObject({ state: 'resolved', dedupKey: down.dedupKey });
  expect(expiry.state).toBe('firing');
  expect(expiry.dedupKey).not.toBe(up.dedupKey);
});

test.each([
  '[Portal][https://portal.example] server certificate portal.example will expire in 7 days',
  '[Portal][https://portal.example] server certificate portal.example will be expired in 7 days',
])('the warning of a certificate by Uptime Kuma is no test: %s', (msg) => {
  const { events, facts } = readSent({ heartbeat: null, monitor: null, msg });
  expect(facts.isTest).toBe(false);
  expect(events).toMatchObject([{ title: msg, customer: 'Portal', severity: 'warning', state: 'event' }]);
});

/** https://docs.honeybadger.io/guides/integrations/payloads/v2/ */
const honeybadger = (event: string, about: object) =>
  eventOf({ event, message: `[Nordwind] ${event}`, project: { id: 1717, name: 'Nordwind' }, ...about });

const checkIn = (state: string) => honeybadger(`check_in_${state}`, { check_in: { id: 'JxIaZA', state } });

test('a check-in of Honeybadger that is missing is a problem until it reports again', () => {
  const missing = checkIn('missing');
  expect(missing.state).toBe('firing');
  expect(checkIn('reporting')).toMatchObject({ state: 'resolved', dedupKey: missing.dedupKey });
});

const honeybadgerError = (event: string, action: string) =>
  honeybadger(event, { fault: { id: 31, component: 'orders', action, resolved: event === 'resolved' } });

test.each(['index', 'close', 'runtime_error'])(
  'an error that Honeybadger reports of the action %s is a problem until it is resolved',
  (action) => {
    const error = honeybadgerError('occurred', action);
    expect(error.state).toBe('firing');
    expect(honeybadgerError('resolved', action)).toMatchObject({ state: 'resolved', dedupKey: error.dedupKey });
    expect(honeybadgerError('unresolved', action)).toMatchObject({ state: 'firing', dedupKey: error.dedupKey });
  },
);

const rollbarItem = (event: string) =>
  eventOf({ event_name: event, data: { item: { id: 272, title: 'Checkout fails', level: 40, status: 1 } } });

test('an item of Rollbar that occurs again after its end is the same problem, with the same end', () => {
  const begun = rollbarItem('new_item');
  expect(begun.state).toBe('firing');
  expect(rollbarItem('reactivated_item')).toMatchObject({ state: 'firing', dedupKey: begun.dedupKey });
  expect(rollbarItem('resolved_item')).toMatchObject({ state: 'resolved', dedupKey: begun.dedupKey });
});

test('a server that Coolify cannot reach is a problem until it can', () => {
  const [down, up] = [false, true].map((success) =>
    eventOf({ success, event: success ? 'server_reachable' : 'server_unreachable', server_name: 'node-1' }),
  );
  expect(down).toMatchObject({ title: 'node-1 is unreachable', severity: 'high', state: 'firing' });
  expect(up).toMatchObject({ state: 'resolved', dedupKey: down!.dedupKey });
});

/** https://grafana.com/docs/oncall/latest/configure/outgoing-webhooks/ */
const onCall = (type: string, state: string) =>
  eventOf({
    event: { type, time: '2026-03-04T10:00:00Z' },
    alert_group: { id: 'I6HNZGUFG4K11', state, created_at: '2026-03-04T09:58:00Z', title: 'Disk full on db-7' },
    alert_group_id: 'I6HNZGUFG4K11',
    alert_payload: { status: 'firing', labels: { alertname: 'DiskFull' }, annotations: { description: 'As it began' } },
  });

test('an alert group of Grafana OnCall is called by its title, and stands as it does, not as its alert began', () => {
  const created = onCall('alert group created', 'new');
  expect(created).toMatchObject({ title: 'Disk full on db-7', state: 'firing' });
  for (const [type, state] of [
    ['acknowledge', 'acknowledged'],
    ['resolve', 'resolved'],
  ] as const) {
    expect(onCall(type, state)).toMatchObject({ state, dedupKey: created.dedupKey });
  }
});
