import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { type RuleActions, ruleDryRunSchema, ruleListSchema, ruleSchema } from '#backend/contract/rule.ts';
import { RuleEntity } from '#backend/alerts/rules/rule-entities.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { NOTHING_DECIDES } from '#backend/intake/write/write-batch.ts';
import { reportRule } from '#backend/outgoing/messages/report-health.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { deleteRules, makeRule, newRule, readRules } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openRules } from './open-rules.ts';
import type { RuleSet } from './rule-set.ts';

let server: TestServer;
let admin: TestClient;
let member: TestClient;
let apiKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
  member = await server.signedIn();
  apiKey = await server.addApiKey();
});
afterAll(async () => {
  await expectTrueCounts(server.database);
  await server.destroy();
});

/** Each test has a customer and rules of its own. */
let customer: string;
let last = 0;
beforeEach(async () => {
  customer = `Customer ${(last += 1)}`;
  await deleteRules({ admin });
});

const rule = (actions: RuleActions, more: object = {}) =>
  makeRule({ admin }, { search: `customer:"${customer}"`, actions, ...more });
const post = async (more: object = {}): Promise<void> => {
  await admin.postAlert(apiKey, { customer, title: 'Disk almost full', ...more });
};
/** A problem of a disk, reported once or again. */
const report = (severity: string, action = 'trigger') =>
  admin.postAlert(apiKey, {
    routing_key: 'any',
    event_action: action,
    dedup_key: customer,
    payload: { summary: `Disk of ${customer}`, source: 'db-7', severity },
  });
const alerts = async (list = 'all', name = customer): Promise<Alert[]> => {
  const answer = await admin.get(`/api/alerts/${list}?customer=${encodeURIComponent(name)}`);
  return alertListSchema.parse(await answer.json());
};
const ofProblem = async (): Promise<Alert | undefined> => {
  const answer = await admin.get(`/api/alerts/all?q=${encodeURIComponent(`Disk of ${customer}`)}`);
  return alertListSchema.parse(await answer.json())[0];
};
const historyOf = async (id = '') =>
  historySchema.parse(await (await admin.get(`/api/alerts/${id}/history`)).json()).toReversed();
/** Of all days: a test may begin on one and end on the next. */
const hitsOf = async (id: string): Promise<number | undefined> =>
  (await readRules({ admin })).find((one) => one.id === id)?.hits.reduce((sum, hits) => sum + hits, 0);

