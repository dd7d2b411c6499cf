import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Arrivals } from '#backend/intake/write/write-batch.ts';
import { PING_BODY_BYTES } from '#backend/contract/heartbeat.ts';
import type { TakeRequest } from '#backend/intake/webhooks/webhook-route.ts';
import type { IngestAnswer } from '#backend/intake/write/ingest-answers.ts';
import type { DatabaseClock } from '#backend/platform/cluster/database-clock.ts';
import { type Limiter, consume, createLimiter, networkOf } from '#backend/platform/cluster/limiter.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { withPatienceToTheEnd } from '#backend/platform/database/patience.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { tooMany } from '#backend/platform/endpoint/errors.ts';
import { HeartbeatEntity, type StoredHeartbeat, expectedOf } from './heartbeat-entities.ts';
import { storeSteps } from './report-heartbeats.ts';
import { type Signal, takeSignal } from './rules.ts';

/** Calls of one heartbeat that are taken in a minute, of those that report a failure as many beside. */
const BEATS_A_MINUTE = 120;

/** Calls of unknown addresses, of one network in a minute: each is a query of the database. */
const STRANGERS_A_MINUTE = 60;

/** Addresses that are known to exist; the oldest is forgotten. */
const MAX_KNOWN = 20_000;

/** A longer body is cut off with its connection. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Dependencies of taking calls. */
export interface TakeBeatDeps {
  database: Database;
  clock: DatabaseClock;
  arrivals: Arrivals;
  /** A beat was stored, of which pages are to know at times. */
  onBeat: () => void;
}

/**
 * Stores what a call says of a heartbeat.
 *
 * @param mayTake decides by the locked row whether it still has the address that was called
 * @returns false where it has not, or is no more
 * @throws {ProblemError} 429 when it was called too often
 */
export type TakeBeat = (
  id: string,
  mayTake: (tx: Transaction, stored: StoredHeartbeat) => Promise<boolean> | boolean,
  signal: Signal,
  body?: string,
) => Promise<boolean>;

/** @throws {ProblemError} 429 when there were too many */
async function spend(limiter: Limiter, key: string): Promise<void> {
  const spent = await consume(limiter, key);
  if ('isFirst' in spent) throw tooMany('This was called too often. Call again later.', spent.seconds);
}

/**
 * Makes {@link TakeBeat}. A call is one short transaction: the heartbeat's row is locked, written, and one row of its beats; only a
 * call that changes its alert writes more. That a call was made is no promise that outlives the loss of power, so the commit does
 * not wait for the disk; what reports a failure does.
 */
