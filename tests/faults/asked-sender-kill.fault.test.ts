import { expect, onTestFinished, test } from 'vitest';
import { alertSilenceSchema } from '#backend/contract/silence.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { LOCAL_NETWORK } from '#tests/support/outgoing-world.ts';
import { PAGERDUTY_FROM, PAGERDUTY_KEY, startPagerdutySender } from '#tests/support/pagerduty-sender.ts';
import { PAGERDUTY } from '#tests/support/quiet-vendors.ts';
import { ADMIN, startServerProcess } from '#tests/support/server-process.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { makeTestPlace } from '#tests/support/test-place.ts';

const WAIT = { timeout: 60_000, interval: 200 };

test('a server that is killed between what a sender did and its own record acknowledges once, with one note', async () => {
  const sender = await startPagerdutySender();
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
  const made = await admin.send('POST', '/api/sources', { name: 'PagerDuty', adapter: 'pagerduty' });
  const { source, plain } = sourceWithSecretsSchema.parse(await made.json());
  const settings = { kind: 'pagerduty', isOn: true, url: sender.url, auth: 'bearer', minutes: 240 };
  const set = { ...settings, user: PAGERDUTY_FROM, secret: PAGERDUTY_KEY };
  expect((await admin.send('PUT', `/api/sources/${source.id}/silencing`, set)).status).toBe(200);
  const { id } = await admin.postAlert(plain.key ?? '', PAGERDUTY.payload);
  await admin.send('POST', `/api/alerts/${id}/accept`, {});
  // Its note, its acknowledgment and its snooze are each made, and each answer is lost with the server.
  for (const isDone of [
    () => sender.notes.length > 0,
    () => sender.acknowledgements > 0,
    () => (sender.unacknowledgeAt ?? 0) > Date.now() + 60 * 60_000,
  ]) {
    await expect.poll(isDone, { ...WAIT, interval: 1 }).toBe(true);
    await server.end('SIGKILL');
    await server.start();
  }
  sender.losesAnswers = false;
  const after = await signedIn();
  const silenceOf = async () =>
    alertSilenceSchema.parse(await (await after.get(`/api/alerts/${id}/silence`)).json()).silence;
  await expect.poll(silenceOf, WAIT).toMatchObject({ state: 'active', fault: null });
  expect([sender.notes.length, sender.acknowledgements, sender.status]).toEqual([1, 1, 'acknowledged']);
  await after.send('POST', `/api/alerts/${id}/unaccept`, {});
  await expect.poll(silenceOf, WAIT).toMatchObject({ state: 'ended' });
  await expect.poll(() => sender.unacknowledgeAt ?? 0, WAIT).toBeLessThan(Date.now() + 60_000);
});
