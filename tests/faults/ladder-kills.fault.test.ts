import process from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { type LadderRun, ladderRunListSchema } from '#backend/contract/ladder.ts';
import { ladderWorld } from '#tests/support/ladder-world.ts';
import { payloadsOf, standardWebhooksRules, startReceiver } from '#tests/support/outgoing-receiver.ts';
import { startOutgoingServers } from '#tests/support/outgoing-servers.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Ladders that run at once; by hand another number: `LADDER_FAULT_COUNT=400`. */
const LADDERS = Number(process.env['LADDER_FAULT_COUNT'] ?? 100);

/** Servers are killed so often while steps are taken, with this pause, in milliseconds. */
const KILLS = 4;
const PAUSE_MS = 2_500;

const STEPS = 3;

const doneOf = (run: LadderRun | undefined): number => run?.steps.filter(({ state }) => state === 'done').length ?? 0;

test('ladders take every step once while servers are killed, and none after an accept was answered', async () => {
  const secrets: string[] = [];
  const receiver = await startReceiver(standardWebhooksRules(() => secrets));
  onTestFinished(() => receiver.stop());
  const { servers, admin, world, untilAnswered, post, kill } = await startOutgoingServers();
  const made = await world.addDestination({ kind: 'webhook', name: 'Steps', url: receiver.url });
  secrets.push(made.signingSecret ?? '');
  const recipients = [{ kind: 'destination' as const, id: made.destination.id }];
  const steps = Array.from({ length: STEPS }, (_, at) => ({ afterMinutes: at * 30, recipients }));
  await ladderWorld(() => admin).addLadder('Ladders', { steps, repeat: 0, isUrgent: false });

  const runOf = async (alertId: string): Promise<LadderRun | undefined> => {
    const answer = await untilAnswered((origin) => admin.at(origin).get(`/api/alerts/${alertId}/ladders`));
    return ladderRunListSchema.parse(await answer.json())[0];
  };
  const accepted = new Map<string, number>();
  const finished: string[] = [];
  /** Brings an alert's steps forward one by one; each second alert is accepted on the way. */
  const follow = async (number: number): Promise<void> => {
    const id = await post({ customer: 'Ladders', title: `Alert ${number}` });
    for (;;) {
      const run = await runOf(id);
      const done = doneOf(run);
      if (run && number % 2 === 0 && done > number % STEPS) {
        await untilAnswered((origin) => admin.at(origin).send('POST', `/api/alerts/${id}/accept`, {}));
        accepted.set(id, doneOf(await runOf(id)));
        return;
      }
      if (run?.endReason === 'not-taken') {
        finished.push(id);
        return;
      }
      const next = run?.steps.find(({ state }) => state === 'next');
      if (run && next && next.position > 0) {
        const path = `/api/alerts/${id}/ladders/${run.id}/skip`;
        await untilAnswered((origin) => admin.at(origin).send('POST', path, { position: next.position }));
      }
      await wait(200 + Math.random() * 400);
    }
  };
  const killing = kill(KILLS, PAUSE_MS);
  await Promise.all([...Array.from({ length: LADDERS }, (_, number) => follow(number)), killing]);
  for (const [id, atAnswer] of accepted) expect(doneOf(await runOf(id))).toBe(atAnswer);
  const wanted = [...accepted.values(), ...finished.map(() => STEPS)].reduce((sum, count) => sum + count, 0);
  const idsTaken = (): Set<string> => new Set(receiver.taken().map(({ headers }) => String(headers['webhook-id'])));
  /** Ids of the messages that were taken of each alert. */
  const messagesOf = (): Map<string, Set<string>> => {
    const perAlert = new Map<string, Set<string>>();
    const taken = receiver.taken();
    for (const [at, { data }] of payloadsOf(taken).entries()) {
      const ids = perAlert.get(data.alert.id) ?? new Set();
      perAlert.set(data.alert.id, ids.add(String(taken[at]?.headers['webhook-id'])));
    }
    return perAlert;
  };
  await waitFor(async () => expect(finished.filter((id) => (messagesOf().get(id)?.size ?? 0) < STEPS)).toEqual([]), {
    timeout: 60_000,
    interval: 200,
  });
  const perAlert = messagesOf();
  // Of an alert that was accepted, a step that was not sent by then is not sent any more.
  for (const id of finished) expect(perAlert.get(id)?.size).toBe(STEPS);
  for (const [id, count] of accepted) expect(perAlert.get(id)?.size ?? 0).toBeLessThanOrEqual(count);
  process.stdout.write(
    `${LADDERS} ladders, ${KILLS} kills of ${servers.length} server(s): ${wanted} steps, ` +
      `${accepted.size} accepted on the way, ${idsTaken().size} messages, ` +
      `${receiver.taken().length - idsTaken().size} of them twice\n`,
  );
}, 240_000);