export function createTakeBeat({ database, clock, arrivals, onBeat }: TakeBeatDeps): TakeBeat {
  const beats = createLimiter('heartbeat', BEATS_A_MINUTE, 60, undefined);
  return async (id, mayTake, signal, body = '') => {
    await spend(beats, `${id} ${signal.kind === 'fail' ? 'fail' : 'other'}`);
    const write = () =>
      database.transaction(
        async (tx) => {
          const [before] = await tx.lockRows(HeartbeatEntity, { id });
          if (!before || !(await mayTake(tx, before))) return false;
          const at = Math.round(clock.now());
          await storeSteps(
            tx,
            [{ before, step: takeSignal(expectedOf(before), before, signal, at), at, body }],
            arrivals,
          );
          return true;
        },
        { waitsForDisk: signal.kind === 'fail' },
      );
    const isTaken = await withPatienceToTheEnd(write);
    if (isTaken) onBeat();
    return isTaken;
  };
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
const answer = (status: number, body: string, headers: Record<string, string> = {}): IngestAnswer => ({
  status,
  headers: { ...TEXT, ...headers },
  body,
});

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** What is stored of the secret in an address. */
export const tokenHashOf = (token: string): string => hash('sha256', token.toLowerCase());

/** Reads what a call says by the rest of its path; undefined for what no call says. */
function readSignal(action: string): Signal | undefined {
  if (action === '') return { kind: 'success' };
  if (action === 'start' || action === 'fail' || action === 'log') return { kind: action };
  if (!/^\d{1,9}$/.test(action) || Number(action) > 255) return undefined;
  const exitCode = Number(action);
  return { kind: exitCode === 0 ? 'success' : 'fail', exitCode };
}

/**
 * Answers calls of heartbeats as Healthchecks' pinging API does (https://healthchecks.io/docs/http_api/): 200 "OK" for HEAD, GET and
 * POST of `/ping/{uuid}`, `/start`, `/fail`, `/log` and an exit code, `?rid=` names a run; 404 "not found" for an address that
 * nobody has.
 */
export async function createTakePing(deps: TakeBeatDeps, takeBeat: TakeBeat): Promise<TakeRequest> {
  const { database } = deps;
  const idByHash = new Map<string, string>();
  const strangers = createLimiter('heartbeat:stranger', STRANGERS_A_MINUTE, 60, undefined);

  // Whoever calls right after a start is nobody's stranger.
  const known: { id: string; tokenHash: string }[] = await database.reads.query(
    `SELECT id, token_hash AS tokenHash FROM heartbeats LIMIT ${MAX_KNOWN}`,
  );
  for (const { id, tokenHash } of known) idByHash.set(tokenHash, id);

  const remember = (tokenHash: string, id: string): void => {
    const [oldest] = idByHash.keys();
    if (idByHash.size >= MAX_KNOWN && oldest !== undefined) idByHash.delete(oldest);
    idByHash.set(tokenHash, id);
  };

  /** The heartbeat of an address, its id only: whether it still has it is seen when its row is locked. */
  const find = async (tokenHash: string): Promise<string | undefined> => {
    const rows: { id: string }[] = await withPatienceToTheEnd(() =>
      database.reads.query('SELECT id FROM heartbeats WHERE token_hash = ?', [tokenHash]),
    );
    return rows[0]?.id;
  };

  return async ({ request, address, remoteAddress }) => {
    const { method = '' } = request;
    const { token = '', target } = address;
    const queryAt = target.indexOf('?');
    const action = (queryAt < 0 ? target : target.slice(0, queryAt)).split('/')[2] ?? '';
    const runId = new URLSearchParams(queryAt < 0 ? '' : target.slice(queryAt)).get('rid') ?? undefined;
    const refuse = (refused: IngestAnswer): IngestAnswer => {
      request.resume();
      return refused;
    };
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
      return refuse(answer(405, 'method not allowed', { Allow: 'GET, HEAD, POST' }));
    const signal = readSignal(action);
    if (!signal)
      return refuse(
        answer(/^\d+$/.test(action) ? 400 : 404, /^\d+$/.test(action) ? 'invalid url format' : 'not found'),
      );
    if (runId !== undefined && !UUID.test(runId)) return refuse(answer(400, 'invalid uuid format'));
    if (!UUID.test(token)) return refuse(answer(404, 'not found'));

    const tokenHash = tokenHashOf(token);
    let id = idByHash.get(tokenHash);
    if (id === undefined) {
      await spend(strangers, networkOf(remoteAddress));
      id = await find(tokenHash);
      if (id === undefined) return refuse(answer(404, 'not found'));
      await strangers.reward(networkOf(remoteAddress));
      remember(tokenHash, id);
    }
    const body = method === 'POST' ? await readEnd(request) : '';
    const isTaken = await takeBeat(
      id,
      (_tx, stored) => stored.tokenHash === tokenHash,
      { ...signal, runId: runId?.toLowerCase() },
      body,
    );
    if (isTaken) return answer(200, 'OK', { 'Ping-Body-Limit': String(PING_BODY_BYTES) });
    idByHash.delete(tokenHash);
    return answer(404, 'not found');
  };
}

/** The end of a body as text: what a job printed last says most. A body that breaks off is taken as far as it came. */
async function readEnd(request: IncomingMessage): Promise<string> {
  let end = Buffer.alloc(0);
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      end = Buffer.concat([end, chunk]).subarray(-PING_BODY_BYTES);
      if (size > MAX_BODY_BYTES) {
        request.destroy();
        break;
      }
    }
  } catch {
    // The call was made all the same.
  }
  // Text with a zero character cannot be stored everywhere.
  return end.toString('utf8').replaceAll('\0', '').toWellFormed();
}
