import { setTimeout as delay } from 'node:timers/promises';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { GaleraWorld } from './galera-world.ts';
import { type OwnershipEntry, replayHistory } from './replay-history.ts';
import type { TestClient } from './test-client.ts';

/** Senders, people, and the problems that all senders report. */
const POSTERS = 20;
const PEOPLE = 6;
const PROBLEMS = 10;
/** People take their alerts from so many of the newest, so they often want the same. */
const WANTED = 30;

/** An answer that did not come after so long is given up, in milliseconds; servers answer within 5 s. */
const GIVE_UP_MS = 12_000;
/** Between a sender's attempts, between two things that a person does, and between two messages of a sender. */
const AGAIN_MS = 150;
const PERSON_MS = 60;
const POSTER_MS = 40;

/** What can be killed; of a partition it is the connection of a node to the others that is cut. */
export const KINDS = ['server', 'node', 'partition', 'redis', 'proxy'] as const;
type Kind = (typeof KINDS)[number];

/** A proxy in front of some of the servers. */
export interface StormProxy {
  origin: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** What happened, and what must not have. */
export interface StormReport {
  kills: Record<Kind, number>;
  attempts: number;
  acknowledged: number;
  /** Attempts that were answered with 503 and `Retry-After`, and those without an answer. */
  refused: number;
  unanswered: number;
  longestMs: number;
  /** Alerts that people were answered to be theirs. */
  accepted: number;
  /** What people did, by status; 0 is no answer. */
  actions: Record<number, number>;
  lost: string[];
  duplicated: string[];
  twoOwners: string[];
  unexpected: string[];
}

interface Storm {
  world: GaleraWorld;
  proxy: StormProxy | undefined;
  report: StormReport;
  /** Ids by the title of each acknowledged message. */
  stored: Map<string, string>;
  /** Reports of each problem that were acknowledged. */
  reported: Map<string, number>;
  /** Who was answered that an alert is theirs. */
  accepted: { id: string; by: string }[];
  newest: string[];
}

const below = (limit: number): number => Math.floor(Math.random() * limit);
const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;

const originsOf = ({ world, proxy }: Storm): string[] => [
  ...world.servers.map(({ url }) => url.origin),
  ...(proxy ? [proxy.origin] : []),
];

/** An answer of a proxy that reached no server. */
const isOfProxy = ({ status, headers }: Response): boolean =>
  [502, 503, 504].includes(status) && !headers.has('Retry-After');

/** Sends one message until it is acknowledged, as senders do: with the same key, to whichever server. */
async function deliver(storm: Storm, key: string, body: object): Promise<string | undefined> {
  const { report, world } = storm;
  for (;;) {
    report.attempts += 1;
    const startedAt = performance.now();
    const answer = await fetch(`${pick(originsOf(storm))}/webhook`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Webhook-Auth': world.key, 'Idempotency-Key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(GIVE_UP_MS),
    })
      .then(async (response) => ({ response, text: await response.text() }))
      .catch(() => undefined);
    report.longestMs = Math.max(report.longestMs, Math.round(performance.now() - startedAt));
    if (answer?.response.status === 202) {
      report.acknowledged += 1;
      return webhookReceiptSchema.parse(JSON.parse(answer.text)).id;
    }
    if (!answer || isOfProxy(answer.response)) report.unanswered += 1;
    else if (answer.response.status === 503) report.refused += 1;
    else {
      report.unexpected.push(`POST /webhook: ${answer.response.status} ${answer.text}`);
      return undefined;
    }
    await delay(AGAIN_MS);
  }
}

