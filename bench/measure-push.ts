import { type BenchServer, loadInTurn, startBenchServer } from './bench-server.ts';
import { startChild } from './child.ts';
import type { BenchDatabase } from './databases.ts';
import type { Measurement } from './measurement.ts';
import type { BenchOptions, Part } from './part.ts';
import type { PushServiceAddress } from './push-service.ts';
import { type Target, judge, measurementRow, ratioOf, verdictRow } from './report.ts';

/** Push services that misbehave must not slow down ingest. */
const TARGET = {
  name: 'p99 with 100 devices, a third gone, a third hanging, against none',
  unit: '×',
  required: 1.2,
  goal: 1.05,
  isAtLeast: false,
} as const satisfies Target;

const DEVICES = { works: 34, hangs: 33 };
const GONE = 33;

/** Those that are gone are to be removed by then. */
const REMOVED_WITHIN_MS = 30_000;

type Runs = Record<'no devices' | '100 devices', Measurement[]>;

/** Webhooks while a hundred devices are notified, most of which are unreachable, on each database. */
export const benchPush: Part = async (databases, options, report) => {
  const rows: string[][] = [];
  const results = [];
  for (const database of databases) {
    const measured = await measurePush(database, options, report);
    const verdict = judge(TARGET, ratioOf('p99', measured['100 devices'], measured['no devices']));
    for (const name of ['no devices', '100 devices'] as const) {
      rows.push(measurementRow(database.name, name, measured[name]));
    }
    rows.push(verdictRow(database.name, verdict));
    results.push({ database: database.name, measured, verdict });
  }
  return { rows, results };
};

/** The full load on two servers in turn. Devices that are gone leave with the first message, so each run gets new ones. */
async function measurePush(
  database: BenchDatabase,
  options: BenchOptions,
  report: (line: string) => void,
): Promise<Runs> {
  const service = startChild('push-service.ts', []);
  const servers: BenchServer[] = [];
  try {
    const address: PushServiceAddress = JSON.parse(await service.nextLine());
    const start = async () => {
      const server = await startBenchServer('push service here', database, {
        BENCH_PUSH_CERTIFICATE: address.certificate,
      });
      servers.push(server);
      return server;
    };
    const [alone, subscribed] = [await start(), await start()];
    let runs = 0;
    const addGone = () => subscribed.subscribe({ origin: address.origin, devices: { works: 0, hangs: 0, gone: GONE } });
    await subscribed.subscribe({ origin: address.origin, devices: { ...DEVICES, gone: GONE } });
    const afterRun = async () => {
      runs += 1;
      await expectRemoved(subscribed, runs * GONE);
      await addGone();
    };
    return await loadInTurn(
      [
        { name: 'no devices', server: alone },
        { name: '100 devices', server: subscribed, afterRun },
      ],
      { ...options, where: database.name },
      report,
    );
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await service.stop();
  }
}

/** Waits until so many devices were removed. A run in which they were not asked would have been cheaper. */
async function expectRemoved(server: BenchServer, expected: number): Promise<void> {
  const deadline = performance.now() + REMOVED_WITHIN_MS;
  for (;;) {
    const gone = await server.metric('alertdesk_push_messages_total{outcome="gone"}');
    if (gone === expected) return;
    if (performance.now() > deadline) throw new Error(`${gone} devices are gone of ${expected}.`);
  }
}
