import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import {
  type ReceivedRequest,
  payloadsOf,
  standardWebhooksRules,
  startReceiver,
} from '#tests/support/outgoing-receiver.ts';
import { startOutgoingServers } from '#tests/support/outgoing-servers.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { RUNS_LONG } from '#tests/support/what-runs-where.ts';

/** How long alerts arrive, in seconds. By hand more: `OUTGOING_FAULT_SECONDS=600`. */
const SECONDS = Number(process.env['OUTGOING_FAULT_SECONDS'] ?? (RUNS_LONG ? 24 : 10));

/** Alerts that arrive in a second, and of how many one is accepted. */
const RATE = 20;
const ACCEPTED = 4;

/** The destination is away for this part of the time, and a server is killed so often meanwhile and after it. */
const AWAY = 0.6;
const KILLS = RUNS_LONG ? 4 : 2;

/** Memory of a process, in MiB. */
const memoryOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))?.[1] ?? 0) / 1024;

/** Where what the receiver took of an alert is not in order: numbers of the first of each kind. */
const firstOf = (taken: readonly ReceivedRequest[]) => {
  const first = new Map<string, number>();
  for (const [at, { type, data }] of payloadsOf(taken).entries()) {
    const key = `${data.alert.id} ${type}`;
    if (!first.has(key)) first.set(key, at);
  }
  return (alertId: string, event: string) => first.get(`${alertId} alert.${event}`);
};

test(
  'a destination that is away while servers are killed is sent every change afterwards, in order',
  async () => {
    const secrets: string[] = [];
    const receiver = await startReceiver(standardWebhooksRules(() => secrets));
    onTestFinished(() => receiver.stop());
    const { servers, admin, world, untilAnswered, post, kill } = await startOutgoingServers();
    const made = await world.addDestination({ kind: 'webhook', name: 'Away', url: receiver.url });
    secrets.push(made.signingSecret ?? '');
    await world.addRule([made.destination.id], { events: ['new', 'accepted'] });

    receiver.answer({ status: 503 });
    const acknowledged: string[] = [];
    const accepted: string[] = [];
    const postOne = async (number: number): Promise<void> => {
      const id = await post({ customer: `Customer ${number % 7}`, title: `Alert ${number}` });
      acknowledged.push(id);
      if (number % ACCEPTED !== 0) return;
      const answer = await untilAnswered((origin) => admin.at(origin).send('POST', `/api/alerts/${id}/accept`, {}));
      if (answer.status === 200) accepted.push(id);
    };
    const sending: Promise<void>[] = [];
    const began = performance.now();
    let mostMemory = 0;
    const killing = kill(KILLS, (SECONDS * 1000) / (KILLS + 1), async ({ pid }) => {
      mostMemory = Math.max(mostMemory, await memoryOf(pid));
    });
    for (let number = 0; number < SECONDS * RATE; number += 1) {
      sending.push(postOne(number));
      await wait(Math.max(0, began + (number * 1000) / RATE - performance.now()));
      if (number === Math.floor(SECONDS * RATE * AWAY)) receiver.answer(undefined);
    }
    await Promise.all([...sending, killing]);
    const isTakenOf = () => firstOf(receiver.taken());
    const ended = performance.now();
    await waitFor(
      async () => {
        const at = isTakenOf();
        expect(acknowledged.filter((id) => at(id, 'new') === undefined)).toEqual([]);
        expect(accepted.filter((id) => at(id, 'accepted') === undefined)).toEqual([]);
      },
      { timeout: 120_000, interval: 200 },
    );
    const at = isTakenOf();
    expect(accepted.filter((id) => (at(id, 'new') ?? 0) > (at(id, 'accepted') ?? 0))).toEqual([]);
    const known = new Set(acknowledged);
    // Beside these there is the alert about the destination itself.
    const own = receiver.taken().filter((request) => known.has(payloadsOf([request])[0]?.data.alert.id ?? ''));
    const ids = own.map(({ headers }) => String(headers['webhook-id']));
    const distinct = new Set(ids).size;
    expect(distinct).toBe(acknowledged.length + accepted.length);
    const { waiting, notDelivered } = await world
      .destination(made.destination.id)
      .catch(() => ({ waiting: -1, notDelivered: -1 }));
    process.stdout.write(
      `${acknowledged.length} alerts, ${accepted.length} accepted, ${KILLS} kills of ${servers.length} server(s): ` +
        `${distinct} messages taken, ${ids.length - distinct} of them twice, ${receiver.requests.length - receiver.taken().length} refused; ` +
        `caught up ${((ended > 0 ? performance.now() - ended : 0) / 1000).toFixed(1)} s after the last alert; ` +
        `${Math.round(mostMemory)} MiB at most; waiting ${waiting}, not delivered ${notDelivered}\n`,
    );
  },
  (SECONDS + 150) * 1000,
);
