import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import { metricValue } from '#tests/support/read-metrics.ts';
import type { LoadKind } from './alert-bodies.ts';
import { startChild } from './child.ts';
import { CONNECTIONS, untilIdle } from './conditions.ts';
import type { BenchDatabase } from './databases.ts';
import type { Measurement } from './measurement.ts';
import { type ProcessUsage, processorTimeOf } from './processor-time.ts';
import { cpuText } from './report.ts';
import type { Memory, Stalls, Turns } from './serve.ts';
import type { DevicesWanted } from './subscribe-devices.ts';
import type { Variant } from './variants.ts';

const WARM_UP_SECONDS = 3;
/** The administrator of every server of the bench. */
export const ADMIN = { email: 'bench@alertdesk.local', password: 'only for the bench' };

/** What takes alerts, in a process of its own. */
export interface LoadTarget {
  url: string;
  apiKey: string;
  /** What the process has used so far, once nothing is left to be done. */
  usage(): Promise<ProcessUsage>;
  /** What is posted to it; alerts, unless it says otherwise. */
  kind?: LoadKind;
  /** The process of its database, where it has one of its own. */
  databasePid: number | undefined;
  stop(): Promise<void>;
}

/** The product in a process of its own, on data of its own. */
export interface BenchServer extends LoadTarget {
  pid: number;
  /** Makes so many members and answers their cookies. */
  members(count: number): Promise<string[]>;
  /** Subscribes devices to web push, of new members. */
  subscribe(wanted: DevicesWanted): Promise<void>;
  /** What the process has used so far, without waiting for the search index. */
  usageNow(): Promise<ProcessUsage>;
  /** Bytes that the process holds when its garbage is collected, and those that its objects take. */
  memory(): Promise<Memory>;
  /** How long its event loop was kept since this was asked last. */
  stalls(): Promise<Stalls>;
  turns(): Promise<Turns>;
  /** A value of its own metrics. */
  metric(series: string): Promise<number | undefined>;
}

/** Starts what the product is compared with: plain Koa, which stores what it takes or nothing. Its stop ends it. */
export async function startPlainKoa(kind: 'bare' | 'storing'): Promise<LoadTarget> {
  const folder = kind === 'storing' ? await mkdtemp(join(tmpdir(), 'alertdesk-bench-koa-')) : undefined;
  const child = startChild('plain-koa.ts', folder === undefined ? [] : [folder]);
  const stop = async (): Promise<void> => {
    await child.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    const url = await child.nextLine();
    const usage = async () => JSON.parse(await child.ask('usage')) as ProcessUsage;
    return { url, apiKey: 'none is asked for', usage, databasePid: undefined, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Starts a server; its stop removes its data. `database` makes an empty MySQL database; without it the embedded one is
 * used. `environment` is what its variant reads. See {@link startChild} for `core`.
 */
export async function startBenchServer(
  variant: Variant,
  database: BenchDatabase | undefined,
  environment: Record<string, string> = {},
  core?: number,
): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-bench-'));
  const server = await startServerOn(
    variant,
    { dataDir, databaseUrl: await database?.createUrl(), databasePid: database?.pid },
    environment,
    core,
  ).catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  return {
    ...server,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Where a server finds its data: a folder, and a MySQL database with the process of its server. */
export interface BenchPlace {
  dataDir: string;
  databaseUrl: string | undefined;
  databasePid: number | undefined;
}

/** Starts a server on data that are there; its stop leaves them. */
export async function startServerOn(
  variant: Variant,
  { dataDir, databaseUrl, databasePid }: BenchPlace,
  environment: Record<string, string> = {},
  core?: number,
): Promise<BenchServer> {
  const settings = {
    PORT: '0',
    DATA_DIR: dataDir,
    // As `npm start` and the service start it.
    NODE_OPTIONS: '--max-semi-space-size=16',
    ...environment,
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  };
  const child = startChild('serve.ts', [variant], settings, core);
  try {
    const url = await child.nextLine();
    const client = await signIn(new URL(url), ADMIN);
    const { plainKey } = await client.createApiKey('Bench');
    return {
      url,
      pid: child.pid,
      apiKey: plainKey,
      members: async (count) => JSON.parse(await child.ask(`members ${count}`)) as string[],
      subscribe: async (wanted) => void (await child.ask(`subscribe ${JSON.stringify(wanted)}`)),
      metric: async (series) => metricValue(await (await fetch(`${url}/metrics`)).text(), series),
      usage: async () => JSON.parse(await child.ask('usage')) as ProcessUsage,
      usageNow: async () => JSON.parse(await child.ask('usageNow')) as ProcessUsage,
      databasePid: databaseUrl === undefined ? undefined : databasePid,
      stalls: async () => JSON.parse(await child.ask('stalls')) as Stalls,
      turns: async () => JSON.parse(await child.ask('turns')) as Turns,
      memory: async () => JSON.parse(await child.ask('memory')) as Memory,
      stop: child.stop,
    };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Posts alerts for so many seconds, from another process, over so many connections at once. @throws {Error} when one was not taken */
export async function load(target: LoadTarget, seconds: number, connections = CONNECTIONS): Promise<Measurement> {
  const { url, apiKey, databasePid, kind = 'alerts' } = target;
  const args = [join(import.meta.dirname, 'load.ts'), url, apiKey, String(connections), String(seconds), kind];
  const databaseTime = () => (databasePid === undefined ? 0 : (processorTimeOf(databasePid) ?? 0));
  const [before, databaseBefore] = [await target.usage(), databaseTime()];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const run: Measurement = JSON.parse(stdout);
  const [after, databaseAfter] = [await target.usage(), databaseTime()];
  if (run.failures > 0)
    throw new Error(`${run.failures} of ${run.answers} alerts were not taken; the bench means nothing.`);
  const cpu = {
    server: (after.cpu - before.cpu) / run.answers,
    database: (databaseAfter - databaseBefore) / run.answers,
  };
  return { ...run, cpu };
}

/**
 * Runs the load on each server in turn (A B C A B C …), after a warm-up and each once the machine is idle, and gives the runs of each, round by round. Two may be one
 * server, which `beforeRun` gives what it is to run with.
 */
export async function loadInTurn<N extends string>(
  servers: readonly {
    name: N;
    server: LoadTarget;
    beforeRun?: () => Promise<void>;
    afterRun?: () => Promise<void>;
  }[],
  { rounds, seconds, where }: { rounds: number; seconds: number; where: string },
  report: (line: string) => void,
): Promise<Record<N, Measurement[]>> {
  for (const { server, beforeRun, afterRun } of servers) {
    await beforeRun?.();
    await load(server, WARM_UP_SECONDS);
    await afterRun?.();
  }
  const measured = Object.fromEntries(servers.map(({ name }) => [name, [] as Measurement[]])) as Record<
    N,
    Measurement[]
  >;
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, server, beforeRun, afterRun } of servers) {
      await beforeRun?.();
      await untilIdle();
      const run = await load(server, seconds);
      await afterRun?.();
      measured[name].push(run);
      const figures = `${Math.round(run.perSecond)} per second, p99 ${run.p99.toFixed(1)} ms, ${cpuText(run)}`;
      report(`${where}, round ${round} of ${rounds}, ${name}: ${figures}`);
    }
  }
  return measured;
}
