import { expect, onTestFinished, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { alertSilenceSchema } from '#backend/contract/silence.ts';
import { provideAlertmanager, startAlertmanager, webhookReceiver } from '#tests/support/alertmanager.ts';
import { LOCAL_NETWORK } from '#tests/support/outgoing-world.ts';
import { ADMIN, startServerProcess } from '#tests/support/server-process.ts';
import { startSilencingSender } from '#tests/support/silencing-sender.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';
import { startTestServer } from '#tests/support/test-server.ts';

const ALERTMANAGER = await provideAlertmanager();
const WAIT = { timeout: 30_000, interval: 200 };

const DISK = {
  labels: { alertname: 'DiskFull', group: 'eu', instance: 'db-7', path: 'C:\\data "new"', severity: 'critical' },
  annotations: { summary: 'Disk of db-7 is full' },
};

test.skipIf(!ALERTMANAGER)(
  'what is accepted is silenced in the real Alertmanager, and once it is resolved there it is over here and not silenced any more',
  async () => {
    const server = await startTestServer(LOCAL_NETWORK, { outgoing: { settleMs: 0 } });
    onTestFinished(() => server.destroy());
    const admin = await server.signedIn({ role: 'admin', displayName: 'Mara' });
    const made = await admin.send('POST', '/api/sources', { name: 'Alertmanager' });
    const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
    const desk = await startAlertmanager(ALERTMANAGER ?? '', webhookReceiver(`${server.url}/webhook`, plain.key ?? ''));
    const asked = async (path: string): Promise<unknown> => (await fetch(`${desk.url}/api/v2${path}`)).json();
    const set = { kind: 'alertmanager', isOn: true, url: desk.url, auth: 'none', minutes: 240 };
    expect((await admin.send('PUT', `/api/sources/${source.id}/silencing`, set)).status).toBe(200);

    await desk.post([DISK]);
    const inbox = async () => alertListSchema.parse(await (await admin.get('/api/alerts/inbox')).json());
    await expect.poll(inbox, WAIT).toHaveLength(1);
    const [{ id } = { id: '' }] = await inbox();
    const silenceOf = async () =>
      alertSilenceSchema.parse(await (await admin.get(`/api/alerts/${id}/silence`)).json()).silence;
    await admin.send('POST', `/api/alerts/${id}/accept`, {});
    await expect.poll(silenceOf, WAIT).toMatchObject({ state: 'active', ownerName: 'Mara', fault: null });
    await expect.poll(() => asked('/alerts'), WAIT).toMatchObject([{ status: { state: 'suppressed' } }]);
    expect(await asked('/silences')).toMatchObject([{ createdBy: 'Mara', status: { state: 'active' } }]);

    // Another owner is another name on the same silence.
    const colleague = await server.signedIn({ role: 'user', displayName: 'Noor' });
    await admin.send('POST', `/api/alerts/${id}/assign`, { userId: colleague.id });
    await expect.poll(silenceOf, WAIT).toMatchObject({ ownerName: 'Noor' });
    expect(await asked('/silences')).toMatchObject([{ createdBy: 'Noor', status: { state: 'active' } }]);

    // It notifies nobody of the end, because it is silenced: it is asked.
    await desk.post([{ ...DISK, endsAt: new Date(Date.now() - 1_000).toISOString() }]);
    const lookAgain = async () => {
      await admin.send('POST', `/api/silences/${(await silenceOf())?.id}/retry`);
      return silenceOf();
    };
    await expect.poll(lookAgain, WAIT).toMatchObject({ state: 'ended', end: 'resolved' });
    expect(await asked('/silences')).toMatchObject([{ status: { state: 'expired' } }]);
    const alert = (await (await colleague.get(`/api/alerts/${id}`)).json()) as object;
    expect(alert).toMatchObject({ state: 'resolved', status: 'accepted' });
  },
);

test('a server that is killed once its silence is made finds it again, and makes no second one', async () => {
  const sender = await startSilencingSender();
  onTestFinished(() => sender.receiver.stop());
  sender.losesAnswers = true;
  const place = await makeTestPlace();
  onTestFinished(() => place.remove());
  const environment = { ...LOCAL_NETWORK, ...(place.databaseUrl && { DATABASE_URL: place.databaseUrl }) };
  const server = await startServerProcess({ environment });
  onTestFinished(() => server.dispose());
  const signedIn = async () => {
    const client = new TestClient(server.url.origin);
    await client.signIn(ADMIN.email, ADMIN.password);
    return client;
  };
  const admin = await signedIn();
  const made = await admin.send('POST', '/api/sources', { name: 'Alertmanager' });
  const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
  const set = { kind: 'alertmanager', isOn: true, url: sender.url, auth: 'none', minutes: 240 };
  expect((await admin.send('PUT', `/api/sources/${source.id}/silencing`, set)).status).toBe(200);
  sender.firing.push({ labels: DISK.labels, fingerprint: 'f1' });
  const { id } = await admin.postAlert(plain.key ?? '', {
    receiver: 'desk',
    groupKey: '{}',
    groupLabels: {},
    alerts: [{ status: 'firing', labels: DISK.labels, fingerprint: 'f1' }],
  });
  await admin.send('POST', `/api/alerts/${id}/accept`, {});
  await expect.poll(() => sender.all().length, { ...WAIT, interval: 1 }).toBe(1);
  await server.end('SIGKILL');
  sender.losesAnswers = false;
  await server.start();
  const after = await signedIn();
  const silenceOf = async () =>
    alertSilenceSchema.parse(await (await after.get(`/api/alerts/${id}/silence`)).json()).silence;
  await expect.poll(silenceOf, { timeout: 60_000, interval: 200 }).toMatchObject({ state: 'active' });
  expect(sender.all()).toHaveLength(1);
  await after.send('POST', `/api/alerts/${id}/unaccept`, {});
  await expect.poll(() => sender.active(), WAIT).toEqual([]);
});