describe('a rule', () => {
  test('sets severity, customer, type and headline, which the history says, and is counted', async () => {
    const names = { customer: `${customer} Ltd`, alertType: 'storage', title: 'Renamed' };
    const actions = { severity: 'critical', ...names } as const;
    const { id, name } = await rule(actions);
    await post();
    await post({ customer: 'Another' });
    const [alert] = await alerts('all', `${customer} Ltd`);
    expect(alert).toMatchObject({ severity: 'critical', alertType: 'storage', title: 'Renamed' });
    expect(await historyOf(alert?.id)).toMatchObject([
      { action: 'received' },
      {
        action: 'rule_applied',
        userDisplayName: name,
        note: `set the severity to critical, set the customer to ${customer} Ltd, set the type to storage, set the headline to Renamed`,
      },
    ]);
    expect(await hitsOf(id)).toBe(1);
    const customers = await (await admin.get('/api/customers')).json();
    expect(customers).toContainEqual(expect.objectContaining({ name: `${customer} Ltd` }));
  });

  test('assigns an alert as it is made, and leaves it in the inbox when the account is disabled', async () => {
    const assignee = await server.signedIn({ displayName: 'Ann Ashby' });
    const { id, name } = await rule({ assigneeId: assignee.id });
    await post();
    const [alert] = await alerts();
    expect(alert).toMatchObject({
      status: 'accepted',
      ownerName: 'Ann Ashby',
      assignment: { kind: 'assigned', byName: `Rule ${name}` },
    });
    expect((await historyOf(alert?.id)).at(-1)).toMatchObject({ action: 'assigned', assigneeName: 'Ann Ashby' });
    const notices = (await (await assignee.get('/api/notices')).json()) as { kind: string; byName: string }[];
    await expect
      .poll(async () => ((await (await assignee.get('/api/notices')).json()) as typeof notices)[0])
      .toMatchObject({ kind: 'assigned', byName: `Rule ${name}` });
    await admin.send('PATCH', `/api/auth/users/${assignee.id}/toggle-active`);
    await post({ title: 'Second' });
    // What a disabled member had may be back in the inbox by now, too.
    expect(await alerts('inbox')).toContainEqual(expect.objectContaining({ title: 'Second', status: 'pending' }));
    const [stored] = ruleListSchema.parse(await (await admin.get('/api/rules')).json());
    expect(stored).toMatchObject({ id, assigneeName: 'Ann Ashby', fault: 'The account of Ann Ashby is disabled.' });
  });

  test('snoozes an alert as it is made, and nobody is notified', async () => {
    await rule({ snoozeMinutes: 60 });
    const live = await listenLive(member);
    await post();
    await expect.poll(() => live.events).toContainEqual(expect.objectContaining({ type: 'new_alert', quiet: true }));
    live.socket.close();
    const [alert] = await alerts();
    expect(alert?.snoozedUntil).toMatch(/^20/);
    expect(await alerts('inbox')).toEqual([]);
  });

  test('suppresses what is kept and marked with its name, until it is about the report no more', async () => {
    const { id, name } = await makeRule(
      { admin },
      { search: `"Disk of ${customer}" severity:critical`, actions: { suppress: true } },
    );
    await report('critical');
    const first = await ofProblem();
    expect(first).toMatchObject({ status: 'pending', quietBy: { id, name } });
    await report('critical');
    expect(await ofProblem()).toMatchObject({ occurrences: 2, quietBy: { id, name } });
    const live = await listenLive(member);
    await admin.send('PATCH', `/api/rules/${id}`, { isOn: false });
    await report('critical');
    await expect
      .poll(() => live.events.find(({ type }) => type === 'alert_updated'))
      .toMatchObject({ reason: 'notify_again' });
    live.socket.close();
    expect((await ofProblem())?.quietBy).toBeUndefined();
    expect(await hitsOf(id)).toBe(2);
  });

  test('notifies of each repeat, or of none', async () => {
    const { id } = await makeRule({ admin }, { search: `"Disk of ${customer}"`, actions: { notify: 'always' } });
    await report('warning');
    const live = await listenLive(member);
    await report('warning');
    await expect.poll(() => live.events.at(-1)).toMatchObject({ type: 'alert_updated', reason: 'notify_again' });
    await admin.send('PATCH', `/api/rules/${id}`, { actions: { notify: 'never', severity: 'high' } });
    await report('warning');
    await expect
      .poll(() => live.events.findLast(({ type }) => type === 'alert_updated'))
      .toMatchObject({ reason: 'repeated', alert: { severity: 'high' } });
    live.socket.close();
  });

  test('stops the rules after it, in an order that administrators change', async () => {
    const first = await rule({ severity: 'low', stop: true });
    const second = await rule({ severity: 'high' });
    await post({ title: 'One' });
    const moved = await admin.send('PUT', '/api/rules/order', { ids: [second.id, first.id] });
    expect(ruleListSchema.parse(await moved.json()).map(({ id }) => id)).toEqual([second.id, first.id]);
    await admin.send('PATCH', `/api/rules/${second.id}`, { actions: { severity: 'high', stop: true } });
    await post({ title: 'Two' });
    expect((await alerts()).map(({ title, severity }) => [title, severity])).toEqual([
      ['Two', 'high'],
      ['One', 'low'],
    ]);
    const wrong = await admin.send('PUT', '/api/rules/order', { ids: [second.id] });
    expect(wrong.status).toBe(409);
  });
});

describe('rules are changed', () => {
  test('in the version that the change was decided on, with a name of their own', async () => {
    const { id, version, name } = await rule({ severity: 'low' });
    const change = (ifVersion: number, body: object) =>
      admin.send('PATCH', `/api/rules/${id}?ifVersion=${ifVersion}`, body);
    const done = await change(version, { name: 'Renamed' });
    expect(ruleSchema.parse(await done.json())).toMatchObject({ name: 'Renamed', version: version + 1 });
    expect((await change(version, { name: 'Again' })).status).toBe(409);
    expect((await admin.send('POST', '/api/rules', newRule({ name: 'RENAMED' }))).status).toBe(409);
    // As it arrives, an alert has no owner, flaps not yet and is kept quiet by nothing.
    for (const search of ['owner:me', 'is:flapping', 'is:test is:Quiet']) {
      expect((await admin.send('POST', '/api/rules', newRule({ name, search }))).status).toBe(422);
    }
    expect((await admin.send('POST', '/api/rules', newRule({ name, actions: {} }))).status).toBe(422);
    const nobody = { assigneeId: '01900000-0000-7000-8000-000000000000' };
    expect((await admin.send('POST', '/api/rules', newRule({ name, actions: nobody }))).status).toBe(422);
  });

  test('and tried before on the newest alerts, without changing any', async () => {
    const critical = { customer, severity: 'critical' };
    for (const title of ['One', 'Two']) await post({ ...critical, title });
    await post({ title: 'Three', severity: 'warning' });
    const { id } = await rule({ severity: 'low' }, { search: `customer:"${customer}" three` });
    const tried = await admin.send('POST', '/api/rules/dry-run', {
      id,
      rule: { search: `customer:"${customer}"`, actions: { notify: 'never' }, isOn: true },
    });
    const found = ruleDryRunSchema.parse(await tried.json());
    expect(found).toMatchObject({
      matched: 3,
      changed: 3,
      fewerNotifications: 3,
      criticalSilenced: 2,
      byKind: { severity: 1, names: 0, quiet: 3, people: 0 },
    });
    expect(found.judged).toBe(found.total);
    expect(found.examples.map(({ before, after }) => [before.severity, after.severity, after.notify])).toEqual([
      ['critical', 'critical', 'never'],
      ['critical', 'critical', 'never'],
      ['low', 'warning', 'never'],
    ]);
    expect((await alerts()).map(({ severity }) => severity)).toEqual(['warning', 'critical', 'critical']);
  });
});

