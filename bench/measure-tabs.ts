import { setTimeout as wait } from 'node:timers/promises';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import { ADMIN, type BenchServer, startBenchServer } from './bench-server.ts';
import { startChild } from './child.ts';
import type { BenchDatabase } from './databases.ts';
import { median } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import { type Target, judge, verdictRow } from './report.ts';
import type { Sent, TabsCommand } from './tabs.ts';

/** Sources, each of which sends an alert a second, and the administrator's tabs. */
const SOURCES = 60;
const TABS = 10;

/** Longer than a round measures: what pages read now and then is in it. */
const SECONDS = 20;

/** What a page reads when it opens is not what it costs while it stays open, in milliseconds. */
const OPENING_MS = 3_000;

const TARGET: Target = {
  name: `event loop working with ${TABS} administrators' tabs against none`,
  unit: '×',
  required: 1.15,
  goal: 1.1,
  isAtLeast: false,
};

/** One run: how much of the time the thread with the event loop worked, and was busy by the clock; how long webhooks took. */
interface Run extends Sent {
  working: number;
  busy: number;
}

/** What open pages of administrators cost a server whose sources send steadily, on each database. */
export const benchTabs: Part = async (databases, options, report) => {
  const rows: string[][] = [];
  const results: Record<string, unknown> = {};
  for (const database of databases) {
    const { none, tabs } = await measure(database, options, report);
    const ratios = tabs.map(({ working }, round) => working / (none[round]?.working ?? working));
    rows.push(
      runRow(database.name, 'no tab', none),
      runRow(database.name, `${TABS} tabs`, tabs),
      verdictRow(database.name, judge(TARGET, median(ratios))),
    );
    results[database.name] = { none, tabs };
  }
  return { rows, results };
};

const runRow = (database: string, name: string, runs: readonly Run[]): string[] => [
  database,
  name,
  `${(100 * median(runs.map(({ working }) => working))).toFixed(1)} % of a core`,
  `webhooks p50 ${median(runs.map(({ p50 }) => p50)).toFixed(2)} ms, p99 ${median(runs.map(({ p99 }) => p99)).toFixed(2)} ms`,
  `${median(runs.map(({ calls }) => calls / SECONDS)).toFixed(1)} calls/s`,
];

async function measure(
  database: BenchDatabase,
  { rounds }: BenchOptions,
  report: (line: string) => void,
): Promise<{ none: Run[]; tabs: Run[] }> {
  const server = await startBenchServer('group commit', database);
  const pages = startChild('tabs.ts', []);
  const ask = async (command: TabsCommand) => JSON.parse(await pages.ask(JSON.stringify(command))) as unknown;
  try {
    const client = await signIn(new URL(server.url), ADMIN);
    const keys: string[] = [];
    for (let number = 0; number < SOURCES; number += 1)
      keys.push((await client.createApiKey(`Source ${number}`)).plainKey);
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const run = () => measureRun(server, () => ask({ do: 'send', url: server.url, keys, seconds: SECONDS }));
    const measured: { none: Run[]; tabs: Run[] } = { none: [], tabs: [] };
    await ask({ do: 'send', url: server.url, keys, seconds: 3 });
    for (let round = 1; round <= rounds; round += 1) {
      const none = await run();
      await ask({ do: 'open', url: server.url, cookie, tabs: TABS });
      await wait(OPENING_MS);
      const tabs = await run();
      await ask({ do: 'close' });
      measured.none.push(none);
      measured.tabs.push(tabs);
      report(`${database.name}, round ${round} of ${rounds}: ${[none, tabs].map(describe).join('; ')}`);
    }
    return measured;
  } finally {
    await pages.stop();
    await server.stop();
  }
}

const describe = ({ working, busy, p99, calls }: Run): string =>
  `${(100 * working).toFixed(1)} % of a core, ${(100 * busy).toFixed(1)} % busy by the clock, p99 ${p99.toFixed(1)} ms, ${(calls / SECONDS).toFixed(1)} calls/s`;

async function measureRun(server: BenchServer, send: () => Promise<unknown>): Promise<Run> {
  const before = await server.usageNow();
  const startedAt = performance.now();
  const sent = (await send()) as Sent;
  const after = await server.usageNow();
  const shareOf = (name: 'thread' | 'eventLoop') =>
    (after[name] - before[name]) / 1000 / (performance.now() - startedAt);
  return { ...sent, working: shareOf('thread'), busy: shareOf('eventLoop') };
}
