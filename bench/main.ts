/** `npm run bench`: the speed of taking alerts, in ratios that hold on any machine (quality.md, "Speed"). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { Complaint, runCommand } from '#scripts/complaint.ts';
import { MariaDbMissingError, startMariaDb } from '#tests/support/mariadb.ts';
import { machineConditions, mariaDbConditions, sqliteConditions } from './conditions.ts';
import { INGEST_VARIANTS, type IngestVariant } from './ingest-writers.ts';
import { type IngestMeasurements, measureIngest } from './measure-ingest.ts';
import { formatTable, ingestRows, judgeIngest } from './report.ts';

/** Fewer rounds than this are no measurement (quality.md). */
const LEAST_ROUNDS = 5;

const RESULTS_DIR = join(import.meta.dirname, 'results');

const tell = (line: string) => console.log(line);

function readOptions(): { rounds: number; seconds: number } {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '5' } },
  });
  const rounds = Number(values.rounds);
  const seconds = Number(values.seconds);
  if (!(rounds >= 1 && seconds >= 1)) throw new Complaint('--rounds and --seconds must be whole numbers from 1.');
  if (rounds < LEAST_ROUNDS) tell(`Fewer than ${LEAST_ROUNDS} rounds: good for a look, not for a figure to quote.`);
  return { rounds: Math.floor(rounds), seconds: Math.floor(seconds) };
}

interface Result {
  database: string;
  conditions: string;
  measured: IngestMeasurements;
}

async function benchSqlite(options: { rounds: number; seconds: number }): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-bench-'));
  try {
    const conditions = await sqliteConditions(folder);
    tell(`SQLite ${conditions}`);
    const measured = await measureIngest({ name: 'SQLite', createUrl: async () => undefined }, options, tell);
    return { database: 'SQLite', conditions, measured };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function benchMariaDb(options: { rounds: number; seconds: number }): Promise<Result> {
  const server = await startMariaDb();
  try {
    const conditions = await mariaDbConditions(server.url);
    tell(`MariaDB ${conditions}`);
    const createUrl = async (variant: IngestVariant) => {
      const name = databaseOf(variant);
      await query(server.url, `CREATE DATABASE ${name}`);
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    };
    const measured = await measureIngest({ name: 'MariaDB', createUrl }, options, tell);
    return { database: 'MariaDB', conditions, measured };
  } finally {
    // A server that TEST_DATABASE_URL names goes on without them.
    for (const variant of INGEST_VARIANTS) await query(server.url, `DROP DATABASE IF EXISTS ${databaseOf(variant)}`);
    await server.stop();
  }
}

const databaseOf = (variant: IngestVariant) => `bench_${process.pid}_${INGEST_VARIANTS.indexOf(variant)}`;

async function query(url: string, statement: string): Promise<void> {
  const connection = await createConnection(url);
  await connection.query(statement);
  await connection.end();
}

await runCommand(async () => {
  const options = readOptions();
  const machine = await machineConditions(options);
  for (const [name, value] of Object.entries(machine)) tell(`${name}: ${value}`);

  const results = [await benchSqlite(options)];
  try {
    results.push(await benchMariaDb(options));
  } catch (error) {
    if (!(error instanceof MariaDbMissingError)) throw error;
    tell(`MariaDB was left out. ${error.message}`);
  }

  const rows = results.flatMap(({ database, measured }) => ingestRows(database, measured));
  tell(`\n${formatTable(['Database', 'Webhook accepted and committed', 'Median', '', ''], rows)}`);

  const report = results.map(({ database, conditions, measured }) => ({
    database,
    conditions,
    verdicts: judgeIngest(measured),
    measured,
  }));
  const file = join(RESULTS_DIR, `ingest-${new Date().toISOString().replaceAll(':', '-')}.json`);
  await mkdir(RESULTS_DIR, { recursive: true });
  await writeFile(file, `${JSON.stringify({ machine, results: report }, undefined, 2)}\n`);
  tell(`\nAll figures are in ${file}.`);
});
