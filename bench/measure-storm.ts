import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { type Child, startChild } from './child.ts';
import type { BenchDatabase } from './databases.ts';
import type { Part } from './part.ts';
import { type Target, judge, verdictRow } from './report.ts';
import type { PeopleCommand, Seen } from './storm-people.ts';
import type { SendersCommand, Sent } from './storm-senders.ts';

/** What is promised in a storm. */
const TARGETS = {
  unanswered: { name: 'requests of senders without an answer', unit: '', required: 0, goal: 0, isAtLeast: false },
  refused: { name: 'longest until a sender is refused', unit: 'ms', required: 1_000, goal: 750, isAtLeast: false },
  stored: { name: 'longest until a sender gets its 202', unit: 'ms', required: 5_000, goal: 3_000, isAtLeast: false },
  list: { name: 'longest list of somebody who reads', unit: 'ms', required: 1_000, goal: 500, isAtLeast: false },
  readyz: { name: 'longest /readyz', unit: 'ms', required: 1_000, goal: 500, isAtLeast: false },
  memory: { name: 'memory of the server at most', unit: 'MB', required: 500, goal: 300, isAtLeast: false },
} as const satisfies Record<string, Target>;

/** Live clients, a third of which never reads, ten of each member. */
const READERS = 200;
const SLOW = 100;
const SOCKETS_PER_MEMBER = 10;

/**
 * Connections of senders that are kept, and those that are opened for each request. They send so many groups of alerts a
 * second whether they are answered or not, several times what can be stored.
 */
const SENDERS = { kept: 600, fresh: 600, perSecond: 600, alerts: 50 };
const STORM_SECONDS = 60;
const RECOVERY_SECONDS = 5;

/** Many more connections, alone: the queue of those that wait to be accepted is finite. */
const MANY = 1_500;
const MANY_SECONDS = 30;

/** One processor for the server, the other for all that it is measured with; none where there are not two. */
const CORES: { server?: number; load?: number } =
  process.platform === 'linux' && availableParallelism() >= 2 ? { server: 0, load: 1 } : {};

type Report = (line: string) => void;

/** Senders above capacity while many pages listen, and very many connections: each database. */
export const benchStorm: Part = async (databases, _options, report) => {
  const rows: string[][] = [];
  const results: Record<string, unknown> = {};
  report(CORES.server === undefined ? 'Not pinned to processors.' : 'The server has one processor, its load another.');
  for (const database of databases) {
    for (const [name, measure] of Object.entries(STORMS)) {
      const { rows: more, result } = await withServer(database, (server) => measure(database, server, report));
      rows.push(...more);
      results[`${name}, ${database.name}`] = result;
    }
  }
  return { rows, results };
};

interface Measured {
  rows: string[][];
  result: object;
}

const STORMS: Record<string, (database: BenchDatabase, server: BenchServer, report: Report) => Promise<Measured>> = {
  'slow pages': measureSlowPages,
  'kept connections': (database, server, report) => measureMany(database, server, { kept: MANY, fresh: 0 }, report),
  'fresh connections': (database, server, report) => measureMany(database, server, { kept: 0, fresh: MANY }, report),
};

async function withServer<T>(database: BenchDatabase, work: (server: BenchServer) => Promise<T>): Promise<T> {
  const server = await startBenchServer('group commit', database, {}, CORES.server);
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
}

const ask = async <T>(child: Child, command: SendersCommand | PeopleCommand): Promise<T> =>
  JSON.parse(await child.ask(JSON.stringify(command))) as T;

/** The most that the process held so far, in MB. Source: proc_pid_status(5). */
function mostHeldBy(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}

