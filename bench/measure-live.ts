import { type BenchServer, loadInTurn, startBenchServer } from './bench-server.ts';
import { type Child, startChild } from './child.ts';
import type { BenchDatabase } from './databases.ts';
import type { Count, Delays, ListenCommand } from './listen.ts';
import { type Measurement, median } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, judge, measurementRow, ratioOf, verdictRow } from './report.ts';

/** Limits of the live side, and of durability under load. */
const TARGETS = {
  rate: { name: '100 live clients listening against nobody', unit: '×', required: 0.7, goal: 0.85, isAtLeast: true },
  delay: { name: 'webhook answered → last of 1,000 clients', unit: 'ms', required: 30, goal: 15, isAtLeast: false },
  memory: { name: 'memory per live client, of 1,000', unit: 'KB', required: 20, goal: 10, isAtLeast: false },
  durability: { name: 'synchronous=FULL against NORMAL', unit: '×', required: 0.85, goal: 0.95, isAtLeast: true },
} as const satisfies Record<string, Target>;

/** Connections of one member: the server takes ten. */
const SOCKETS_PER_MEMBER = 10;
const LISTENERS_UNDER_LOAD = 100;
const LISTENERS = 1_000;

/** The paced load. */
const ALERTS_PER_SECOND = 20;

/** How long the clients may take to receive what a run posted. */
const CATCH_UP_MS = 10_000;

type Report = (line: string) => void;

/** The live side on each database, and what does not depend on it on SQLite. */
export const benchLive: Part = async (databases, options, report) => {
  const rows: string[][] = [];
  const results: Record<string, unknown> = {};
  for (const database of databases) {
    const measured = await measureFanOut(database, options, report);
    const verdict = judge(TARGETS.rate, ratioOf('perSecond', measured['100 clients'], measured.nobody));
    rows.push(measurementRow(database.name, 'nobody listens', measured.nobody));
    rows.push(measurementRow(database.name, '100 live clients listen', measured['100 clients']));
    rows.push(verdictRow(database.name, verdict));
    results[`100 clients, ${database.name}`] = { measured, verdict };
  }

  const delays = await measureDelays(options, report);
  const delay = judge(TARGETS.delay, median(delays.map(({ p99 }) => p99)));
  const [p50, max] = [median(delays.map((round) => round.p50)), Math.max(...delays.map((round) => round.max))];
  const paced = `${LISTENERS} live clients, ${ALERTS_PER_SECOND} alerts a second`;
  rows.push(['SQLite', paced, `p50 ${p50.toFixed(1)} ms`, `max ${max.toFixed(1)} ms`, '']);
  rows.push(verdictRow('SQLite', { ...delay, name: `p99 of ${delay.name}` }));
  results['delay'] = { measured: delays, verdict: delay };

  const bytes = await measureMemory(options, report);
  const memory = judge(TARGETS.memory, median(bytes) / 1024);
  rows.push(verdictRow('SQLite', memory));
  results['memory'] = { measured: bytes, verdict: memory };

  const measured = await measureDurability(options, report);
  const durability = judge(TARGETS.durability, ratioOf('perSecond', measured.FULL, measured.NORMAL));
  rows.push(measurementRow('SQLite', 'synchronous=NORMAL', measured.NORMAL));
  rows.push(measurementRow('SQLite', 'synchronous=FULL', measured.FULL));
  rows.push(verdictRow('SQLite', durability));
  results['durability'] = { measured, verdict: durability };
  return { rows, results };
};

/** The full load on two servers in turn: nobody listens to one, 100 clients listen to the other. */
async function measureFanOut(
  database: BenchDatabase,
  options: BenchOptions,
  report: Report,
): Promise<Record<'nobody' | '100 clients', Measurement[]>> {
  const alone = await startBenchServer('group commit', database);
  const listened = await startBenchServer('group commit', database);
  const listeners = startChild('listen.ts', []);
  try {
    await connectMembers(listeners, listened, LISTENERS_UNDER_LOAD, 'one');
    const afterRun = () => expectReceived(listeners, listened);
    return await loadInTurn(
      [
        { name: 'nobody', server: alone },
        { name: '100 clients', server: listened, afterRun },
      ],
      { ...options, where: database.name },
      report,
    );
  } finally {
    await listeners.stop();
    await Promise.all([alone.stop(), listened.stop()]);
  }
}

