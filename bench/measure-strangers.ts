import { Agent, request } from 'node:http';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { COSTLY_BODIES, PLAIN_BODY } from './costly-bodies.ts';
import { medianRatio } from './measurement.ts';
import type { Part } from './part.ts';
import { type Target, judge, verdictRow } from './report.ts';

/** What somebody without a key may cost at any address for alerts. */
const TARGET = {
  name: 'stranger anywhere against a wrong key at /webhook',
  unit: '×',
  required: 2,
  goal: 1.5,
  isAtLeast: false,
} as const satisfies Target;

const POSTS = 40;
const AT_ONCE = 4;

interface Request {
  name: string;
  path: string;
  body: string | Buffer;
  encoding?: string;
}

const event = (routingKey: string, more: object = {}) =>
  JSON.stringify({ routing_key: routingKey, event_action: 'trigger', payload: { summary: 'Disk full' }, ...more });
const WRONG_KEY = 'x'.repeat(32);
const DEEP = COSTLY_BODIES['small objects'] ?? '';
const LATE = `${DEEP.trimEnd().slice(0, -1)},"routing_key":"${WRONG_KEY}"}`;

const REQUESTS: readonly Request[] = [
  { name: 'a small event', path: '/v2/enqueue', body: event(WRONG_KEY) },
  { name: 'a small event, gzip', path: '/v2/enqueue', body: gzipSync(event(WRONG_KEY)), encoding: 'gzip' },
  { name: '1 MiB of text', path: '/v2/enqueue', body: PLAIN_BODY },
  ...Object.entries({ gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync }).flatMap(
    ([encoding, compress]): Request[] => [
      { name: `1 MiB of text, ${encoding}`, path: '/v2/enqueue', body: compress(PLAIN_BODY), encoding },
      { name: `1 MiB of small objects, ${encoding}`, path: '/v2/enqueue', body: compress(DEEP), encoding },
      { name: `a key at the end, ${encoding}`, path: '/v2/enqueue', body: compress(LATE), encoding },
    ],
  ),
  { name: 'gzip in gzip', path: '/v2/enqueue', body: gzipSync(gzipSync(PLAIN_BODY)), encoding: 'gzip, gzip' },
  { name: 'a wrong token', path: '/in/adt_nobody-has-this-token', body: gzipSync(PLAIN_BODY), encoding: 'gzip' },
];

/** Processor time of a request without a key against the same one at `/webhook`, in turn. */
export const benchStrangers: Part = async (_databases, { rounds }, report) => {
  const server = await startBenchServer('group commit', undefined);
  const measured: { name: string; ratio: number }[] = [];
  try {
    for (const one of REQUESTS) {
      await costOf(server, { ...one, path: '/webhook' });
      await costOf(server, one);
      const [stranger, plain]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        plain.push(await costOf(server, { ...one, path: '/webhook' }));
        stranger.push(await costOf(server, one));
      }
      const ratio = medianRatio(stranger, plain);
      measured.push({ name: one.name, ratio });
      const each = (Math.min(...stranger) / 1000).toFixed(2);
      report(`Without a key, ${one.name}: ${each} ms, ${ratio.toFixed(2)} × the same at /webhook`);
    }
  } finally {
    await server.stop();
  }
  const worst = measured.toSorted((one, other) => other.ratio - one.ratio)[0];
  const verdict = judge(TARGET, worst?.ratio ?? Number.NaN);
  return { rows: [verdictRow('SQLite', verdict)], results: { measured, verdict } };
};

/** Processor time of one request, in microseconds. All of its body is sent, whatever is answered meanwhile. */
async function costOf(server: BenchServer, { path, body, encoding }: Request): Promise<number> {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(encoding !== undefined && { 'Content-Encoding': encoding }),
  };
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const post = () =>
    new Promise<void>((resolve, reject) => {
      const sent = request(server.url + path, { method: 'POST', headers, agent }, (answer) => {
        if ((answer.statusCode ?? 0) < 400) reject(new Error(`A stranger was answered with ${answer.statusCode}.`));
        answer.resume().on('end', resolve);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const before = await server.usageNow();
  await Promise.all(Array.from({ length: POSTS }, post));
  const after = await server.usageNow();
  agent.destroy();
  return (after.cpu - before.cpu) / POSTS;
}
