import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { In } from 'typeorm';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { type Repeating, pause } from '#backend/platform/database/repeat.ts';
import { type DomainEvent, type EventBus, announce } from '#backend/platform/live/event-bus.ts';
import { findWokenTogether } from '#backend/alerts/groups/notify-once.ts';
import { changeAlerts } from '#backend/alerts/alert/alert-store.ts';
import { ALERT_PLACE, AlertEntity } from '#backend/alerts/alert/alert.ts';
import type { NewHistoryEntry } from '#backend/alerts/alert/write-history.ts';

/** Alerts that one transaction wakes at most, and the pause after it: ingest goes between. */
const BATCH_ALERTS = 100;
const PAUSE_MS = 20;

/**
 * The longest pause between two passes, in milliseconds: after it a clock that was set, and a snooze that another server did not
 * report, are noticed.
 */
const LONGEST_PAUSE_MS = 5_000;

/** The shortest pause, so that a timer that ends early does not start passes without end. */
const SOON_MS = 20;

/** The dependencies of waking. */
export interface WakingDeps {
  database: Database;
  events: EventBus;
  logger: Logger;

  now?: () => number;
  longestPauseMs?: number;
}

/**
 * Wakes snoozed alerts when they are due: at once, then at the time of the next one, until it is stopped. Of two servers
 * that look, the row's lock decides which of them wakes an alert.
 */
export function startWaking(deps: WakingDeps): Repeating {
  const { events, logger, now = Date.now, longestPauseMs = LONGEST_PAUSE_MS } = deps;
  const stopping = new AbortController();
  let interrupt = new AbortController();
  const unsubscribe = events.subscribe((event) => {
    if (isSnooze(event)) interrupt.abort();
  });
  const run = async () => {
    while (!stopping.signal.aborted) {
      interrupt = new AbortController();
      const next = await wakeDue(deps, stopping.signal).catch((error: unknown) => {
        logger.error({ err: error }, 'snoozed alerts could not be woken; the next attempt follows');
        return undefined;
      });
      const rest = next === undefined ? longestPauseMs : Math.min(longestPauseMs, Math.max(SOON_MS, next - now()));
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

/** Somebody snoozed alerts, or may have: one of them may be due before the next that is known. */
const isSnooze = (event: DomainEvent): boolean =>
  event.type === 'resync' ||
  (event.type === 'alert_updated' && event.alert.isSnoozed && event.reason === undefined) ||
  (event.type === 'alerts_changed' && event.change === 'snoozed');

interface Wake {
  id: string;
  dueAt: number;
}

/**
 * Wakes every alert whose time has come, a few in each transaction.
 *
 * @returns when the next one is due; undefined when there is none
 */
export async function wakeDue(deps: WakingDeps, stopping: AbortSignal): Promise<number | undefined> {
  const { database, now = Date.now } = deps;
  while (!stopping.aborted) {
    const rows: { id: string; dueAt: unknown }[] = await database.reads.query(
      `SELECT alert_id AS id, due_at AS dueAt FROM alert_wakes ORDER BY due_at, alert_id LIMIT ${BATCH_ALERTS}`,
    );
    const wakes = rows.map(({ id, dueAt }): Wake => ({ id, dueAt: Number(dueAt) }));
    const at = now();
    const due = wakes.filter(({ dueAt }) => dueAt <= at);
    if (due.length === 0) return wakes[0]?.dueAt;
    await wake(deps, due, at);
    await pause(PAUSE_MS, stopping);
  }
  return undefined;
}

const wokenEntries = ({ id }: { id: string }): NewHistoryEntry[] => [
  { alertId: id, action: 'woken', userDisplayName: PRODUCT_NAME },
];

/** Wakes those that are still due, in one transaction. Of a group one notifies for its card. */
function wake({ database }: WakingDeps, due: Wake[], at: number): Promise<void> {
  const ids = due.map(({ id }) => id);
  return database.transaction(async (tx) => {
    // Locked first: another server, or a person, may have woken some of them since they were read.
    const locked = await tx.lockRows(AlertEntity, { id: In(ids) }, [...ALERT_PLACE, 'groupId', 'state']);
    const woken = locked.filter(({ snoozedUntil }) => snoozedUntil !== null && snoozedUntil <= at);
    const wokenIds = new Set(woken.map(({ id }) => id));
    // Groups are locked before counters, as batches that store alerts do.
    const silent = await findWokenTogether(
      tx,
      woken.filter(({ quietById }) => quietById === null).map((alert) => ({ alert, dueAt: alert.snoozedUntil ?? at })),
      at,
    );
    const left = ids.filter((id) => !wokenIds.has(id));
    if (left.length > 0) {
      // Of alerts that are no more, say: nothing is due for them.
      const isOneOf = `alert_id IN (${marksOf(left)})`;
      await tx.query(`DELETE FROM alert_wakes WHERE due_at <= ? AND ${isOneOf}`, [at, ...left]);
    }
    await changeAlerts(tx, woken, { snoozedUntil: null, wokenAt: at }, wokenEntries, 'time');
    const notifying = [...wokenIds].filter((id) => !silent.has(id));
    if (notifying.length > 0) announce(tx, { type: 'alert_updated', alertIds: notifying, reason: 'woken' });
    if (silent.size > 0) announce(tx, { type: 'alert_updated', alertIds: [...silent] });
  });
}
