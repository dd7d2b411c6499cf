import { In, LessThanOrEqual, MoreThan } from 'typeorm';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { bothRanges, findIds } from '#backend/alerts/lists/count-narrowed.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { idsBetween } from '#backend/platform/database/id-times.ts';
import { prune } from '#backend/platform/database/prune.ts';
import { type Repeating, pause } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
import { type EventBus, announce } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import { countKept, lockOn, writeMark } from './mark-alerts.ts';
import { hasReadableRule, planNext } from './plan-occurrence.ts';
import { narrowStored } from '#backend/alerts/lists/stored-search.ts';
import { KNOWN_MS, loadQuietWindows } from './quiet-windows.ts';
import { releaseAlerts } from './release-alerts.ts';
import {
  OccurrenceEntity,
  QuietAlertEntity,
  type StoredOccurrence,
  WindowEntity,
  ownersOf,
} from './window-entities.ts';

/** The longest pause between two passes, in milliseconds: after it a clock that was set is noticed. */
const LONGEST_PAUSE_MS = 5_000;

/** The shortest pause, so that a timer that ends early does not start passes without end. */
const SOON_MS = 20;

/** Alerts that one transaction marks, and the pause after it: ingest goes between. */
const BATCH_ALERTS = 100;
const PAUSE_MS = 20;

/** Occurrences that have ended are kept for so many days, for Insight. */
const KEPT_DAYS = 400;
const DAY_MS = 24 * 60 * 60_000;

/** Dependencies of windows at work, on the server that leads. */
export interface WindowWork {
  /** Its transactions hold the lease. */
  database: Database;
  events: Pick<EventBus, 'subscribe'>;
  logger: Logger;
  search: SearchIndex;
  now?: () => number;
  looks?: Looks;
}

/**
 * When what a window is about is looked at again, by its occurrence and end: other servers may have stored alerts before they
 * read it. A server that begins to lead looks at everything, twice.
 */
type Looks = Map<string, { endsAt: number; again: number }>;

/** Clocks of servers that agree differ by less, in milliseconds. */
const CLOCKS_MS = 60_000;

/** Begins and ends windows at their times, until it is stopped. */
export function startWindows(deps: WindowWork): Repeating {
  const { events, logger, now = Date.now, looks = new Map() } = deps;
  const stopping = new AbortController();
  let interrupt = new AbortController();
  const unsubscribe = events.subscribe(({ type }) => {
    if (type === 'maintenance_changed' || type === 'resync') interrupt.abort();
  });
  const run = async () => {
    while (!stopping.signal.aborted) {
      interrupt = new AbortController();
      const next = await runWindows({ ...deps, looks }, stopping.signal).catch((error: unknown) => {
        logger.error({ err: error }, 'maintenance windows could not begin or end; the next attempt follows');
        return undefined;
      });
      const rest = next === undefined ? LONGEST_PAUSE_MS : Math.min(LONGEST_PAUSE_MS, Math.max(SOON_MS, next - now()));
      await pause(rest, AbortSignal.any([stopping.signal, interrupt.signal]));
    }
  };
  const running = run();
  return {
    async stop() {
      unsubscribe();
      stopping.abort();
      await running;
    },
  };
}

/**
 * Does what is due: begins occurrences, marks what is open as they begin, and ends them. Each step is a transaction that locks
 * the occurrence and finds it as it was, so that a server that goes on after a kill does what is left, once.
 *
 * @returns when the next one is due; undefined when there is none
 */
export async function runWindows(deps: WindowWork, stopping: AbortSignal): Promise<number | undefined> {
  const { database, now = Date.now } = deps;
  const at = now();
  const active = await findActive(database);
  for (const one of active) {
    if (stopping.aborted) return undefined;
    if (one.state === 'planned' && one.startsAt <= at) await begin(deps, one, at);
    if (one.state !== 'ending' && one.endsAt <= at) await stopMarking(database, one.id, at);
  }
  const begun = await findActive(database);
  // What ends comes first: people wait for it.
  for (const one of begun) if (one.state === 'ending') await end(deps, one, stopping);
  for (const one of begun) if (one.state === 'on' && !one.isMarked) await markOpen(deps, one, stopping);
  const times = begun.flatMap(({ state, startsAt, endsAt }) => (state === 'planned' ? [startsAt] : [endsAt]));
  return times.length === 0 ? undefined : Math.min(...times);
}

const findActive = (database: Database): Promise<StoredOccurrence[]> =>
  database.reads
    .getRepository(OccurrenceEntity)
    .find({ where: { state: In(['planned', 'on', 'ending']) }, order: { endsAt: 'ASC', id: 'ASC' } });

/**
 * An occurrence that passed while no server ran has kept nothing quiet and says nothing. The following one is planned at once, so
 * that every server knows it before it begins: it may begin as this one ends.
 */
async function begin({ database, logger }: WindowWork, planned: StoredOccurrence, now: number): Promise<void> {
  const { id, windowId } = planned;
  const isLast = await database.transaction(async (tx) => {
    const [window] = await tx.lockRows(WindowEntity, { id: windowId });
    const [one] = await tx.lockRows(OccurrenceEntity, { id });
    if (one?.state !== 'planned' || one.startsAt > now) return false;
    const isMissed = one.endsAt <= now && one.kept === 0;
    await tx.getRepository(OccurrenceEntity).update({ id }, { state: isMissed ? 'ended' : 'on' });
    if (window) await planNext(tx, window, now);
    announce(tx, { type: 'maintenance_changed' });
    return window !== undefined && !hasReadableRule(window);
  });
  if (isLast)
    logger.warn({ window: planned.name }, 'a window has no next time, because its rule is not one of this release');
}

