/**
 * The thread that keeps the search index of a MySQL database, on a connection of its own. Taking alerts does not wait for
 * it: it reads what was committed a while ago.
 */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { type Connection, type RowDataPacket } from 'mysql2/promise';
import {
  LEASE_MS,
  RENEWALS_PER_LEASE,
  type Lease,
  LeaseLostError,
  type RunStatement,
  leaseOf,
} from '#backend/platform/database/lease.ts';
import { momentOf } from '#backend/contract/id-moment.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { openOwnConnection } from '#backend/platform/database/own-connection.ts';
import { createSettledIds } from '#backend/platform/database/settled-ids.ts';
import {
  SEARCH_LEASE,
  type SearchWorkerCommand,
  type SearchWorkerMessage,
  type SegmentWorkerData,
} from './search-files.ts';
import { type SegmentIndexer, createSegmentIndexer } from './segment-indexer.ts';

/** It works a quarter of the time; while alerts arrive, which are to have the processor for themselves, a twentieth. */
const REST_PER_WORK = 3;
const REST_PER_WORK_IN_STORM = 19;

/** It is a storm when as many alerts as these came in the last second, unless the index is further behind than this. */
const STORM_ALERTS = 200;
const MAX_BEHIND_MS = 60_000;

/** How often it polls for alerts, and how long after a failure it tries again, in milliseconds. */
const POLL_MS = 5_000;
const RETRY_MS = 30_000;

/** Segments and alerts are compared at the start, and then after this long. */
const CHECK_INTERVAL_MS = 24 * 60 * 60 * 1_000;

if (!parentPort) throw new Error('The search worker was started outside a worker thread.');
const port = parentPort;
const { databaseUrl, settledAfterMs, holder }: SegmentWorkerData = workerData;
const report = (message: SearchWorkerMessage) => port.postMessage(message);

const state = { isStopping: false, latest: 0, seen: 0, retitled: new Set<string>(), settled: '' };
const settledUpTo = createSettledIds(settledAfterMs);
const stopping = new AbortController();
port.on('message', (command: SearchWorkerCommand) => {
  if (command.type === 'look') {
    state.latest = command.news;
    for (const id of command.retitled) state.retitled.add(id);
  }
  if (command.type !== 'stop') return;
  state.isStopping = true;
  // Nobody waits for a database that hangs.
  stopping.abort();
});

/** Rests in proportion to the time since it last did. */
function createPause(isStorm: () => Promise<boolean>): { pause(): Promise<void>; begin(): void } {
  let workedSince = performance.now();
  return {
    begin() {
      workedSince = performance.now();
    },
    async pause() {
      const worked = performance.now() - workedSince;
      const endsAt = performance.now() + worked * ((await isStorm()) ? REST_PER_WORK_IN_STORM : REST_PER_WORK);
      // Who waits for the index is not made to.
      while (!state.isStopping && state.latest === state.seen && performance.now() < endsAt) {
        await wait(Math.max(1, Math.min(100, endsAt - performance.now())));
      }
      workedSince = performance.now();
    },
  };
}

/** Of several servers on one database one makes segments. */
interface Turn {
  /** Whether it is this one's turn. */
  begin(): Promise<boolean>;
  /** Renews the lease where that is due. @throws {LeaseLostError} */
  keep(): Promise<void>;
  /** First in each transaction that makes segments. @throws {LeaseLostError} */
  fence(): Promise<void>;
}

function createTurn(lease: Lease): Turn {
  let token: number | undefined;
  let renewedAt = 0;
  const fence = async () => {
    if (token === undefined) throw new LeaseLostError('This server makes no segments.');
    try {
      await lease.hold(token);
    } catch (error) {
      if (error instanceof LeaseLostError) token = undefined;
      throw error;
    }
    renewedAt = performance.now();
  };
  const keep = async () => {
    if (performance.now() - renewedAt > LEASE_MS / RENEWALS_PER_LEASE) await fence();
  };
  return {
    async begin() {
      if (token !== undefined) await fence().catch(ignoreLoss);
      token ??= await lease.take();
      return token !== undefined;
    },
    keep,
    fence,
  };
}

