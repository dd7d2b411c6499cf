import { expect, onTestFinished, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import {
  type PrometheusAlert,
  opsgenieReceiver,
  provideAlertmanager,
  startAlertmanager,
  webhookReceiver,
} from '#tests/support/alertmanager.ts';
import { ADMIN, startServerProcess } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const ALERTMANAGER = await provideAlertmanager();

/** Groups are sent again so often that repeats fall into every fault, and so rarely that Alertmanager keeps up. */
const PACE = { groupInterval: '2s', repeatInterval: '10s' };
const WAIT = { timeout: 150_000, interval: 500 };
const LONGEST = 600_000;

const problem = (index: number, groups: number): PrometheusAlert => ({
  labels: { alertname: 'DiskFull', group: `group-${index % groups}`, instance: `db-${index}`, severity: 'critical' },
  annotations: { summary: `Disk of db-${index} is full` },
});

const ended = (alert: PrometheusAlert): PrometheusAlert => ({
  ...alert,
  endsAt: new Date(Date.now() - 1_000).toISOString(),
});

test.skipIf(!ALERTMANAGER).each([
  { alerts: 2_300, groups: 1 },
  { alerts: 5_000, groups: 1 },
  { alerts: 5_000, groups: 500 },
])(
  'of $alerts alerts in $groups groups, sent by Alertmanager to its webhook and to Opsgenie’s API, none waits at the end',
  { timeout: LONGEST },
  async ({ alerts, groups }) => {
    const place = await makeTestPlace();
    onTestFinished(() => place.remove());
    const environment: Record<string, string> = place.databaseUrl ? { DATABASE_URL: place.databaseUrl } : {};
    const server = await startServerProcess({ environment });
    onTestFinished(() => server.dispose());
    let admin = new TestClient(server.url.origin);
    const signIn = async () => {
      admin = new TestClient(server.url.origin);
      await admin.signIn(ADMIN.email, ADMIN.password);
    };
    await signIn();
    const makeSource = async (adapter: string) => {
      const made = await admin.send('POST', '/api/sources', { name: adapter, adapter });
      const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
      return { id: source.id, key: plain.key ?? '' };
    };
    const [webhook, opsgenie] = [await makeSource('alertmanager'), await makeSource('opsgenie')];
    const count = async (list: string, source: { id: string }): Promise<number> => {
      const response = await admin.get(`/api/alerts/${list}?limit=1&source=${source.id}`);
      expect(response.status).toBe(200);
      return Number(response.headers.get('x-total-count'));
    };
    const counts = async (list: string) => ({
      webhook: await count(list, webhook),
      opsgenie: await count(list, opsgenie),
    });
    const { origin } = server.url;
    const desk = await startAlertmanager(
      ALERTMANAGER ?? '',
      webhookReceiver(`${origin}/webhook`, webhook.key) + opsgenieReceiver(origin, opsgenie.key),
      PACE,
    );
    const problems = Array.from({ length: alerts }, (_, index) => problem(index, groups));
    const each = { webhook: alerts, opsgenie: groups };

    // The server dies while the storm comes.
    await desk.post(problems.slice(0, alerts / 2));
    await server.end('SIGKILL');
    await desk.post(problems.slice(alerts / 2));
    await server.start();
    await signIn();
    await waitFor(async () => expect(await counts('inbox')).toEqual(each), WAIT);

    // Some are silenced while they go on; Alertmanager starts again, and Prometheus posts what fires once more.
    const silences = [await desk.silence('instance', 'db-1'), await desk.silence('group', 'group-0')];
    await desk.restart();
    await desk.post(problems);
    for (const id of silences) await desk.unsilence(id);
    expect(await counts('inbox')).toEqual(each);

    // A third ends; then all of it, while the server dies once more.
    const third = problems.filter((_, index) => index % 3 === 0);
    await desk.post(third.map(ended));
    await waitFor(async () => expect((await counts('inbox')).webhook).toBe(alerts - third.length), WAIT);
    await desk.post(problems.map(ended));
    await server.end('SIGKILL');
    await server.start();
    await signIn();
    await waitFor(async () => expect(await counts('inbox')).toEqual({ webhook: 0, opsgenie: 0 }), WAIT);

    // Nothing is lost, nothing is there twice.
    expect(await counts('all')).toEqual(each);
    const last = alertListSchema.parse(
      await (await admin.get(`/api/alerts/all?limit=500&source=${opsgenie.id}`)).json(),
    );
    for (const alert of last) expect(alert).toMatchObject({ status: 'completed', state: 'resolved' });
  },
);