/** From then on no server marks anything: whoever does locks the occurrence first. */
const stopMarking = (database: Database, id: string, now: number): Promise<void> =>
  database.transaction(async (tx) => {
    const [one] = await tx.lockRows(OccurrenceEntity, { id }, ['id', 'state', 'endsAt']);
    if (one?.state !== 'on' || one.endsAt > now) return;
    await tx.getRepository(OccurrenceEntity).update({ id }, { state: 'ending' });
    announce(tx, { type: 'maintenance_changed' });
  });

async function end(
  { database, now = Date.now, looks }: WindowWork,
  one: StoredOccurrence,
  stopping: AbortSignal,
): Promise<void> {
  // By the clock of the server that led before, its end has come.
  const at = Math.max(now(), one.endsAt);
  const others = (await loadQuietWindows(database)).filter(
    ({ id, startsAt, endsAt }) => id !== one.id && startsAt <= at && at < endsAt,
  );
  looks?.delete(one.id);
  await releaseAlerts(database, one, others, stopping);
  if (stopping.aborted) return;
  await database.transaction(async (tx) => {
    const { windowId } = one;
    const [window] = await tx.lockRows(WindowEntity, { id: windowId });
    const [locked] = await tx.lockRows(OccurrenceEntity, { id: one.id });
    if (locked?.state !== 'ending') return;
    const occurrences = tx.getRepository(OccurrenceEntity);
    await occurrences.update({ id: one.id }, { state: 'ended' });
    const { id, name, kept, stillFiring, worst: severity } = locked;
    const moved = await tx.getRepository(QuietAlertEntity).countBy({ occurrenceId: id });
    if (moved > 0) await tx.query('DELETE FROM quiet_alerts WHERE occurrence_id = ?', [id]);
    const goesOn = await occurrences.existsBy({
      windowId,
      state: In(['planned', 'on']),
      startsAt: LessThanOrEqual(at),
      endsAt: MoreThan(at),
    });
    const isSilent = goesOn && stillFiring === 0;
    const left = { kept, stillFiring, ...(moved > 0 && { movedOn: moved }) };
    const endedAt = new Date(at).toISOString();
    const ended = isSilent ? undefined : { id, name, ...left, severity, endedAt, ownerIds: ownersOf(locked) };
    announce(tx, { type: 'maintenance_changed', ended });
    // One that an earlier release began has none yet.
    if (window) await planNext(tx, window, at);
  });
}

/**
 * Marks what is open as an occurrence begins, or gets another end; and once every server has read that, what arrived since it
 * began. What is done twice is done once.
 */
async function markOpen(deps: WindowWork, one: StoredOccurrence, stopping: AbortSignal): Promise<void> {
  const { database, search, logger, now = Date.now, looks } = deps;
  const at = now();
  const look = looks?.get(one.id);
  const isAgain = look?.endsAt === one.endsAt;
  if (isAgain && at < look.again) return;
  try {
    const open = await narrowStored(database, one.search, 'open');
    const since = isAgain ? await idsBetween(database.reads, { from: one.startsAt - CLOCKS_MS }) : {};
    const list = { ...open, range: bothRanges(open.range, since) };
    for await (const ids of findIds({ database, search }, list)) {
      for (let from = 0; from < ids.length; from += BATCH_ALERTS) {
        if (stopping.aborted) return;
        await database.transaction((tx) => markSome(tx, one, ids.slice(from, from + BATCH_ALERTS)));
        await pause(PAUSE_MS, stopping);
      }
    }
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    // Its page says so, too.
    if (!isAgain)
      logger.warn({ err: error, window: one.name }, 'a window marks nothing, because its search is not understood');
  }
  if (!isAgain) looks?.set(one.id, { endsAt: one.endsAt, again: at + KNOWN_MS });
  await database.transaction(async (tx) => {
    if (isAgain)
      await tx.getRepository(OccurrenceEntity).update({ id: one.id, endsAt: one.endsAt }, { isMarked: true });
    announce(tx, { type: 'maintenance_changed' });
  });
}

async function markSome(tx: Transaction, { id }: Pick<StoredOccurrence, 'id'>, ids: readonly string[]): Promise<void> {
  const locked = await tx.lockRows(AlertEntity, { id: In([...ids]) }, ['id', 'status', 'quietById']);
  const open = locked.filter(({ status, quietById }) => status !== 'completed' && quietById === null);
  if (open.length === 0) return;
  const name = (await lockOn(tx, [id])).get(id);
  if (name === undefined) return;
  const alertIds = open.map((alert) => alert.id);
  await countKept(tx, id, alertIds);
  await writeMark(tx, alertIds, { quietById: id, quietByName: name });
  announce(tx, { type: 'alert_updated', alertIds, reason: 'repeated' });
}

/** How often old occurrences are deleted, in milliseconds. */
export const WINDOW_PRUNE_MS = 6 * 60 * 60_000;

/** Deletes occurrences that ended long ago. @param now by a clock that no jump can hurry */
export const pruneOccurrences = (database: Database, stopping: AbortSignal, now: number): Promise<unknown> =>
  prune(
    database,
    { table: 'maintenance_occurrences', column: 'ends_at', index: 'maintenance_occurrences_ended' },
    now - KEPT_DAYS * DAY_MS,
    stopping,
  );
