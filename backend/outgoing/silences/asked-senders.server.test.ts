import { expect, onTestFinished, test } from 'vitest';
import { silencingSchema } from '#backend/contract/silence.ts';
import { LOCAL_NETWORK, outgoingWorld } from '#tests/support/outgoing-world.ts';
import { PAGERDUTY_FROM, PAGERDUTY_KEY, startPagerdutySender } from '#tests/support/pagerduty-sender.ts';
import { startTestServer } from '#tests/support/test-server.ts';
import { pagerdutyIncident, useSilencingServer } from '#tests/support/silencing-server.ts';

const { server, admin, actAs, addSource, put, silenceOf, accept, inbox } = useSilencingServer();

/** A PagerDuty with a source of it, and its incident. */
async function startPagerduty() {
  const sender = await startPagerdutySender();
  onTestFinished(() => sender.receiver.stop());
  const source = await addSource('pagerduty');
  const settings = { kind: 'pagerduty', url: sender.url, user: PAGERDUTY_FROM, secret: PAGERDUTY_KEY };
  const report = (type = 'triggered') => admin().postAlert(source.key, pagerdutyIncident(type));
  return { sender, source, settings, report };
}

test('what was accepted before silencing was switched on is silenced, also once it is switched on again', async () => {
  const { sender, source, settings, report } = await startPagerduty();
  const { id } = await report();
  await accept(id);
  await put(source.id, settings);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active' });
  await put(source.id, { ...settings, isOn: false });
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended', end: 'switched-off' });
  await put(source.id, settings);
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active' });
  expect(sender.notes).toHaveLength(2);
});

test('a sender that cannot be silenced is one alert for administrators, and is resolved once it can be again', async () => {
  const { source, settings, report } = await startPagerduty();
  await put(source.id, { ...settings, secret: 'letmein' });
  const { id } = await report();
  // Two attempts have failed before.
  await server().database.transaction((tx) => tx.query('UPDATE silencing SET failures = 2 WHERE id = ?', [source.id]));
  await accept(id);
  const title = `The sender of "${source.name}" cannot be silenced`;
  await expect.poll(inbox).toEqual([title]);
  const { settings: shown } = silencingSchema.parse(
    await (await admin().get(`/api/sources/${source.id}/silencing`)).json(),
  );
  expect(shown?.failing).toBe('401: The API key is wrong or was deleted.');
  await put(source.id, settings);
  await server().database.transaction((tx) => tx.query('UPDATE silences SET next_at = 0'));
  await expect.poll(inbox).toEqual([]);
  expect(await silenceOf(id)).toMatchObject({ state: 'active' });
});

test('a silence that is over is no success of a sender that cannot be silenced', async () => {
  const { source, settings, report } = await startPagerduty();
  await put(source.id, settings);
  const { id: over } = await report();
  await accept(over);
  await expect.poll(() => silenceOf(over)).toMatchObject({ state: 'active' });
  await admin().send('POST', `/api/alerts/${over}/unaccept`, {});
  await expect.poll(() => silenceOf(over)).toMatchObject({ state: 'ended' });
  await put(source.id, { ...settings, secret: 'letmein' });
  await server().database.transaction((tx) => tx.query('UPDATE silencing SET failures = 2 WHERE id = ?', [source.id]));
  const { id } = await admin().postAlert(source.key, pagerdutyIncident('triggered', { id: 'POTHER', title: 'Other' }));
  await accept(id);
  const title = `The sender of "${source.name}" cannot be silenced`;
  await expect.poll(inbox).toContain(title);
  const rowOf = async () => {
    const [row] = await server().database.reads.query(
      'SELECT revision, next_at AS nextAt FROM silences WHERE alert_id = ?',
      [over],
    );
    return row as { revision: number; nextAt: number | null };
  };
  const { revision } = await rowOf();
  await report();
  await expect.poll(async () => (await rowOf()).revision).toBeGreaterThan(revision);
  await expect.poll(async () => (await rowOf()).nextAt).toBeNull();
  const [health] = await server().database.reads.query('SELECT failures FROM silencing WHERE id = ?', [source.id]);
  expect(Number((health as { failures: number }).failures)).toBeGreaterThanOrEqual(3);
  expect(await inbox()).toContain(title);
});