/** How long after its answer an alert is with the last of 1,000 clients, round by round. */
async function measureDelays({ rounds, seconds }: BenchOptions, report: Report): Promise<Delays[]> {
  const server = await startBenchServer('group commit', undefined);
  const listeners = startChild('listen.ts', []);
  try {
    await connectMembers(listeners, server, LISTENERS, 'all');
    const measured: Delays[] = [];
    // One round that does not count, as everywhere.
    for (let round = 0; round <= rounds; round += 1) {
      const pace = { do: 'pace', apiKey: server.apiKey, perSecond: ALERTS_PER_SECOND, seconds } as const;
      const delays = await ask<Delays>(listeners, pace);
      if (round === 0) continue;
      measured.push(delays);
      report(`Delay, round ${round} of ${rounds}: p50 ${delays.p50.toFixed(1)} ms, p99 ${delays.p99.toFixed(1)} ms`);
    }
    return measured;
  } finally {
    await listeners.stop();
    await server.stop();
  }
}

/**
 * What a live client that has received a few alerts costs the server's memory, in bytes: a fresh server each round. A
 * thousand others are connected before, because the first ones bring what the process takes once: compiled code and the
 * heaps of threads that begin their work, up to 45 MB in all. The greater of two figures: memory that was freed hides what the
 * process takes again.
 */
async function measureMemory({ rounds }: BenchOptions, report: Report): Promise<number[]> {
  const measured: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const server = await startBenchServer('group commit', undefined);
    const [first, second] = [startChild('listen.ts', []), startChild('listen.ts', [])];
    const connect = async (listeners: Child) => {
      await connectMembers(listeners, server, LISTENERS, 'all');
      await ask<Delays>(listeners, { do: 'pace', apiKey: server.apiKey, perSecond: ALERTS_PER_SECOND, seconds: 1 });
    };
    try {
      await connect(first);
      const before = await server.memory();
      await connect(second);
      const after = await server.memory();
      const [held, used] = [(after.held - before.held) / LISTENERS, (after.used - before.used) / LISTENERS];
      measured.push(Math.max(held, used));
      const figures = `${(held / 1024).toFixed(1)} KB held, ${(used / 1024).toFixed(1)} KB used`;
      report(`Memory per live client, round ${round} of ${rounds}: ${figures}`);
    } finally {
      await Promise.all([first.stop(), second.stop()]);
      await server.stop();
    }
  }
  return measured;
}

/** The full load on two servers in turn: as the product is, and with commits that do not wait for the disk. */
async function measureDurability(
  options: BenchOptions,
  report: Report,
): Promise<Record<'FULL' | 'NORMAL', Measurement[]>> {
  const full = await startBenchServer('group commit', undefined);
  const normal = await startBenchServer('synchronous=NORMAL', undefined);
  try {
    return await loadInTurn(
      [
        { name: 'NORMAL', server: normal },
        { name: 'FULL', server: full },
      ],
      { ...options, where: 'SQLite, synchronous' },
      report,
    );
  } finally {
    await Promise.all([full.stop(), normal.stop()]);
  }
}

/** Connects so many live clients of new members, ten of each. */
export async function connectMembers(
  listeners: Child,
  server: BenchServer,
  sockets: number,
  listening: 'one' | 'all',
): Promise<void> {
  const cookies = await server.members(sockets / SOCKETS_PER_MEMBER);
  const { open } = await ask<Count>(listeners, { do: 'connect', url: server.url, cookies, sockets, listening });
  if (open !== sockets) throw new Error(`Only ${open} of ${sockets} live clients are connected.`);
}

/** Waits until everything stored was received. A client that was dropped on the way would have made the run cheaper. */
async function expectReceived(listeners: Child, server: BenchServer): Promise<void> {
  const deadline = performance.now() + CATCH_UP_MS;
  for (;;) {
    const { open, received } = await ask<Count>(listeners, { do: 'count' });
    if (open < LISTENERS_UNDER_LOAD) throw new Error(`${LISTENERS_UNDER_LOAD - open} live clients were dropped.`);
    const stored = await server.metric('alertdesk_ingest_alerts_total{outcome="accepted"}');
    if (received === stored) return;
    if (performance.now() > deadline) throw new Error(`A live client received ${received} of ${stored} alerts.`);
  }
}

const ask = async <T>(child: Child, command: ListenCommand): Promise<T> =>
  JSON.parse(await child.ask(JSON.stringify(command))) as T;