async function measureSlowPages(database: BenchDatabase, server: BenchServer, report: Report): Promise<Measured> {
  const people = startChild('storm-people.ts', [], {}, CORES.load);
  const senders = startChild('storm-senders.ts', [], {}, CORES.load);
  try {
    const { url, apiKey, pid } = server;
    const [cookie = '', ...cookies] = await server.members(1 + (READERS + SLOW) / SOCKETS_PER_MEMBER);
    await ask(people, { do: 'open', url, cookies, readers: READERS, slow: SLOW });
    await ask(people, { do: 'watch', url, cookie });
    const sent = await ask<Sent>(senders, { url, apiKey, ...SENDERS, seconds: STORM_SECONDS });
    const seen = await ask<Seen>(people, { do: 'seen' });
    const memory = mostHeldBy(pid);
    await wait(RECOVERY_SECONDS * 1_000);
    const after = await ask<Sent>(senders, { url, apiKey, kept: 1, fresh: 1, seconds: 1 });
    const result = { sent, seen, memory, after };
    report(`${database.name}, slow pages: ${JSON.stringify(result)}`);
    const isRecovered = Object.keys(after.statuses).join() === '202' && Object.keys(after.unanswered).length === 0;
    const name = database.name;
    const rows = [
      ...senderRows(
        name,
        `${SENDERS.perSecond} requests a second of ${SENDERS.alerts} alerts each, ${READERS + SLOW} pages`,
        sent,
      ),
      [
        name,
        'live clients that read',
        seen.delay.events === 0 ? 'no event' : `p50 ${Math.round(seen.delay.p50)} ms`,
        seen.delay.events === 0
          ? ''
          : `p99 ${Math.round(seen.delay.p99)} ms, longest ${Math.round(seen.delay.longest)} ms`,
        `${seen.dropped} dropped`,
      ],
      [
        name,
        'a list meanwhile',
        `p50 ${Math.round(seen.list.p50)} ms`,
        `p99 ${Math.round(seen.list.p99)} ms`,
        `not 200: ${countsOf(seen.list.others)}`,
      ],
      verdictRow(name, judge(TARGETS.list, seen.list.longest)),
      verdictRow(name, judge(TARGETS.readyz, seen.readyz.longest)),
      verdictRow(name, judge(TARGETS.memory, memory)),
      [name, `${RECOVERY_SECONDS} s later`, isRecovered ? 'recovered' : 'not recovered', '', ''],
    ];
    return { rows, result };
  } finally {
    await senders.stop();
    await people.stop();
  }
}

async function measureMany(
  database: BenchDatabase,
  { url, apiKey, pid }: BenchServer,
  connections: { kept: number; fresh: number },
  report: Report,
): Promise<Measured> {
  const senders = startChild('storm-senders.ts', [], {}, CORES.load);
  try {
    const sent = await ask<Sent>(senders, { url, apiKey, ...connections, seconds: MANY_SECONDS });
    const result = { sent, memory: mostHeldBy(pid) };
    const what = connections.kept > 0 ? `${MANY} kept connections` : `${MANY} connections, new for each request`;
    report(`${database.name}, ${what}: ${JSON.stringify(result)}`);
    return { rows: senderRows(database.name, what, sent), result };
  } finally {
    await senders.stop();
  }
}

const countsOf = (counts: Record<string, number>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ') || 'none';

function senderRows(
  database: string,
  what: string,
  { statuses, unanswered, stored, refused, notSent, withoutRetryAfter }: Sent,
): string[][] {
  const sum = Object.values(unanswered).reduce((total, count) => total + count, 0);
  const without = `without an answer: ${countsOf(unanswered)}; without Retry-After: ${withoutRetryAfter}`;
  const longest = `longest 202 ${Math.round(stored.longest)} ms${notSent > 0 ? `; ${notSent} not sent` : ''}`;
  return [
    [database, what, countsOf(statuses), without, longest],
    verdictRow(database, judge({ ...TARGETS.unanswered, name: `${what}: ${TARGETS.unanswered.name}` }, sum)),
    verdictRow(database, judge({ ...TARGETS.refused, name: `${what}: ${TARGETS.refused.name}` }, refused.longest)),
    verdictRow(database, judge({ ...TARGETS.stored, name: `${what}: ${TARGETS.stored.name}` }, stored.longest)),
  ];
}
