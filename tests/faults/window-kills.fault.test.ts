import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { type Occurrence, occurrenceListSchema } from '#backend/contract/maintenance.ts';
import { askPlace } from '#tests/support/ask-place.ts';
import { payloadsOf, standardWebhooksRules, startReceiver } from '#tests/support/outgoing-receiver.ts';
import { startOutgoingServers } from '#tests/support/outgoing-servers.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { planWindow } from '#tests/support/window-calls.ts';
import { must } from '#tests/support/write-routes.ts';

/** Alerts that the window keeps quiet, so many that their release takes several transactions. */
const ALERTS = 450;
const AT_ONCE = 50;

/** Servers are killed so often while the window ends, with this pause, in milliseconds. */
const KILLS = 4;
const PAUSE_MS = 120;

/** Notifications of ended windows that were written down for everybody. */
async function countEnds(place: Parameters<typeof askPlace>[0]): Promise<number> {
  const [row] = await askPlace(place, `SELECT COUNT(*) AS ends FROM changes WHERE facts LIKE '%"ended":{%'`);
  return Number(row?.['ends']);
}

test('a window that ends while servers are killed releases every alert once, with one notification', async () => {
  const secrets: string[] = [];
  const receiver = await startReceiver(standardWebhooksRules(() => secrets));
  onTestFinished(() => receiver.stop());
  const {
    first: { dataDir },
    servers,
    admin,
    world,
    place,
    post,
  } = await startOutgoingServers();
  const made = await world.addDestination({ kind: 'webhook', name: 'Everything', url: receiver.url });
  secrets.push(made.signingSecret ?? '');
  await world.addRule([made.destination.id], { search: 'customer:Kills' });
  const { current } = await planWindow({ admin }, 0, { search: '' });
  const first = async (): Promise<Alert[]> =>
    alertListSchema.parse(await (await admin.get('/api/alerts/inbox?customer=First')).json());
  // Each server has the window in memory once it keeps an alert quiet, a moment later at the latest.
  for (const server of servers) {
    await waitFor(async () => {
      const id = await post({ customer: 'First', title: 'First' }, server);
      if ((await first()).some((alert) => alert.id === id && alert.quietBy !== undefined)) return;
      await must(admin.send('DELETE', `/api/webhooks/${id}`));
      expect.unreachable('the server does not know the window');
    });
  }
  const kept = ALERTS + (await first()).length;

  for (let at = 0; at < ALERTS; at += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, number) =>
        post({ customer: 'Kills', title: `Alert ${at + number}` }, servers[number % servers.length]),
      ),
    );
  }
  const occurrence = async (): Promise<Occurrence | undefined> => {
    const answer = await admin.get('/api/maintenance/occurrences').catch(() => undefined);
    if (!answer?.ok) return undefined;
    return occurrenceListSchema.parse(await answer.json()).find(({ id }) => id === current?.id);
  };
  await waitFor(async () => expect(await occurrence()).toMatchObject({ kept }));
  expect(receiver.taken()).toEqual([]);
  await admin.send('POST', `/api/maintenance/occurrences/${current?.id}/end`);
  await wait(5_000);
  for (let kills = 0; kills < KILLS; kills += 1) {
    await wait(PAUSE_MS + Math.random() * PAUSE_MS);
    const server = servers[kills % servers.length];
    await server?.end('SIGKILL');
    await server?.start();
  }
  await waitFor(async () => expect(await occurrence()).toMatchObject({ state: 'ended', kept, stillFiring: kept }), {
    timeout: 90_000,
    interval: 200,
  });
  expect(await countEnds({ databaseUrl: place.databaseUrl, dataDir })).toBe(1);
  const inbox = alertListSchema.parse(await (await admin.get('/api/alerts/inbox')).json());
  expect(inbox.filter(({ quietBy }) => quietBy !== undefined)).toEqual([]);
  expect(inbox).toHaveLength(kept);
  /** Each alert is sent as new, by one message, which may be taken twice around a kill. */
  const messages = (): Map<string, string> =>
    new Map(
      payloadsOf(receiver.taken()).map(({ data }, at) => [
        String(receiver.taken()[at]?.headers['webhook-id']),
        data.alert.id,
      ]),
    );
  await waitFor(async () => expect(new Set(messages().values()).size).toBe(ALERTS), {
    timeout: 90_000,
    interval: 200,
  });
  expect(messages().size).toBe(ALERTS);
  process.stdout.write(`${ALERTS} alerts, ${KILLS} kills of ${servers.length} server(s): one notification\n`);
}, 240_000);
