import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readRhythm, writeRhythm } from '#backend/alerts/alert/rhythm.ts';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { MAX_RHYTHM_TURNS } from '#backend/contract/flapping.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import { sourceWithSecretsSchema } from '#backend/contract/source.ts';
import { askPlace } from '#tests/support/ask-place.ts';
import { type ProxiedServers, startProxiedServers } from '#tests/support/proxied-servers.ts';
import { randomOf } from '#tests/support/random-of.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import type { TestPlace } from '#tests/support/test-place.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Rounds of three kills each: where problems begin to flap, while they do, and where they end. */
const ROUNDS = Number(process.env['FLAPPING_ROUNDS'] ?? 3);
const SEED = Number(process.env['FLAPPING_SEED'] ?? Date.now() % 1_000_000);
const random = randomOf(SEED);

/** Problems of a round, which turn at the same time. */
const PROBLEMS = 4;
/** They turn so often: more than what is kept of a problem. Those with an odd number turn once more, and are open in the end. */
const TURNS = MAX_RHYTHM_TURNS + 6;
/** At this turn a server is killed the second time; they begin to flap before. */
const SECOND_KILL = 14;
/** Ends are waited for so long, in milliseconds: a server has to start first, and a machine may be slow. */
const LONGEST_END = 120_000;

/** The embedded database's server is killed so many milliseconds after a commit at most, in what it does next. */
const KILL_WITHIN_MS = 12;

/** When a turn was sent, and when both of its reports were answered. */
interface SentTurn {
  from: number;
  until: number;
}

interface World extends ProxiedServers {
  admin: TestClient;
  key: string;
}

async function startWorld(): Promise<World> {
  const started = await startProxiedServers(2);
  const admin = new TestClient(started.servers[0]?.url.origin ?? '');
  await admin.signIn(ADMIN.email, ADMIN.password);
  const source = await admin.send('POST', '/api/sources', { name: 'Flaps' });
  return { ...started, admin, key: sourceWithSecretsSchema.parse(await source.json()).plain.key ?? '' };
}

/** Tries every server until one answers, beginning with one of them. */
async function untilAnswered({ servers }: World, at: number, send: (origin: string) => Promise<Response>) {
  for (let attempt = 0; ; attempt += 1) {
    const { url } = servers[(at + attempt) % servers.length] ?? {};
    const response = await send(url?.origin ?? '').catch(() => undefined);
    if (response && response.status < 500) return response;
    await delay(15);
  }
}

const statusOf = (isOpen: boolean): string => (isOpen ? 'firing' : 'resolved');

