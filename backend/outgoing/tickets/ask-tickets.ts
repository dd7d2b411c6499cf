import { marksOf } from '#backend/platform/database/conditions.ts';
import { completeFromElsewhere } from '#backend/alerts/commands/alert-commands.ts';
import { lockDecided } from '#backend/alerts/commands/apply-command.ts';
import type { TicketState } from '#backend/contract/ticket.ts';
import { latestFrom } from '#backend/platform/database/ahead.ts';
import { isWaiting, pauseAfter } from '#backend/outgoing/destinations/backoff.ts';
import { UNREADABLE, isGone } from '#backend/outgoing/destinations/deliver-ticket.ts';
import {
  DestinationEntity,
  type StoredDestination,
  type Target,
  readSettings,
  targetOf,
} from '#backend/outgoing/destinations/destination-entity.ts';
import { judgeAnswer, judgeError } from '#backend/outgoing/destinations/judge-answer.ts';
import { withoutSecrets } from '#backend/outgoing/destinations/mask-secrets.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import { type TicketKind, objectOf } from '#backend/outgoing/destinations/kinds/kind.ts';
import type { Post } from '#backend/outgoing/destinations/post.ts';
import { lockTicket } from '#backend/outgoing/messages/keep-ticket.ts';
import { LiveMessageEntity, type StoredLiveMessage } from '#backend/outgoing/messages/message-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { momentOf } from '#backend/contract/id-moment.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';

const MINUTE_MS = 60_000;

/** An open ticket is asked about so often: every five minutes on its first two hours, every hour from a day on. */
const SOONEST_MS = 5 * MINUTE_MS;
const LATEST_MS = 60 * MINUTE_MS;
const SHARE_OF_AGE = 24;

/** Requests to one system in one turn. */
const REQUESTS_AT_ONCE = 10;

/** Tickets that are due, and those whose time is further away than any is: then the clock was set back. */
const DUE =
  'l.ask_at IS NOT NULL AND (l.ask_at <= ? OR l.ask_at > ?) AND NOT EXISTS (SELECT 1 FROM outgoing_messages m ' +
  "WHERE m.alert_id = l.alert_id AND m.destination_id = l.destination_id AND m.state = 'waiting')";
const dueAt = (now: number): number[] => [now, latestFrom(now, LATEST_MS)];

/** Dependencies of asking ticket systems. */
export interface AskDeps {
  /** Its transactions hold the lease: a server that does not lead any more records nothing. */
  database: Database;
  logger: Logger;
  post: Pick<Post, 'send'>;
  sealing: Sealing;
}

/** Asks ticket systems how the tickets of alerts are. */
export interface TicketAsker {
  /** Begins with what is due now. Never waits for a system. */
  ask(stopping: AbortSignal): Promise<void>;
  /** Waits for what is in flight. */
  settled(): Promise<void>;
}

/** Each system by itself, so that one that hangs keeps no other. One that fails is left alone for longer each time. */
export function createTicketAsker(deps: AskDeps): TicketAsker {
  const { database, logger } = deps;
  const busy = new Map<string, Promise<void>>();
  const failing = new Map<string, { failures: number; until: number }>();

  const turn = async (id: string, stopping: AbortSignal): Promise<void> => {
    const fault = await askSystem(deps, id, stopping);
    if (fault === undefined || stopping.aborted) {
      failing.delete(id);
      return;
    }
    const failures = (failing.get(id)?.failures ?? 0) + 1;
    failing.set(id, { failures, until: performance.now() + Math.max(fault.waitMs, pauseAfter(failures)) });
    logger.warn({ destination: id, fault: fault.answer, failures }, 'a ticket system could not be asked');
  };

  return {
    async ask(stopping) {
      const due: { id: string }[] = await database.reads.query(
        `SELECT DISTINCT l.destination_id AS id FROM outgoing_live l WHERE ${DUE}`,
        dueAt(Date.now()),
      );
      for (const { id } of due) {
        if (busy.has(id) || (failing.get(id)?.until ?? 0) > performance.now()) continue;
        const work = turn(id, stopping)
          .catch((error: unknown) => logger.error({ err: error, destination: id }, 'tickets could not be asked about'))
          .finally(() => busy.delete(id));
        busy.set(id, work);
      }
    },
    async settled() {
      await Promise.all(busy.values());
    },
  };
}

/** How often due tickets are polled, in milliseconds. */
const POLL_MS = 1_000;