/** Another server goes on where this one was. */
function ignoreLoss(error: unknown): void {
  if (!(error instanceof LeaseLostError)) throw error;
}

async function isStormOn(opened: Connection): Promise<boolean> {
  const [[counted]] = await opened.query<RowDataPacket[]>(
    'SELECT COUNT(*) AS recent, (SELECT last_id FROM search_segments ORDER BY number DESC LIMIT 1) AS indexedTo ' +
      `FROM (SELECT received_at FROM alerts ORDER BY id DESC LIMIT ${STORM_ALERTS}) AS newest WHERE received_at > ?`,
    [Date.now() - 1_000],
  );
  const isFarBehind =
    state.settled !== '' && counted?.['indexedTo'] < firstIdAt(momentOf(state.settled) - MAX_BEHIND_MS);
  return Number(counted?.['recent']) >= STORM_ALERTS && !isFarBehind;
}

let checkAt = 0;

/** Up to which id nothing is added any more. */
async function readSettled(opened: Connection): Promise<string> {
  const [[row]] = await opened.query<RowDataPacket[]>('SELECT MAX(id) AS newest FROM alerts');
  state.settled = settledUpTo(row?.['newest'] ?? '');
  return state.settled;
}

/** What works on segments. */
interface Worker {
  opened: Connection;
  indexer: SegmentIndexer;
  turn: Turn;
  pause: () => Promise<void>;
}

/** Indexes what is new. @returns whether it is this server's turn to make segments */
async function catchUp({ opened, indexer, turn, pause }: Worker): Promise<boolean> {
  const titles = [...state.retitled];
  await indexer.retitle(titles);
  for (const id of titles) state.retitled.delete(id);
  if (!(await turn.begin())) {
    // What it made last may be unfinished when it is this one's turn.
    checkAt = 0;
    return false;
  }
  while (!state.isStopping && (await indexer.indexNext(await readSettled(opened)))) await pause();
  return true;
}

async function work(worker: Worker): Promise<void> {
  const { indexer, pause } = worker;
  if (!(await catchUp(worker)) || performance.now() < checkAt) return;
  let caughtUpAt = performance.now();
  for await (const _ of indexer.check()) {
    await pause();
    if (state.isStopping) return;
    // Among a hundred million alerts a check takes a quarter of an hour: what arrives is not looked through for so long.
    if (performance.now() - caughtUpAt < POLL_MS) continue;
    if (!(await catchUp(worker))) return;
    caughtUpAt = performance.now();
  }
  checkAt = performance.now() + CHECK_INTERVAL_MS;
}

/** Until there is news, at most so long. */
async function waitForNews(milliseconds: number): Promise<void> {
  if (state.isStopping || state.latest > state.seen) return;
  await once(port, 'message', { signal: AbortSignal.timeout(milliseconds) }).catch(() => undefined);
}

async function runOnce(): Promise<void> {
  const opened = await openOwnConnection(databaseUrl, POLL_MS, stopping.signal);
  try {
    const run: RunStatement = async (sql, values) => (await opened.query(sql, values))[0];
    const turn = createTurn(leaseOf(run, SEARCH_LEASE, holder));
    const { pause: rest, begin } = createPause(() => isStormOn(opened));
    const pause = async () => {
      await rest();
      await turn.keep();
    };
    const indexer = createSegmentIndexer(opened, pause, turn.fence);
    while (!state.isStopping) {
      const news = state.latest;
      begin();
      await work({ opened, indexer, turn, pause }).catch(ignoreLoss);
      if (news > state.seen) report({ type: 'idle', seen: news });
      state.seen = news;
      await waitForNews(POLL_MS);
    }
  } finally {
    opened.destroy();
  }
}

while (!state.isStopping) {
  const news = state.latest;
  await runOnce().catch(async (error: unknown) => {
    if (state.isStopping) return;
    const cause = error instanceof Error ? error : new Error(String(error));
    report({ type: 'failed', error: cause, isBroken: false });
    state.seen = Math.max(state.seen, news);
    await waitForNews(RETRY_MS);
  });
}
port.close();