async function post(storm: Storm, poster: number, stopping: AbortSignal): Promise<void> {
  for (let number = 0; !stopping.aborted; number += 1) {
    const title = `Storm ${poster}-${number}`;
    if (number % 4 === 3) {
      const problem = `problem-${below(PROBLEMS)}`;
      const report = { title: problem, dedup_key: problem, status: 'firing', customer: 'Everybody' };
      if (await deliver(storm, title, report)) storm.reported.set(problem, (storm.reported.get(problem) ?? 0) + 1);
    } else {
      const id = await deliver(storm, title, { title, customer: `Customer ${number % 5}`, alertType: 'storm' });
      if (id !== undefined) {
        storm.stored.set(title, id);
        storm.newest = [id, ...storm.newest].slice(0, WANTED);
      }
    }
    await delay(POSTER_MS);
  }
}

/** Does what people do with the alerts that everybody wants, at whichever server. */
async function act(storm: Storm, person: TestClient, stopping: AbortSignal): Promise<void> {
  const { report } = storm;
  const by = person.session?.displayName ?? '';
  for (; !stopping.aborted; await delay(PERSON_MS)) {
    if (storm.newest.length === 0) continue;
    const id = pick(storm.newest);
    const [method, path, body] = pick<readonly [string, string, object?]>([
      ['POST', `/api/alerts/${id}/accept`],
      ['POST', `/api/alerts/${id}/accept`],
      ['POST', `/api/alerts/${id}/unaccept`],
      ['PATCH', `/api/webhooks/${id}/status`, { status: 'in-progress' }],
      ['PATCH', `/api/webhooks/${id}/status`, { status: 'completed' }],
    ]);
    const answer = await person
      .at(pick(originsOf(storm)))
      .send(method, path, body)
      .catch(() => undefined);
    const status = !answer || isOfProxy(answer) ? 0 : answer.status;
    report.actions[status] = (report.actions[status] ?? 0) + 1;
    if (![0, 200, 403, 404, 409, 503].includes(status)) {
      report.unexpected.push(`${method} ${path}: ${status} ${await answer?.text()}`);
    }
    if (status !== 200 || !path.endsWith('/accept')) continue;
    report.accepted += 1;
    storm.accepted.push({ id, by });
  }
}

/** Starts a server until it runs, as a supervisor does: it does not while its node is away. @returns what it said else */
async function startAgain(start: () => Promise<void>): Promise<string | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await start();
      return undefined;
    } catch (error) {
      const isSentence = /The database .*(?:cannot be used|went away while)/.test(String(error));
      if (!isSentence || attempt === 120) return String(error);
      await delay(1_000);
    }
  }
}

/** Kills one thing after the other, also while another one is still away; of each kind one at a time. */
async function kill(storm: Storm, stopping: AbortSignal): Promise<void> {
  const { world, proxy, report } = storm;
  const away = new Map<Kind, Promise<void>>();
  const faults: Record<Kind, () => Promise<void>> = {
    async server() {
      const server = pick(world.servers);
      await server.end('SIGKILL');
      await delay(below(2_000));
      const error = await startAgain(() => server.start());
      if (error !== undefined) report.unexpected.push(error);
    },
    async node() {
      const node = pick(world.cluster.nodes);
      await node.kill();
      await delay(below(4_000));
      await node.rejoin();
    },
    async partition() {
      const node = pick(world.cluster.nodes);
      await node.isolate();
      await delay(below(12_000));
      await node.reconnect();
    },
    async redis() {
      await world.redis.kill();
      await delay(below(6_000));
      await world.redis.start();
    },
    async proxy() {
      await proxy?.kill();
      await delay(below(2_000));
      await proxy?.start();
    },
  };
  for (let number = 0; !stopping.aborted; number += 1) {
    await delay(500 + below(3_000), undefined, { signal: stopping }).catch(() => undefined);
    // Two nodes of three stay together.
    const hasMajorityOnly = away.has('node') || away.has('partition');
    const isFree = (kind: Kind): boolean =>
      kind === 'proxy' ? proxy !== undefined : !(hasMajorityOnly && ['node', 'partition'].includes(kind));
    const free = KINDS.filter((kind) => !away.has(kind) && isFree(kind));
    if (stopping.aborted || free.length === 0) continue;
    const kind = number === 0 ? 'node' : pick(free);
    report.kills[kind] += 1;
    away.set(
      kind,
      faults[kind]()
        .catch((error: unknown) => report.unexpected.push(`${kind}: ${String(error)}`))
        .then(() => void away.delete(kind)),
    );
  }
  await Promise.all(away.values());
}