/** Asks ticket systems until it is stopped. Of several servers one does. */
export function startAskingTickets(deps: AskDeps): Repeating {
  const asker = createTicketAsker(deps);
  const job = startRepeating((stopping) => asker.ask(stopping), {
    intervalMs: POLL_MS,
    onError: (error) => deps.logger.error({ err: error }, 'tickets could not be asked about; the next attempt follows'),
  });
  return {
    async stop() {
      await job.stop();
      await asker.settled();
    },
  };
}

interface Fault {
  answer: string;
  waitMs: number;
  /** The token may not see the ticket that was asked about, or none. */
  isHidden?: boolean;
}

/** Asks one system about what is due; what is wrong where it does not answer. */
async function askSystem(deps: AskDeps, id: string, stopping: AbortSignal): Promise<Fault | undefined> {
  const { database } = deps;
  const stored = await database.reads.getRepository(DestinationEntity).findOneBy({ id });
  const ticket = stored && KINDS[stored.kind].ticket;
  if (!stored || !ticket || stored.pausedAt !== null || isWaiting(stored.retryAt, Date.now())) return undefined;
  const asked: AskedTicket[] = [];
  const hidden: AskedTicket[] = [];
  let fault: Fault | undefined;
  let seesOthers = false;
  for (let request = 0; request < REQUESTS_AT_ONCE && !stopping.aborted; request += 1) {
    // Whether the token sees any ticket, another one says, due or not.
    const besides = hidden.length > 0 && !seesOthers ? asked : [];
    const rows = ofOnePlace(ticket, await findDue(database, id, ticket.askedAtOnce, besides));
    if (rows.length === 0) break;
    asked.push(...rows);
    const answered = await statesOf(deps, stored, rows, stopping);
    const isFault = 'answer' in answered;
    if (isFault && !answered.isHidden) return answered;
    if (isFault) {
      fault = answered;
      hidden.push(...rows);
    } else {
      seesOthers ||= [...answered.values()].some((state) => state !== 'gone');
    }
    // What is hidden is put off, so that it keeps no other from being asked about.
    await record(database, stored, rows, isFault ? new Map() : answered);
  }
  const gone = hidden.filter(({ state }) => seesOthers || state === 'gone' || state === 'closed');
  if (gone.length > 0) await record(database, stored, gone, new Map(gone.map(({ remote }) => [remote, 'gone'])));
  return gone.length < hidden.length ? fault : undefined;
}

/** A ticket as it was known when its system was asked. */
type AskedTicket = Pick<StoredLiveMessage, 'alertId' | 'remote' | 'state'> & { revision: number };

/** @param besides where there are some: others than these, also such as are not due yet */
async function findDue(
  { reads }: Database,
  destinationId: string,
  limit: number,
  besides: readonly AskedTicket[],
): Promise<AskedTicket[]> {
  const others = besides.length === 0 ? '' : `AND l.alert_id NOT IN (${marksOf(besides)}) `;
  const rows: (Omit<AskedTicket, 'revision'> & { revision: unknown })[] = await reads.query(
    'SELECT l.alert_id AS alertId, l.remote AS remote, l.state AS state, l.revision AS revision FROM outgoing_live l ' +
      `WHERE l.destination_id = ? AND ${DUE} ${others}ORDER BY l.ask_at LIMIT ${limit}`,
    [
      destinationId,
      ...dueAt(Date.now() + (besides.length === 0 ? 0 : LATEST_MS)),
      ...besides.map(({ alertId }) => alertId),
    ],
  );
  return rows.map(({ alertId, remote, state, revision }) => ({ alertId, remote, state, revision: Number(revision) }));
}

/** Those of the tickets that one request may ask for. The next one asks for the others. */
const ofOnePlace = ({ placeOf }: TicketKind, rows: readonly AskedTicket[]): readonly AskedTicket[] =>
  placeOf ? rows.filter(({ remote }) => placeOf(remote) === placeOf(rows[0]?.remote ?? '')) : rows;

