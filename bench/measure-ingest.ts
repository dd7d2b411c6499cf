import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import { INGEST_VARIANTS, type IngestVariant } from './ingest-writers.ts';
import type { Measurement } from './measurement.ts';

/** Connections that send at once (quality.md, "Speed"). */
export const CONNECTIONS = 64;

const WARM_UP_SECONDS = 3;
const ADMIN = { email: 'bench@alertdesk.local', password: 'only for the bench' };

/** Where the variants store: nothing for SQLite, or a MySQL database of its own for each. */
export interface BenchDatabase {
  name: 'SQLite' | 'MariaDB';
  createUrl(variant: IngestVariant): Promise<string | undefined>;
}

/** Measurements of every variant, round by round. */
export type IngestMeasurements = Record<IngestVariant, Measurement[]>;

/**
 * Measures every variant in turn (A B C A B C …), each on a server process and data of its own that live through all
 * rounds, with the load generator in another process.
 *
 * @param tell hears of every run
 */
export async function measureIngest(
  database: BenchDatabase,
  { rounds, seconds }: { rounds: number; seconds: number },
  tell: (line: string) => void,
): Promise<IngestMeasurements> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-bench-'));
  const servers: BenchServer[] = [];
  try {
    for (const [index, variant] of INGEST_VARIANTS.entries()) {
      const environment: Record<string, string> = { DATA_DIR: join(folder, String(index)) };
      const url = await database.createUrl(variant);
      if (url) environment['DATABASE_URL'] = url;
      servers.push(await startBenchServer(variant, environment));
    }
    for (const server of servers) await load(server, WARM_UP_SECONDS);
    const measured: IngestMeasurements = { 'no database': [], 'group commit': [], 'save() per request': [] };
    for (let round = 1; round <= rounds; round += 1) {
      for (const server of servers) {
        const run = await load(server, seconds);
        measured[server.variant].push(run);
        const figures = `${Math.round(run.perSecond)} per second, p99 ${run.p99.toFixed(1)} ms`;
        tell(`${database.name}, round ${round} of ${rounds}, ${server.variant}: ${figures}`);
      }
    }
    return measured;
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

interface BenchServer {
  variant: IngestVariant;
  url: string;
  apiKey: string;
  stop(): Promise<void>;
}

async function startBenchServer(variant: IngestVariant, environment: Record<string, string>): Promise<BenchServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve-ingest.ts'), variant], {
    // Nothing else: a developer's own settings are not what is measured.
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  try {
    const url = await Promise.race([firstLine(child.stdout), ended.then(() => '')]);
    if (!url) throw new Error(`The server "${variant}" did not start; the lines above say why.`);
    const client = await signIn(new URL(url), ADMIN);
    const { plainKey } = await client.createApiKey('Bench');
    return { variant, url, apiKey: plainKey, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function firstLine(stream: NodeJS.ReadableStream): Promise<string> {
  stream.setEncoding('utf8');
  const [text] = await once(stream, 'data');
  return String(text).trim();
}

async function load({ url, apiKey }: BenchServer, seconds: number): Promise<Measurement> {
  const args = [join(import.meta.dirname, 'load.ts'), url, apiKey, String(CONNECTIONS), String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const run: Measurement = JSON.parse(stdout);
  if (run.failures > 0)
    throw new Error(`${run.failures} of ${run.answers} alerts were not taken; the bench means nothing.`);
  return run;
}