/** Two senders report a turn of a problem at the same moment, each to a server of its own, until both are answered. */
async function turnTo(world: World, problem: string, isOpen: boolean): Promise<SentTurn> {
  const from = Date.now();
  const body = {
    customer: problem,
    title: 'Link down',
    severity: 'high',
    dedup_key: problem,
    status: statusOf(isOpen),
  };
  const answers = await Promise.all(
    [0, 1].map((at) => {
      const headers = { 'Idempotency-Key': crypto.randomUUID() };
      return untilAnswered(world, at, (origin) => world.admin.at(origin).post(world.key, body, headers));
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  return { from, until: Date.now() };
}

/** Resolves once another change with this text is committed. */
async function untilCommitted(place: TestPlace, text: string): Promise<void> {
  const count = async () => {
    const [row] = await askPlace(place, `SELECT COUNT(*) AS found FROM changes WHERE facts LIKE '%${text}%'`);
    return Number(row?.['found']);
  };
  const before = await count();
  while ((await count()) === before) await delay(2);
}

/**
 * Kills the first server whose database has made a commit with this text, before the server knows; on the embedded database in
 * some moment after such a commit. Resolves once the server is back.
 */
async function killAfter({ servers, proxies, place }: World, text: string): Promise<void> {
  const kill = (at: number): number => {
    process.kill(servers[at]?.pid ?? 0, 'SIGKILL');
    return at;
  };
  const at =
    proxies.length > 0
      ? await Promise.race(proxies.map((proxy, number) => proxy.loseCommitOf(text).then(() => kill(number))))
      : await untilCommitted(place, text)
          .then(() => delay(random(KILL_WITHIN_MS)))
          .then(() => kill(0));
  await servers[at]?.end('SIGKILL');
  await servers[at]?.start();
}

/** Alerts of a problem; of each problem there is one. */
async function alertsOf(world: World, problem: string): Promise<Alert[]> {
  const path = `/api/alerts/all?customer=${encodeURIComponent(problem)}`;
  const answer = await untilAnswered(world, 0, (origin) => world.admin.at(origin).get(path));
  return alertListSchema.parse(await answer.json());
}

async function actionsOf(world: World, id: string): Promise<string[]> {
  const answer = await untilAnswered(world, 0, (origin) => world.admin.at(origin).get(`/api/alerts/${id}/history`));
  return historySchema.parse(await answer.json()).map(({ action }) => action);
}

/** How often alerts were announced for a reason, as it was written down for everybody. */
async function countAnnounced({ place }: World, reason: string): Promise<Map<string, number>> {
  const rows = await askPlace(place, `SELECT facts FROM changes WHERE facts LIKE '%"reason":"${reason}"%'`);
  const facts = rows.flatMap((row) => JSON.parse(String(row['facts'])) as { reason?: string; alertIds?: string[] }[]);
  const counts = new Map<string, number>();
  for (const { reason: why, alertIds = [] } of facts) {
    if (why === reason) for (const id of alertIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Nobody waits half an hour here: all turns become an hour older, and the problems are due to be calm. */
async function letAnHourPass({ place }: World): Promise<void> {
  const rows = await askPlace(place, 'SELECT id, rhythm FROM alerts WHERE flapping_since IS NOT NULL');
  for (const { id, rhythm } of rows) {
    const known = readRhythm(String(rhythm));
    const older = writeRhythm({ ...known, turns: known.turns.map((at) => at - 60 * 60_000) });
    await askPlace(place, `UPDATE alerts SET rhythm = '${older}' WHERE id = '${String(id)}'`);
  }
  await askPlace(place, 'UPDATE flapping_ends SET due_at = 1');
}

/** Turns a problem so often. */
async function turnOften(world: World, problem: string, times: number, reached: (turn: number) => Promise<void>) {
  const sent: SentTurn[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    await reached(turn);
    sent.push(await turnTo(world, problem, turn % 2 === 0));
  }
  return sent;
}

test(
  'problems that flap at two servers begin and end that once, and no answered turn is lost, whichever server is killed',
  async () => {
    process.stdout.write(`flapping, seed ${SEED}\n`);
    const world = await startWorld();
    const counted: object[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const problems = Array.from({ length: PROBLEMS }, (_, number) => `Round ${round}, problem ${number}`);
      const began = killAfter(world, '"reason":"flapping"');
      let again: Promise<void> | undefined;
      /** Everybody waits until the first server is back, so that two are there when the second one is killed. */
      const reached = async (turn: number): Promise<void> => {
        if (turn !== SECOND_KILL) return;
        await began;
        again ??= killAfter(world, '"reason":"repeated"');
      };
      const sent = await Promise.all(
        problems.map((problem, number) => turnOften(world, problem, TURNS + (number % 2), reached)),
      );
      await again;

      const cards = await Promise.all(problems.map((problem) => alertsOf(world, problem)));
      expect(cards.map((alerts) => alerts.length)).toEqual(problems.map(() => 1));
      for (const [number, [card]] of cards.entries()) {
        expect(card).toMatchObject({ status: 'pending', state: 'firing', flapping: { isOpen: number % 2 === 1 } });
        const turns = card?.flapping?.turns ?? [];
        const answered = sent[number]?.slice(-MAX_RHYTHM_TURNS) ?? [];
        // Each turn that was answered is there, at a time at which it was on its way.
        expect(turns).toHaveLength(answered.length);
        expect(
          answered.filter(({ from, until }, at) => {
            const moment = Date.parse(turns[at] ?? '');
            return moment < from || moment > until;
          }),
        ).toEqual([]);
      }

      const ids = cards.map(([card]) => card?.id ?? '');
      const ending = killAfter(world, '"reason":"calmed"');
      await letAnHourPass(world);
      await ending;
      await waitFor(
        async () => {
          const after = await Promise.all(problems.map((problem) => alertsOf(world, problem)));
          expect(after.map(([alert]) => alert?.flapping)).toEqual(problems.map(() => undefined));
        },
        { timeout: LONGEST_END, interval: 200 },
      );
      for (const [number, problem] of problems.entries()) {
        const [after, ...others] = await alertsOf(world, problem);
        expect(others).toEqual([]);
        expect(after).toMatchObject(
          number % 2 === 1 ? { status: 'pending', state: 'firing' } : { status: 'completed', state: 'resolved' },
        );
        const actions = await actionsOf(world, after?.id ?? '');
        expect(actions.filter((action) => action === 'flapping' || action === 'calmed')).toEqual([
          'calmed',
          'flapping',
        ]);
      }
      const [beginnings, ends] = [await countAnnounced(world, 'flapping'), await countAnnounced(world, 'calmed')];
      expect(ids.map((id) => [beginnings.get(id), ends.get(id)])).toEqual(ids.map(() => [1, 1]));
      expect(await askPlace(world.place, 'SELECT alert_id FROM flapping_ends')).toEqual([]);
      counted.push({ turns: sent.flat().length, longest: Math.max(...sent.flat().map((one) => one.until - one.from)) });
    }
    process.stdout.write(`${JSON.stringify({ servers: world.servers.length, kills: 3 * ROUNDS, rounds: counted })}\n`);
  },
  60_000 + ROUNDS * 240_000,
);