async function statesOf(
  { post, sealing }: AskDeps,
  stored: StoredDestination,
  rows: readonly AskedTicket[],
  stopping: AbortSignal,
): Promise<Map<string, TicketState> | Fault> {
  const kind = KINDS[stored.kind];
  const remotes = rows.map(({ remote }) => remote);
  try {
    if (!kind.ticket) return new Map();
    const target = targetOf(sealing, stored);
    const answer = await post.send(kind.ticket.ask(target, remotes), stopping);
    const gone = goneBy(answer.status, kind.ticket, target, remotes);
    if (gone.length > 0) return new Map(gone.map((remote) => [remote, 'gone']));
    const verdict = judgeAnswer(kind, answer, Date.now());
    if (verdict.outcome !== 'sent') {
      const waitMs = verdict.outcome === 'retry' ? (verdict.waitMs ?? 0) : 0;
      const isHidden = answer.status === 403 && kind.ticket.askedAtOnce === 1;
      return { answer: withoutSecrets(target, verdict.answer), waitMs, isHidden };
    }
    // A page of something else does not say that tickets are gone.
    if (objectOf(answer.body) === undefined) return { answer: UNREADABLE, waitMs: 0 };
    return kind.ticket.answered(target, answer.body, remotes);
  } catch (error) {
    return { answer: judgeError(error).answer, waitMs: 0 };
  }
}

/** The tickets that an error is about alone: they are gone. The others are still asked about. */
function goneBy(status: number, ticket: TicketKind, target: Target, remotes: readonly string[]): readonly string[] {
  if (ticket.askedAtOnce === 1) return isGone(status) ? remotes : [];
  const place = ticket.placeOf?.(remotes[0] ?? '') ?? target.room;
  // A destination that leads nowhere has to be corrected. Its tickets may be there.
  return isGone(status) && place !== target.room ? remotes : [];
}

/** Writes down how tickets are. One that was closed there, and not by us, completes its alert where the destination says so. */
async function record(
  database: Database,
  destination: StoredDestination,
  rows: readonly AskedTicket[],
  states: ReadonlyMap<string, TicketState>,
): Promise<void> {
  const now = Date.now();
  await database.transaction(async (tx) => {
    const closed: StoredLiveMessage[] = [];
    for (const row of rows.toSorted((one, other) => (one.alertId < other.alertId ? -1 : 1))) {
      const stored = await lockUnchanged(tx, destination.id, row);
      if (stored && (await recordOne(tx, destination, stored, states.get(row.remote), now))) closed.push(stored);
    }
    if (closed.length === 0 || !readSettings(destination).completesAlert) return;
    // All before the first is counted: batches lock alerts before counters.
    await lockDecided(
      tx,
      closed.map(({ alertId }) => alertId),
    );
    for (const { alertId, ticketKey, remote } of closed)
      await completeFromElsewhere(tx, alertId, `${KINDS[destination.kind].label} ${ticketKey ?? remote}`);
  });
}

/** The row where nothing was recorded of the ticket since it was asked about, and nothing of ours is on its way there. */
async function lockUnchanged(
  tx: Transaction,
  destinationId: string,
  { alertId, remote, revision }: AskedTicket,
): Promise<StoredLiveMessage | undefined> {
  const stored = await lockTicket(tx, { destinationId, alertId });
  if (!stored || stored.remote !== remote || stored.revision !== revision) return undefined;
  const [waiting]: unknown[] = await tx.query(
    "SELECT id FROM outgoing_messages WHERE alert_id = ? AND destination_id = ? AND state = 'waiting' LIMIT 1",
    [alertId, destinationId],
  );
  return waiting === undefined ? stored : undefined;
}

/** @returns whether it has been closed since */
async function recordOne(
  tx: Transaction,
  destination: StoredDestination,
  { alertId, state: before, revision }: StoredLiveMessage,
  answered: TicketState | undefined,
  now: number,
): Promise<boolean> {
  // What was closed and cannot be seen any more is closed still: so our own closing is not taken for another one later.
  const state = answered === 'gone' && before === 'closed' ? before : answered;
  const live = { destinationId: destination.id, alertId };
  const rows = tx.getRepository(LiveMessageEntity);
  if (state === undefined) {
    await rows.update(live, { askAt: now + SOONEST_MS });
    return false;
  }
  await rows.update(live, {
    state,
    askAt: askAgainAt(alertId, state, now),
    // An open ticket is remembered for as long as it is open.
    ...(state === 'open' && { updatedAt: now }),
    ...(state !== before && { revision: (revision ?? 0) + 1 }),
  });
  if (state === before) return false;
  announce(tx, { type: 'outgoing_changed' });
  return state === 'closed';
}

function askAgainAt(alertId: string, state: TicketState, now: number): number | null {
  switch (state) {
    case 'closed':
      return null;
    case 'gone':
      // A token that may see it no more may again.
      return now + LATEST_MS;
    case 'open':
      return now + Math.min(LATEST_MS, Math.max(SOONEST_MS, (now - momentOf(alertId)) / SHARE_OF_AGE));
  }
}
