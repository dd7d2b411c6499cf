import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LABEL_INDEX } from '#backend/alerts/alert/alert-list.ts';
import { branchesOfAll, readBranches } from '#backend/alerts/lists/alert-branches.ts';
import { countBranches } from '#backend/alerts/lists/count-branches.ts';
import { narrowList } from '#backend/alerts/lists/narrow-list.ts';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import type { IncomingDelivery } from '#backend/intake/write/incoming-delivery.ts';
import { createBatchWriter } from '#backend/intake/write/write-batch.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { openDatabase } from '#backend/platform/database/open-database.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { STORED } from '#backend/server/entities.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { openBenchDatabases } from './databases.ts';

/**
 * What labels cost and save: how long a new alert without a label takes to be stored with the index of labels and without it, and
 * how long a page and the number of a view of labelled alerts take among all others, beside reading each alert. By hand:
 * `node bench/measure-labels.ts`.
 */
const ALERTS = 100_000;
const LABELLED_OF = 200;
const BATCH = 40;
const BATCHES = 50;
const ROUNDS = 9;
const REST_MS = 500;

const write = (line: string): void => void process.stdout.write(`${line}\n`);
const medianOf = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
const microseconds = (values: readonly number[]): string =>
  `${medianOf(values).toFixed(0)} (least ${Math.min(...values).toFixed(0)})`;
const millisecondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

const payload = JSON.stringify({ host: 'db-7.frankfurt.example.com', summary: 'x'.repeat(400) });
const delivery = (): IncomingDelivery => ({
  source: { id: 'built-in', name: 'Servers', secretId: null },
  policy: { completesResolved: true, reopenWithinMs: 0, notifyAgainAfterMs: null },
  isOwn: true,
  receivedAt: Date.now(),
  events: [
    {
      payload: jsonText(payload),
      extraData: jsonText('{}'),
      customer: 'Harbor & Finch',
      alertType: 'disk',
      url: '/webhook',
      title: 'Disk almost full on db-7',
      severity: 'warning',
      state: 'event',
      dedupKey: null,
      sender: null,
      groupKey: null,
      groupTitle: null,
      isTest: false,
      delivery: undefined,
    },
  ],
});

/** Microseconds for each alert that is stored, with the index and without it, in turn. */
async function measureStoring(database: Database): Promise<void> {
  const store = createBatchWriter(database, NO_ECHOES);
  const isMysql = database.dialect.name === 'mysql';
  const drop = `DROP INDEX ${LABEL_INDEX}${isMysql ? ' ON alerts' : ''}`;
  const where = isMysql ? '' : ' WHERE label IS NOT NULL';
  const run = (sql: string) => database.transaction((tx) => tx.query(sql));
  await run(drop);
  const figures = { with: [] as number[], without: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const variant of round % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
      // The index is made in both, because making it keeps the database busy for a while.
      await run(`CREATE INDEX ${LABEL_INDEX} ON alerts (label, status, id, severity, state)${where}`);
      if (variant === 'without') await run(drop);
      await wait(REST_MS);
      const took = await millisecondsOf(async () => {
        for (let batch = 0; batch < BATCHES; batch += 1) await store(Array.from({ length: BATCH }, delivery));
      });
      if (variant === 'with') await run(drop);
      // The first round warms up.
      if (round > 0) figures[variant].push((took * 1_000) / (BATCH * BATCHES));
    }
  }
  write(
    `  a new alert: ${microseconds(figures.with)} µs with the index, ${microseconds(figures.without)} µs without it`,
  );
}

/** Milliseconds of a page and of the number of a view of labelled alerts, and of reading each alert of its list. */
async function measureReading(database: Database): Promise<void> {
  const { reads, dialect } = database;
  const nobody = { id: '', displayName: '', email: '' };
  const list = await narrowList(database, nobody, { list: 'inbox' }, { search: 'label:databases' });
  const branches = branchesOfAll(list, 'newest');
  const range = { bounds: [], order: 'DESC', rows: 51 } as const;
  const taken = { names: [] as number[], page: [] as number[], number: [] as number[], looked: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const times = {
      names: await millisecondsOf(() => narrowList(database, nobody, { list: 'inbox' }, { search: 'label:databases' })),
      page: await millisecondsOf(() => readBranches(reads, dialect, branches, { ...range, bounds: [] })),
      number: await millisecondsOf(() => countBranches(reads, dialect, branches)),
      looked: await millisecondsOf(() =>
        reads.query(
          `SELECT COUNT(*) AS alerts FROM alerts ${dialect.byIndex('alerts_by_status')} WHERE status = 'pending' AND label = 'Databases'`,
        ),
      ),
    };
    if (round > 0) for (const name of Object.keys(taken) as (keyof typeof taken)[]) taken[name].push(times[name]);
  }
  const shown = (name: keyof typeof taken) => `${medianOf(taken[name]).toFixed(1)} ms`;
  write(`  which labels a search means: ${shown('names')}; a page: ${shown('page')}; the number: ${shown('number')}`);
  write(`  the number by reading each alert of the list: ${shown('looked')}`);
}

for (const { name, createUrl, stop } of await openBenchDatabases(write)) {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-labels-'));
  const database = await openDatabase({ dataDir, databaseUrl: await createUrl() }, STORED);
  await insertAlerts(
    database,
    Array.from({ length: ALERTS }, (_, number) => ({
      payload,
      customer: `Customer ${number % 50}`,
      severity: 'warning' as const,
      label: number % LABELLED_OF === 0 ? 'Databases' : number % LABELLED_OF === 1 ? `Label ${number % 60}` : null,
    })),
  );
  write(`${name}, ${ALERTS.toLocaleString('en')} alerts, one of ${LABELLED_OF} in the view:`);
  await measureReading(database);
  await measureStoring(database);
  await database.close();
  await stop();
  await rm(dataDir, { recursive: true, force: true });
}