/**
 * Lets senders post and people work at three servers for a while, and kills what they work with; then waits until
 * everything is back and every message was acknowledged.
 */
export async function rageFor(
  world: GaleraWorld,
  { milliseconds, proxy }: { milliseconds: number; proxy?: StormProxy },
): Promise<Storm> {
  const report: StormReport = {
    kills: { server: 0, node: 0, partition: 0, redis: 0, proxy: 0 },
    attempts: 0,
    acknowledged: 0,
    refused: 0,
    unanswered: 0,
    longestMs: 0,
    accepted: 0,
    actions: {},
    lost: [],
    duplicated: [],
    twoOwners: [],
    unexpected: [],
  };
  const storm: Storm = { world, proxy, report, stored: new Map(), reported: new Map(), accepted: [], newest: [] };
  const people: TestClient[] = [];
  for (let number = 0; number < PEOPLE; number += 1) people.push(await world.addMember(`Storm person ${number}`));
  const stopping = AbortSignal.timeout(milliseconds);
  await Promise.all([
    ...Array.from({ length: POSTERS }, (_, poster) => post(storm, poster, stopping)),
    ...people.map((person) => act(storm, person, stopping)),
    kill(storm, stopping),
  ]);
  return storm;
}

/** Compares what a node has with what was answered. */
export async function judge({ report, stored, reported, accepted }: Storm, { reads }: Database): Promise<void> {
  const alerts: { id: string; title: string; status: string; owner: string | null }[] = await reads.query(
    'SELECT alerts.id, title, status, display_name AS owner FROM alerts LEFT JOIN users ON users.id = owner_id ' +
      "WHERE title LIKE 'Storm %'",
  );
  const byTitle = Map.groupBy(alerts, ({ title }) => title);
  for (const [title, id] of stored) {
    if (!byTitle.get(title)?.some((alert) => alert.id === id)) report.lost.push(title);
  }
  for (const [title, found] of byTitle) if (found.length > 1) report.duplicated.push(`${title}: ${found.length} times`);
  const problems: { title: string; occurrences: unknown }[] = await reads.query(
    "SELECT title, occurrences FROM alerts WHERE title LIKE 'problem-%'",
  );
  const counted = problems.map(({ title, occurrences }) => `${title}: ${Number(occurrences)}`).toSorted();
  const expected = [...reported].map(([title, reports]) => `${title}: ${reports}`).toSorted();
  report.duplicated.push(...counted.filter((line) => !expected.includes(line)));
  report.lost.push(...expected.filter((line) => !counted.includes(line)));

  const entries: (OwnershipEntry & { id: string })[] = await reads.query(
    'SELECT alert_id AS id, action, user_display_name AS `by`, assignee_name AS `to`, new_status AS status ' +
      'FROM alert_history ORDER BY alert_id, alert_history.id',
  );
  const histories = Map.groupBy(entries, ({ id }) => id);
  for (const { id, owner, status } of alerts) {
    try {
      const replayed = replayHistory(histories.get(id) ?? []);
      if (replayed.owner === owner && replayed.status === status) continue;
      report.twoOwners.push(`${id}: ${JSON.stringify({ owner, status })}, by its history ${JSON.stringify(replayed)}`);
    } catch (error) {
      report.twoOwners.push(`${id}: ${String(error)}`);
    }
  }
  const acceptances = new Set(entries.filter(({ action }) => action === 'accepted').map(({ id, by }) => `${id} ${by}`));
  report.lost.push(...accepted.map(({ id, by }) => `${id} ${by}`).filter((acceptance) => !acceptances.has(acceptance)));
}
