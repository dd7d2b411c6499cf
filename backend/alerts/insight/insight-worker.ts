/**
 * The thread that keeps insight and answers questions. It reads what was committed, on a connection of its own; what is
 * to be stored it hands to the server's thread, which on the embedded database is the only one that writes.
 */
import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { answerQuestion } from './answer-question.ts';
import { type ChunkCache, createChunkCache } from './chunk-cache.ts';
import type { InsightCommand, InsightMessage, InsightWorkerData } from './insight-messages.ts';
import { type ReadRows, openReader } from './reader.ts';
import { type RollUp, type Step, createRollUp } from './roll-up.ts';

/** It counts a quarter of the time; while alerts arrive, which are to have the processor for themselves, a twentieth. */
const REST_PER_WORK = 3;
const REST_PER_WORK_IN_STORM = 19;
const STORM_CHUNK_MS = 1_000;

/** How often it polls for changes, and how long after a failure it tries again, in milliseconds. */
const POLL_MS = 5_000;
const RETRY_MS = 10_000;

/** After a step that was not stored it lets the other server go first. */
const LOST_PAUSE_MS = 50;

/** Whoever asks has everything counted first, if that does not take longer. */
const CATCH_UP_MS = 250;

if (!parentPort) throw new Error('The insight worker was started outside a worker thread.');
const port = parentPort;
const { place }: InsightWorkerData = workerData;
const send = (message: InsightMessage) => port.postMessage(message);

type Request = Extract<InsightCommand, { type: 'ask' | 'catch-up' }>;
const state = { isStopping: false, isKeeping: false, requests: [] as Request[] };
const stopping = new AbortController();
let onStored: ((wasFirst: boolean) => void) | undefined;
port.on('message', (command: InsightCommand) => {
  if (command.type === 'ask' || command.type === 'catch-up') state.requests.push(command);
  if (command.type === 'drop') state.requests = state.requests.filter(({ number }) => number !== command.number);
  if (command.type === 'keep') state.isKeeping = command.isKeeping;
  if (command.type === 'stored') onStored?.(command.wasFirst);
  if (command.type !== 'stop') return;
  state.isStopping = true;
  onStored?.(false);
  // Nobody waits for a database that hangs.
  stopping.abort();
});

/** Has a step stored. False when another server was first, or it failed. */
async function store(step: Step): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  onStored = resolve;
  send({ type: 'store', step });
  return promise;
}

/** Counts what comes next. False when there is nothing more. */
async function work(rollUp: RollUp): Promise<boolean> {
  const step = await rollUp.next();
  if (!step) return false;
  if (await store(step)) {
    rollUp.stored(step);
  } else {
    rollUp.lost();
    await wait(LOST_PAUSE_MS);
  }
  return true;
}

async function workUntil(rollUp: RollUp, deadline: number): Promise<void> {
  while (!state.isStopping && performance.now() < deadline && (await work(rollUp)));
}

async function serve(
  { number, ...request }: Request,
  { rollUp, chunks, read }: { rollUp: RollUp; chunks: ChunkCache; read: ReadRows },
): Promise<void> {
  try {
    if (request.type === 'catch-up') {
      await workUntil(rollUp, Infinity);
      send({ type: 'caught-up', number });
      return;
    }
    await workUntil(rollUp, performance.now() + CATCH_UP_MS);
    const answer = await answerQuestion(chunks, read, request.question);
    send({ type: 'answer', number, answer: { ...answer, isComplete: answer.isComplete && rollUp.isComplete() } });
  } catch (error) {
    send({ type: 'refused', number, error: asError(error) });
    throw error;
  }
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Until somebody asks, at most so long. */
async function rest(milliseconds: number): Promise<void> {
  if (state.isStopping || state.requests.length > 0) return;
  await once(port, 'message', { signal: AbortSignal.timeout(Math.ceil(milliseconds)) }).catch(() => undefined);
}

async function run(): Promise<void> {
  const { read, close } = await openReader(place, stopping.signal);
  try {
    const rollUp = createRollUp(read);
    const chunks = createChunkCache(read);
    while (!state.isStopping) {
      // SQLite answers without waiting for anything: what comes meanwhile is received here.
      await nextTurn();
      const request = state.requests.shift();
      if (request) {
        await serve(request, { rollUp, chunks, read });
        continue;
      }
      const startedAt = performance.now();
      const hasMore = state.isKeeping && (await work(rollUp));
      const perWork = rollUp.newestAgeMs() < STORM_CHUNK_MS ? REST_PER_WORK_IN_STORM : REST_PER_WORK;
      await rest(hasMore && !rollUp.isComplete() ? (performance.now() - startedAt) * perWork : POLL_MS);
    }
  } finally {
    close();
  }
}

while (!state.isStopping) {
  await run().catch(async (error: unknown) => {
    if (state.isStopping) return;
    const cause = asError(error);
    send({ type: 'failed', error: cause });
    for (const { number } of state.requests.splice(0)) send({ type: 'refused', number, error: cause });
    await rest(RETRY_MS);
  });
}
port.close();
