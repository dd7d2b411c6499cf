import { setTimeout as wait } from 'node:timers/promises';
import { alertListSchema } from '#backend/contract/alert.ts';
import { type SignedInClient, clientWith } from '#scripts/demo/signed-in-client.ts';
import { type BenchServer, startBenchServer } from './bench-server.ts';
import { startChild } from './child.ts';
import type { BenchDatabase } from './databases.ts';
import { connectMembers } from './measure-live.ts';
import { median } from './measurement.ts';
import type { Part } from './part.ts';
import { type Target, judge, verdictRow } from './report.ts';

/** What arrives and who works, each second: a busy team, far from the limit of the machine. */
const ALERTS_PER_SECOND = 60;
const LISTENERS = 50;
const PEOPLE = 5;
const ACTIONS_PER_SECOND = 10;

/** Of a hundred alerts: repeats and resolutions of problems that there are, the rest is new. */
const REPEATS = 40;
const RESOLVED = 10;
const PROBLEMS = 200;

/** How often the server is looked at in a soak: enough for three thirds. */
const SAMPLES = 30;

/** Shorter runs show nothing but the start, in seconds. */
const LEAST_SECONDS = 60;

const TARGETS = {
  memory: {
    name: 'memory in use, last third against the second',
    unit: '×',
    required: 1.15,
    goal: 1.05,
    isAtLeast: false,
  },
  delay: {
    name: 'p99 of the event loop’s delay, last third against the second',
    unit: '×',
    required: 1.5,
    goal: 1.1,
    isAtLeast: false,
  },
} as const satisfies Record<string, Target>;

/** The server at one moment. */
interface Sample {
  seconds: number;
  /** Memory of its objects after a collection of garbage, and what the process holds, in MB. */
  used: number;
  held: number;
  /** p99 of the event loop's delay since the sample before, in milliseconds. */
  delay: number;
  alerts: number;
}

/**
 * A mixed load for `--seconds` (1800 for half an hour) on each database: whether memory and delay settle. On demand alone.
 */
export const benchSoak: Part = async (databases, { seconds }, report) => {
  const duration = Math.max(seconds, LEAST_SECONDS);
  const rows: string[][] = [];
  const results: Record<string, unknown> = {};
  for (const database of databases) {
    const { samples, answers } = await soak(database, duration, report);
    const third = Math.floor(samples.length / 3);
    const [middle, last] = [samples.slice(third, -third), samples.slice(-third)];
    const ratio = (valueOf: (sample: Sample) => number) => median(last.map(valueOf)) / median(middle.map(valueOf));
    const verdicts = [
      judge(
        TARGETS.memory,
        ratio(({ used }) => used),
      ),
      judge(
        TARGETS.delay,
        ratio(({ delay }) => delay),
      ),
    ];
    const end = samples.at(-1);
    rows.push(
      [
        database.name,
        `${duration} s of mixed load`,
        `${end?.alerts ?? 0} alerts`,
        `${Math.round(end?.held ?? 0)} MB held`,
        '',
      ],
      [database.name, 'answers', JSON.stringify(answers), '', ''],
      ...verdicts.map((verdict) => verdictRow(database.name, verdict)),
    );
    results[database.name] = { samples, answers, verdicts };
  }
  return { rows, results };
};

