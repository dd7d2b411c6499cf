import { narrowStored } from '#backend/alerts/lists/stored-search.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { type RuleActions, ruleDryRunSchema } from '#backend/contract/rule.ts';
import { viewListAnswerSchema } from '#backend/contract/view.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import type { IncomingDelivery } from '#backend/intake/write/incoming-delivery.ts';
import { NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { exportInstallation } from '#backend/transfer/export/export-lines.ts';
import { expectTrueCounts } from '#tests/support/expect-true-counts.ts';
import { DEFAULT_POLICY, plainEvent } from '#tests/support/incoming-events.ts';
import { listenLive } from '#tests/support/live-client.ts';
import { deleteRules, makeRule } from '#tests/support/rule-calls.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { compileRule, createRuleSet } from './rule-set.ts';

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

/** Each test has a problem, a label and rules of its own. */
let problem: string;
let label: string;
let last = 0;
beforeEach(async () => {
  last += 1;
  problem = `Disk of db-${last}`;
  label = `Label ${last}`;
  await deleteRules({ admin });
});

const rule = (actions: RuleActions, search = `"${problem}"`) => makeRule({ admin }, { search, actions });
/** A report of the test's problem. */
const report = (severity = 'warning', action = 'trigger') =>
  admin.postAlert(apiKey, {
    routing_key: 'any',
    event_action: action,
    dedup_key: problem,
    payload: { summary: problem, source: 'db-7', severity },
  });
const found = async (search: string, list = 'all', who = admin): Promise<Alert[]> => {
  const answer = await who.get(`/api/alerts/${list}?${new URLSearchParams({ search })}`);
  expect(answer.status).toBe(200);
  return alertListSchema.parse(await answer.json());
};
const ofProblem = async (): Promise<Alert | undefined> => (await found(`"${problem}"`))[0];
/** What rules did to the problem's alert, the first first. */
const notes = async (): Promise<(string | undefined)[]> => {
  const answer = await admin.get(`/api/alerts/${(await ofProblem())?.id}/history`);
  return historySchema
    .parse(await answer.json())
    .filter(({ action }) => action === 'rule_applied')
    .map(({ note }) => note)
    .toReversed();
};

describe('a label', () => {
  test('is what a rule files an alert under: lists and views find it, whatever the case, and its history names the rule', async () => {
    const { name } = await rule({ label });
    const live = await listenLive(member);
    await report();
    await admin.postAlert(apiKey, { title: 'Another alert' });
    const alert = await ofProblem();
    expect(alert?.label).toBe(label);
    for (const written of [label, label.toUpperCase()]) {
      expect(await found(`label:"${written}"`, 'inbox', member)).toEqual([alert]);
      expect(await found(`label:"${written}" label:elsewhere db-7`)).toEqual([alert]);
      expect(await found(`label:"${written}" severity:critical`)).toEqual([]);
    }
    expect(await found(`label:"${label} and more"`)).toEqual([]);
    const arrived = expect.objectContaining({ type: 'new_alert', alert: expect.objectContaining({ label }) });
    await expect.poll(() => live.events).toContainEqual(arrived);
    live.socket.close();
    expect(await notes()).toEqual([`filed it under ${label}`]);
    const [history] = historySchema.parse(await (await admin.get(`/api/alerts/${alert?.id}/history`)).json());
    expect(history).toMatchObject({ action: 'rule_applied', userDisplayName: name });
    const view = { name: label, list: 'inbox', isShared: true, search: `label:"${label}"` };
    expect((await admin.send('POST', '/api/views', view)).status).toBe(201);
    const counted = async () => {
      const views = viewListAnswerSchema.parse(await (await member.get('/api/views')).json());
      return views.find((one) => one.name === label)?.alerts;
    };
    await expect.poll(counted, { timeout: 20_000 }).toBe(1);
  });

  test('stays where a later report is filed under none, and gives way to another one, which the history says', async () => {
    await rule({ label }, `"${problem}" severity:warning`);
    await rule({ label: `${label}b` }, `"${problem}" severity:critical`);
    await report('warning');
    await report('info');
    expect(await ofProblem()).toMatchObject({ label, occurrences: 2 });
    await report('critical');
    expect(await ofProblem()).toMatchObject({ label: `${label}b`, occurrences: 3 });
    expect(await found(`label:"${label}"`)).toEqual([]);
    await report('critical');
    await report('info', 'resolve');
    const alert = await ofProblem();
    expect(alert).toMatchObject({ label: `${label}b`, state: 'resolved' });
    expect(await found(`label:"${label}b"`)).toEqual([alert]);
    expect(await notes()).toEqual([`filed it under ${label}`, `filed it under ${label}b`]);
  });

  test('is what later rules search for, also in a report that says only what changes', async () => {
    await rule({ label });
    await rule({ alertType: 'storage', notify: 'never' }, `label:"${label.toLowerCase()}"`);
    await report();
    expect(await ofProblem()).toMatchObject({ label, alertType: 'storage' });
    await deleteRules({ admin });
    const { id } = await rule({ suppress: true }, `label:"${label}"`);
    await report('warning', 'acknowledge');
    expect(await ofProblem()).toMatchObject({ label, state: 'acknowledged', quietBy: { id } });
  });

  test('of a dry run is what the alert has and would have', async () => {
    await rule({ label });
    await report();
    const answer = await admin.send('POST', '/api/rules/dry-run', {
      rule: { search: `"${problem}"`, actions: { label: `${label}b` }, isOn: true },
    });
    expect(ruleDryRunSchema.parse(await answer.json())).toMatchObject({
      changed: 1,
      byKind: { names: 1, severity: 0, quiet: 0, people: 0 },
      examples: [{ before: { label }, after: { label: `${label}b` } }],
    });
  });

  test('of a dry run decides nothing: an alert is judged as a report of it that arrives, which has none yet', async () => {
    await rule({ label });
    await report();
    await deleteRules({ admin });
    const { id } = await rule({ suppress: true }, `label:"${label}" "${problem}"`);
    const tried = async () => {
      const answer = await admin.send('POST', '/api/rules/dry-run', {
        id,
        rule: { search: `label:"${label}" "${problem}"`, actions: { notify: 'never' }, isOn: true },
      });
      return ruleDryRunSchema.parse(await answer.json());
    };
    expect(await tried()).toMatchObject({ matched: 0, changed: 0 });
    await report();
    const alert = await ofProblem();
    expect(alert).toMatchObject({ label, occurrences: 2 });
    expect(alert?.quietBy).toBeUndefined();
  });

  test('of an alert that is completed is not that of a new one, by which rules would judge it', async () => {
    await rule({ label });
    await report();
    const before = await ofProblem();
    await admin.send('PATCH', `/api/sources/${before?.sourceId}`, { settings: { reopenWithinMinutes: 0 } });
    await deleteRules({ admin });
    await rule({ suppress: true }, `label:"${label}"`);
    await admin.send('POST', `/api/alerts/${before?.id}/accept`);
    await admin.send('PATCH', `/api/webhooks/${before?.id}/status`, { status: 'completed' });
    await report('warning', 'acknowledge');
    const alerts = await found(`"${problem}"`);
    expect(alerts).toHaveLength(2);
    const later = alerts.find(({ id }) => id !== before?.id);
    expect(later).toMatchObject({ state: 'acknowledged' });
    expect([later?.label, later?.quietBy]).toEqual([undefined, undefined]);
  });

  test('is in an export, and in none of an alert that has none', async () => {
    await rule({ label });
    await report();
    await admin.postAlert(apiKey, { title: `Plain ${problem.length}` });
    const { id } = (await ofProblem()) ?? {};
    const lines: { type?: string; id?: string; label?: string | null }[] = [];
    await server.database.snapshot(async (query) => {
      for await (const { text } of exportInstallation(query, Date.now())) {
        for (const line of text.trimEnd().split('\n')) lines.push(JSON.parse(line) as object);
      }
    });
    const alerts = lines.filter(({ type }) => type === 'alert');
    expect(alerts.find((one) => one.id === id)?.label).toBe(label);
    expect(alerts.some((one) => one.label === null)).toBe(true);
  });

  test.each([{ label: '' }, { label: ' ' }, { label: 'x'.repeat(61) }, { label: null }])(
    'of %o is refused',
    async (actions) => {
      const body = { name: 'Refused', search: '', actions };
      expect((await admin.send('POST', '/api/rules', body)).status).toBe(422);
    },
  );
});

test('a search stands for ten labels at most', async () => {
  const search = Array.from({ length: 11 }, (_, at) => `label:l${at}`).join(' ');
  const answer = await admin.get(`/api/alerts/inbox?${new URLSearchParams({ search })}`);
  expect([answer.status, await answer.text()]).toEqual([400, 'label: stands for 11 labels here, of 10 at most.']);
});

test('two servers with other rules that store reports of one problem at once leave it with one label, which its lists know', async () => {
  const list = await narrowStored(server.database, `"${problem}"`);
  const writerOf = (under: string) => {
    const compiled = compileRule({ id: crypto.randomUUID(), name: under, version: 1 }, { label: under }, list);
    const rules = createRuleSet([compiled], () => undefined);
    return createBatchWriter(server.database, NO_ECHOES, { ...NOTHING_DECIDES, rules: { current: () => rules } });
  };
  const labels = [label, `${label}b`];
  const writers = labels.map(writerOf);
  const delivery = (): IncomingDelivery => ({
    source: { id: 'built-in', name: 'Monitoring', secretId: null },
    policy: DEFAULT_POLICY,
    isOwn: true,
    receivedAt: Date.now(),
    events: [
      {
        ...plainEvent({
          payload: jsonText('{}'),
          extraData: jsonText('{}'),
          customer: null,
          alertType: null,
          url: '/webhook',
        }),
        title: problem,
        severity: 'warning',
        state: 'firing',
        dedupKey: problem,
      },
    ],
  });
  for (let round = 0; round < 5; round += 1) await Promise.all(writers.map((write) => write([delivery()])));
  const alerts = await found(`"${problem}"`);
  expect(alerts).toMatchObject([{ occurrences: 10 }]);
  const [now] = alerts;
  expect(labels).toContain(now?.label);
  for (const one of labels) expect(await found(`label:"${one}"`)).toEqual(one === now?.label ? alerts : []);
  const filed = await notes();
  expect(filed.at(-1)).toBe(`filed it under ${now?.label}`);
  // Each change of it is in the history, and none that was no change.
  expect(filed.every((note, at) => note !== filed[at - 1])).toBe(true);
});
