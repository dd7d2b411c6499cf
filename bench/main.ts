/** `npm run bench`: how fast Alertdesk is, in ratios that hold on any machine. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Complaint, runCommand } from '#scripts/complaint.ts';
import { machineConditions } from './conditions.ts';
import { openBenchDatabases } from './databases.ts';
import { benchAlertmanager } from './measure-alertmanager.ts';
import { benchBodies } from './measure-bodies.ts';
import { benchBrowser } from './measure-browser.ts';
import { benchBulk } from './measure-bulk.ts';
import { benchIngest } from './measure-ingest.ts';
import { benchLive } from './measure-live.ts';
import { benchPush } from './measure-push.ts';
import { benchReads } from './measure-reads.ts';
import { benchRules } from './measure-rules.ts';
import { benchScale } from './measure-scale.ts';
import { benchServers } from './measure-servers.ts';
import { benchSoak } from './measure-soak.ts';
import { benchStrangers } from './measure-strangers.ts';
import { benchSources } from './measure-sources.ts';
import { benchStorm } from './measure-storm.ts';
import { benchStalls } from './measure-stalls.ts';
import { benchTabs } from './measure-tabs.ts';
import { benchTasks } from './measure-tasks.ts';
import { benchTraces } from './measure-traces.ts';
import { benchWorkers } from './measure-workers.ts';
import type { BenchOptions, Part } from './part.ts';
import { publishPart } from './publish.ts';
import { formatTable } from './report.ts';

/** With fewer rounds the median of the ratios is noise. */
const LEAST_ROUNDS = 5;

const PARTS: Record<string, Part> = {
  ingest: benchIngest,
  alertmanager: benchAlertmanager,
  servers: benchServers,
  sources: benchSources,
  rules: benchRules,
  tabs: benchTabs,
  stalls: benchStalls,
  workers: benchWorkers,
  bodies: benchBodies,
  strangers: benchStrangers,
  storm: benchStorm,
  live: benchLive,
  push: benchPush,
  reads: benchReads,
  bulk: benchBulk,
  browser: benchBrowser,
  tasks: benchTasks,
  traces: benchTraces,
  scale: benchScale,
  soak: benchSoak,
};

/** Take an hour, or tens of gigabytes at ten million alerts, or answer one question: measured when they are asked for. */
const ON_DEMAND = new Set(['rules', 'scale', 'stalls', 'soak', 'storm']);
const USUAL_PARTS = Object.keys(PARTS).filter((name) => !ON_DEMAND.has(name));

const RESULTS_DIR = join(import.meta.dirname, 'results');

const report = (line: string) => console.log(line);

/** For a page: all parts in a quarter of an hour. */
const SHORT = { seconds: '2', alerts: '200000' };
const LONG = { seconds: '5', alerts: '1000000' };

function readOptions(): BenchOptions & { parts: string[]; on: string | undefined; isPublished: boolean } {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '5' },
      seconds: { type: 'string' },
      alerts: { type: 'string' },
      publish: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: USUAL_PARTS },
      on: { type: 'string' },
    },
  });
  const rounds = Number(values.rounds);
  const usual = values.publish ? SHORT : LONG;
  const seconds = Number(values.seconds ?? usual.seconds);
  const alerts = Number(values.alerts ?? usual.alerts);
  if (!(rounds >= 1 && seconds >= 1)) throw new Complaint('--rounds and --seconds must be whole numbers from 1.');
  if (!(alerts >= 1_000)) throw new Complaint('--alerts must be a whole number from 1000.');
  const unknown = values.only.find((name) => !(name in PARTS));
  if (unknown !== undefined) {
    throw new Complaint(`--only names the part "${unknown}", but there are ${Object.keys(PARTS).join(', ')}.`);
  }
  if (values.on !== undefined && !['sqlite', 'mariadb'].includes(values.on)) {
    throw new Complaint(`--on names the database "${values.on}", but there are sqlite and mariadb.`);
  }
  if (rounds < LEAST_ROUNDS) report(`Fewer than ${LEAST_ROUNDS} rounds: good for a look, not for a figure to quote.`);
  return {
    rounds: Math.floor(rounds),
    seconds: Math.floor(seconds),
    alerts: Math.floor(alerts),
    on: values.on,
    parts: values.only,
    isPublished: values.publish,
  };
}

await runCommand(async () => {
  const options = readOptions();
  const machine = await machineConditions(options);
  for (const [name, value] of Object.entries(machine)) report(`${name}: ${value}`);
  const databases = await openBenchDatabases(report, options.on);
  const conditions = Object.fromEntries(databases.map((database) => [database.name, database.conditions]));

  const rows: string[][] = [];
  const results: Record<string, unknown> = {};
  try {
    for (const name of options.parts) {
      const part = await PARTS[name]?.(databases, options, report);
      rows.push(...(part?.rows ?? []));
      results[name] = part?.results;
      if (part && options.isPublished) await publishPart(name, part, { machine, databases: conditions });
    }
  } finally {
    for (const database of databases) await database.stop();
  }
  report(`\n${formatTable(['Database', 'What', 'Median', '', ''], rows)}`);

  const file = join(RESULTS_DIR, `${options.parts.join('-')}-${new Date().toISOString().replaceAll(':', '-')}.json`);
  await mkdir(RESULTS_DIR, { recursive: true });
  await writeFile(file, `${JSON.stringify({ machine, databases: conditions, results }, undefined, 2)}\n`);
  report(`\nAll figures are in ${file}.`);
});