test('what is wrong of a source or a destination that is deleted is an open alert no more', async () => {
  const { source, settings, report } = await startPagerduty();
  await put(source.id, { ...settings, secret: 'letmein' });
  const world = outgoingWorld(admin);
  const { destination } = await world.addDestination({ kind: 'webhook', name: 'Nowhere', url: 'http://127.0.0.1:1' });
  await world.addRule([destination.id], { search: 'Queue', events: ['accepted'] });
  // Two attempts of each have failed before.
  await server().database.transaction(async (tx) => {
    await tx.query('UPDATE silencing SET failures = 2');
    await tx.query('UPDATE outgoing_destinations SET failures = 2');
  });
  const { id } = await report();
  await accept(id);
  await expect
    .poll(async () => (await inbox()).toSorted())
    .toEqual(['Messages to "Nowhere" do not get through', `The sender of "${source.name}" cannot be silenced`]);
  await admin().send('DELETE', `/api/sources/${source.id}`);
  await admin().send('DELETE', `/api/outgoing/destinations/${destination.id}`);
  await expect.poll(inbox).toEqual([]);
});

test('what is completed is resolved at its sender where that is wanted, also when it was never accepted before', async () => {
  const { sender, source, settings, report } = await startPagerduty();
  await put(source.id, { ...settings, resolvesCompleted: true });
  const { id } = await report();
  await admin().send('POST', `/api/alerts/${id}/accept`, {});
  await admin().send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' });
  await expect.poll(() => sender.status).toBe('resolved');
  await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended', end: 'completed' });
});

test('an alert that its sender does not know is given up, and says so', async () => {
  const { source, settings } = await startPagerduty();
  await put(source.id, settings);
  const { id } = await admin().postAlert(source.key, pagerdutyIncident('triggered', { id: 'PGONE' }));
  await accept(id);
  await expect
    .poll(() => silenceOf(id))
    .toMatchObject({
      state: 'impossible',
      fault: 'PagerDuty has no such incident, or the API key belongs to another account.',
    });
});

test('a change of settings that a colleague has saved since is refused, and shows theirs', async () => {
  const { source, settings } = await startPagerduty();
  expect((await put(source.id, settings, '?ifVersion=0')).status).toBe(200);
  const [first, second] = await Promise.all([
    put(source.id, { ...settings, minutes: 60 }, '?ifVersion=1'),
    put(source.id, { ...settings, minutes: 120 }, '?ifVersion=1'),
  ]);
  expect([first.status, second.status].toSorted()).toEqual([200, 409]);
  const refused = (await (first.status === 409 ? first : second).json()) as { silencing: unknown };
  expect(silencingSchema.parse(refused.silencing).settings).toMatchObject({ version: 2 });
  const missing = await put(source.id, { ...settings, user: '' });
  expect(missing.status).toBe(422);
});

test.runIf(process.env['TEST_DIALECT'] === 'mysql')(
  'of two servers one asks the sender, whichever of them somebody accepts at and returns at',
  async () => {
    const first = await startTestServer(LOCAL_NETWORK, { isOneOfSeveral: true });
    const second = await first.startSecond();
    try {
      const [one, other] = [
        await first.signedIn({ role: 'admin', displayName: 'Mara' }),
        await second.signedIn({ role: 'admin', displayName: 'Noor' }),
      ];
      actAs(one);
      const { sender, source, settings, report } = await startPagerduty();
      await put(source.id, settings);
      const { id } = await report();
      for (let round = 0; round < 4; round += 1) {
        await one.send('POST', `/api/alerts/${id}/accept`, {});
        await one.send('POST', `/api/alerts/${id}/unaccept`, {});
        await other.send('POST', `/api/alerts/${id}/accept`, {});
        if (round < 3) await other.send('POST', `/api/alerts/${id}/unaccept`, {});
      }
      await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'active', ownerName: 'Noor' });
      expect(sender.status).toBe('acknowledged');
      // Each time it was begun has one note and one acknowledgment.
      expect(new Set(sender.notes).size).toBe(sender.notes.length);
      await other.send('POST', `/api/alerts/${id}/unaccept`, {});
      await expect.poll(() => silenceOf(id)).toMatchObject({ state: 'ended' });
    } finally {
      await second.stop();
      await first.destroy();
    }
  },
);