test('two servers apply what either changed at once, and count exactly what both store', async () => {
  const other = await openRules({
    database: server.database,
    events: { subscribe: () => () => undefined },
    logger: createLogger('silent'),
  });
  const { id } = await rule({ severity: 'low' });
  await other.refresh();
  expect(other.current().rules.map((one) => one.id)).toEqual([id]);
  await other.stop();
  await Promise.all(Array.from({ length: 40 }, (_, at) => post({ title: `Alert ${at}` })));
  expect(await hitsOf(id)).toBe(40);
  expect(await alerts()).toHaveLength(40);
});

/** A server of its own beside the one of these tests. */
const openAnother = (andThen: () => void = () => undefined) =>
  openRules({
    database: server.database,
    events: { subscribe: () => () => undefined },
    logger: createLogger('silent'),
    onSwitchedOff: (tx, one, reason) => reportRule(tx, NOTHING_DECIDES, one, reason).then(andThen),
  });

/** Has the first of these rules fail for a report; they are judged in the transactions that store alerts. */
function failIn(rules: RuleSet): void {
  const [compiled] = rules.rules;
  Object.assign(compiled ?? {}, { matches: () => JSON.parse('{') as boolean });
  const said = { customer, alertType: null, sourceId: null, severity: 'none', label: null, title: 'x' } as const;
  expect(rules.judge({ ...said, url: '', isTest: false, payload: '' })).toBeUndefined();
}

const offAlerts = async (name: string): Promise<string[]> => {
  const answer = await admin.get('/api/alerts/inbox?type=Rules&limit=500');
  return alertListSchema.parse(await answer.json()).flatMap(({ title }) => (title?.includes(name) ? [title] : []));
};

test('a rule that fails is switched off once, says why, and its alert is stored', async () => {
  const { id, name, version } = await rule({ severity: 'low' });
  const servers = await Promise.all([openAnother(), openAnother()]);
  for (const { current } of servers) await server.database.transaction(async () => failIn(current()));
  await Promise.all(servers.map((one) => one.stop()));
  expect(await offAlerts(name)).toEqual([`The rule "${name}" has switched itself off`]);
  const stored = await server.database.reads.getRepository(RuleEntity).findOneByOrFail({ id });
  expect(stored).toMatchObject({ isOn: false, version: version + 1 });
  const entries = await server.database.reads
    .getRepository(AuditEntity)
    .findBy({ action: 'rule_changed', subject: name });
  expect(entries).toMatchObject([
    { actorId: null, actorName: 'rules', detail: expect.stringMatching(/^switched off by itself: It failed: /) },
  ]);
  const [shown] = await readRules({ admin });
  expect(shown?.switchedOff?.reason).toMatch(/^It failed: /);
  const on = await admin.send('PATCH', `/api/rules/${id}`, { isOn: true });
  expect(ruleSchema.parse(await on.json()).switchedOff).toBeUndefined();
});

test('a rule whose alert cannot be stored stays on, is left out until rules are read again, and then switched off', async () => {
  const { id, name } = await rule({ severity: 'low' });
  const isOn = async () => (await server.database.reads.getRepository(RuleEntity).findOneByOrFail({ id })).isOn;
  let tries = 0;
  const one = await openAnother(() => {
    tries += 1;
    if (tries === 1) throw new Error('The alert cannot be stored.');
  });
  await one.refresh();
  const untilReadAgain = one.current();
  failIn(untilReadAgain);
  await waitFor(() => expect(tries).toBe(1));
  failIn(untilReadAgain);
  expect(await isOn()).toBe(true);
  expect(await offAlerts(name)).toEqual([]);
  await one.refresh();
  failIn(one.current());
  await one.stop();
  expect(tries).toBe(2);
  expect(await isOn()).toBe(false);
  expect(await offAlerts(name)).toHaveLength(1);
});
