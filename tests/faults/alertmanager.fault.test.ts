import { expect, onTestFinished, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { sourceListSchema, sourceWithSecretsSchema } from '#backend/contract/source.ts';
import {
  type PrometheusAlert,
  opsgenieReceiver,
  provideAlertmanager,
  startAlertmanager,
  webhookReceiver,
} from '#tests/support/alertmanager.ts';
import { readInbox } from '#tests/support/read-inbox.ts';
import { ADMIN, startServerProcess } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const ALERTMANAGER = await provideAlertmanager();

const GROUPS = 10;
const OF_EACH = 5;

/** Fifty problems in ten groups. */
const problems = Array.from({ length: GROUPS * OF_EACH }, (_, index): PrometheusAlert => {
  const group = `group-${index % GROUPS}`;
  return {
    labels: { alertname: 'DiskFull', group, instance: `db-${index}`, severity: 'critical' },
    annotations: { summary: `Disk of db-${index} is full` },
  };
});

const ended = (alert: PrometheusAlert): PrometheusAlert => ({
  ...alert,
  endsAt: new Date(Date.now() - 1_000).toISOString(),
});

const WAIT = { timeout: 60_000, interval: 200 };

test.skipIf(!ALERTMANAGER)(
  'fifty problems of the real Alertmanager are fifty alerts, and none waits once they are resolved, across kill -9',
  async () => {
    const place = await makeTestPlace();
    onTestFinished(() => place.remove());
    const environment: Record<string, string> = place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {};
    const server = await startServerProcess({ environment });
    onTestFinished(() => server.dispose());
    const signedIn = async () => {
      const admin = new TestClient(server.url.origin);
      await admin.signIn(ADMIN.email, ADMIN.password);
      return admin;
    };
    const made = await (await signedIn()).send('POST', '/api/sources', { name: 'Alertmanager' });
    const { plain } = sourceWithSecretsSchema.parse(await made.json());
    const desk = await startAlertmanager(
      ALERTMANAGER ?? '',
      webhookReceiver(`${server.url.origin}/webhook`, plain.key ?? ''),
    );
    const readAlerts = async () => {
      const { admin, total } = await readInbox(server.url);
      const response = await admin.get('/api/alerts/inbox?limit=500');
      return { total, alerts: alertListSchema.parse(await response.json()), admin };
    };

    await desk.post(problems);
    await waitFor(async () => {
      const { alerts } = await readAlerts();
      expect(alerts).toHaveLength(problems.length);
      for (const alert of alerts) expect(alert.occurrences).toBeGreaterThan(1);
    }, WAIT);
    const first = (await readAlerts()).alerts;
    expect(new Set(first.map(({ title }) => title)).size).toBe(problems.length);
    expect(first.every(({ severity, state }) => severity === 'critical' && state === 'firing')).toBe(true);

    // Repeats are in progress when the server dies; half of the problems end while it is down.
    await server.end('SIGKILL');
    const half = (rest: number) => problems.filter((_, index) => index % 2 === rest).map(ended);
    await desk.post(half(0));
    await server.start();
    await waitFor(async () => expect((await readAlerts()).total).toBe(problems.length / 2), WAIT);
    await desk.post(half(1));
    await waitFor(async () => expect((await readAlerts()).total).toBe(0), WAIT);

    const admin = await signedIn();
    const all = await admin.get('/api/alerts/all?limit=500');
    const completed = alertListSchema.parse(await all.json());
    expect(completed.map(({ id }) => id).toSorted()).toEqual(first.map(({ id }) => id).toSorted());
    for (const alert of completed) expect(alert).toMatchObject({ status: 'completed', state: 'resolved' });
    const [source] = sourceListSchema.parse(await (await admin.get('/api/sources')).json());
    expect(source).toMatchObject({ name: 'Alertmanager', recognisedAs: 'alertmanager' });
  },
);

test.skipIf(!ALERTMANAGER)(
  'groups of the real Alertmanager that are sent to Opsgenie’s API are alerts, which follow it and end with it',
  async () => {
    const server = await startServerProcess({ environment: {} });
    onTestFinished(() => server.dispose());
    const admin = new TestClient(server.url.origin);
    await admin.signIn(ADMIN.email, ADMIN.password);
    const made = await admin.send('POST', '/api/sources', { name: 'Opsgenie', adapter: 'opsgenie' });
    const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
    // Alertmanager keeps the key that it has at Opsgenie: its host is all that changes.
    const ownKey = crypto.randomUUID();
    const taken = await admin.send('POST', `/api/sources/${source.id}/rotate`, { kind: 'key', ownKey });
    expect(taken.status).toBe(201);
    const list = async (query: string) => {
      const headers = { Authorization: `GenieKey ${plain.key}` };
      const answer = await fetch(`${server.url.origin}/v2/alerts?query=${encodeURIComponent(query)}`, { headers });
      return ((await answer.json()) as { data: { alias: string; priority: string; tags: string[]; count: number }[] })
        .data;
    };
    const desk = await startAlertmanager(ALERTMANAGER ?? '', opsgenieReceiver(server.url.origin, ownKey));

    await desk.post(problems);
    await waitFor(async () => {
      const open = await list('status: open');
      expect(open).toHaveLength(GROUPS);
      for (const { count } of open) expect(count).toBeGreaterThan(1);
    }, WAIT);
    const [first] = await list('status: open tag: group-3');
    expect(first).toMatchObject({ priority: 'P2', tags: ['disk', 'group-3'] });
    const all = alertListSchema.parse(await (await admin.get('/api/alerts/all?limit=500')).json());
    expect(all).toHaveLength(GROUPS);
    for (const alert of all) expect(alert).toMatchObject({ severity: 'high', alertType: 'DiskFull', state: 'firing' });

    // With one problem less in a group, its alert says so.
    await desk.post(problems.slice(0, 1).map(ended));
    await waitFor(async () => expect(await list(`description: "${OF_EACH - 1} firing"`)).toHaveLength(1), WAIT);
    await desk.post(problems.slice(1).map(ended));
    await waitFor(async () => expect(await list('status: open')).toHaveLength(0), WAIT);
    expect(await list('status: closed')).toHaveLength(GROUPS);
    expect((await readInbox(server.url)).total).toBe(0);
  },
);