async function soak(
  database: BenchDatabase,
  seconds: number,
  report: (line: string) => void,
): Promise<{ samples: Sample[]; answers: Record<string, number> }> {
  const server = await startBenchServer('group commit', database);
  const listeners = startChild('listen.ts', []);
  const over = new AbortController();
  /** Answers by status: anything but a success, or a conflict of two who took the same alert, is a defect. */
  const answers: Record<string, number> = {};
  const count = ({ status }: Response): void => void (answers[status] = (answers[status] ?? 0) + 1);
  try {
    await connectMembers(listeners, server, LISTENERS, 'one');
    const people = (await server.members(PEOPLE)).map((cookie) => clientOf(server, cookie));
    const work = [
      keepGoing(over.signal, ALERTS_PER_SECOND, async (turn) => count(await post(server, turn))),
      keepGoing(over.signal, ACTIONS_PER_SECOND, async (turn) => count(await act(people[turn % PEOPLE], turn))),
    ];
    const startedAt = performance.now();
    const samples: Sample[] = [];
    for (let at = 1; at <= SAMPLES; at += 1) {
      await wait(Math.max(0, startedAt + (at * seconds * 1_000) / SAMPLES - performance.now()));
      const { used, held } = await server.memory();
      const sample = {
        seconds: Math.round((performance.now() - startedAt) / 1_000),
        used: used / 2 ** 20,
        held: held / 2 ** 20,
        delay: ((await server.metric('nodejs_eventloop_lag_p99_seconds')) ?? 0) * 1_000,
        alerts: answers['202'] ?? 0,
      };
      samples.push(sample);
      report(
        `${database.name}, ${sample.seconds} s: ${sample.used.toFixed(1)} MB used, ${sample.held.toFixed(0)} MB held, ` +
          `delay p99 ${sample.delay.toFixed(1)} ms, ${JSON.stringify(answers)}`,
      );
    }
    over.abort();
    await Promise.all(work);
    return { samples, answers };
  } finally {
    over.abort();
    await listeners.stop();
    await server.stop();
  }
}

/** The member whose session's cookie this is. Changes need the CSRF token, which the first call sets. */
function clientOf(server: BenchServer, cookie: string): Promise<SignedInClient> {
  const url = new URL(server.url);
  const [name = '', value = ''] = cookie.split('=');
  const read = async (): Promise<SignedInClient> => {
    const session = await fetch(new URL('/api/auth/session', url), { headers: { cookie } });
    const set = session.headers.getSetCookie().map((one) => (one.split(';')[0] ?? '').split('=') as [string, string]);
    return clientWith(url, new Map([[name, value], ...set]));
  };
  return read();
}

/** Does something so many times a second until the signal, whatever its answers take. */
async function keepGoing(signal: AbortSignal, perSecond: number, work: (turn: number) => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  for (let turn = 0; !signal.aborted; turn += 1) {
    const one: Promise<void> = work(turn).finally(() => running.delete(one));
    running.add(one);
    await wait(1_000 / perSecond);
  }
  await Promise.all(running);
}

function post({ url, apiKey }: BenchServer, turn: number): Promise<Response> {
  const kind = turn % 100;
  const isKnown = kind < REPEATS + RESOLVED;
  const body = {
    customer: `Customer ${turn % 40}`,
    alertType: ['disk_full', 'latency', 'backup_failed'][turn % 3],
    severity: ['critical', 'warning', 'info'][turn % 3],
    message: `Number ${turn} of the soak`,
    ...(isKnown && { dedup_key: `problem-${(turn * 7) % PROBLEMS}`, status: kind < REPEATS ? 'firing' : 'resolved' }),
  };
  return fetch(`${url}/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-auth': apiKey },
    body: JSON.stringify(body),
  });
}

/** What people do by turns: look, search, take the newest alert, complete it. */
async function act(person: Promise<SignedInClient> | undefined, turn: number): Promise<Response> {
  if (!person) throw new Error('Nobody works in this soak.');
  const { request } = await person;
  const kind = turn % 4;
  if (kind === 0) return request('GET', '/api/alerts/inbox?limit=50');
  if (kind === 1) return request('GET', `/api/alerts/inbox?limit=50&q=${encodeURIComponent(`Number ${turn}`)}`);
  const list = kind === 2 ? 'inbox' : 'mine';
  const [alert] = alertListSchema.parse(await (await request('GET', `/api/alerts/${list}?limit=1`)).json());
  if (!alert) return request('GET', '/api/alerts/mine?limit=50');
  return kind === 2
    ? request('POST', `/api/alerts/${alert.id}/accept`)
    : request('PATCH', `/api/webhooks/${alert.id}/status`, { status: 'completed' });
}
