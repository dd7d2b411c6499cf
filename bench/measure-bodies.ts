import { type BenchServer, startBenchServer } from './bench-server.ts';
import { COSTLY_BODIES, COSTLY_QUERY, PLAIN_BODY } from './costly-bodies.ts';
import { medianRatio } from './measurement.ts';
import type { Part } from './part.ts';
import { type Target, judge, verdictRow } from './report.ts';

/** What the largest bodies may take of the event loop, on which everybody else waits meanwhile. */
const TARGET = {
  name: 'worst body of 1 MiB against a plain one',
  unit: '×',
  required: 3,
  goal: 1.5,
  isAtLeast: false,
} as const satisfies Target;

/** Posted one after the other in one measurement. */
const POSTS = 3;

/** Time on the event loop of an alert with a costly body against one with a plain body of the same size, in turn. */
export const benchBodies: Part = async (_databases, { rounds }, report) => {
  const requests: [string, string, string][] = [
    ...Object.entries(COSTLY_BODIES).map(([name, body]): [string, string, string] => [name, '', body]),
    ['thousands of parameters', COSTLY_QUERY, COSTLY_BODIES['keys in extra data'] ?? ''],
  ];
  const server = await startBenchServer('group commit', undefined);
  const measured: { name: string; ratio: number }[] = [];
  try {
    await busyTime(server, '', PLAIN_BODY);
    for (const [name, query, body] of requests) {
      const [costly, plain]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        plain.push(await busyTime(server, '', PLAIN_BODY));
        costly.push(await busyTime(server, query, body));
      }
      measured.push({ name, ratio: medianRatio(costly, plain) });
      report(`Body of 1 MiB, ${name}: ${medianRatio(costly, plain).toFixed(2)} × a plain one`);
    }
  } finally {
    await server.stop();
  }
  const worst = measured.toSorted((one, other) => other.ratio - one.ratio)[0];
  const verdict = judge(TARGET, worst?.ratio ?? Number.NaN);
  return { rows: [verdictRow('SQLite', verdict)], results: { measured, verdict } };
};

/** How long the event loop was busy with the posts, in microseconds. */
async function busyTime({ url, apiKey, usage }: BenchServer, query: string, body: string): Promise<number> {
  const before = await usage();
  for (let post = 0; post < POSTS; post += 1) {
    const headers = { 'Content-Type': 'application/json', 'X-Webhook-Auth': apiKey };
    const response = await fetch(`${url}/webhook${query}`, { method: 'POST', headers, body });
    if (response.status !== 202)
      throw new Error(`A body was answered with ${response.status}: ${await response.text()}`);
    await response.arrayBuffer();
  }
  return (await usage()).eventLoop - before.eventLoop;
}
