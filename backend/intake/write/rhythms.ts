import { marksOf } from '#backend/platform/database/conditions.ts';
import { alertColumn } from '#backend/alerts/alert/alert.ts';
import {
  type FlappingTerms,
  type Rhythm,
  calmAt,
  flaps,
  isFlapping,
  readRhythm,
  rhythmOf,
  termsFor,
  turn,
  writeRhythm,
} from '#backend/alerts/alert/rhythm.ts';
import { addHistories } from '#backend/alerts/alert/write-history.ts';
import { NOTIFYING_REASONS, type UpdateReason } from '#backend/contract/live-event.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { type SqlValue, inSizes, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { IncomingDelivery, IncomingEvent } from './incoming-delivery.ts';
import { KEPT_COLUMNS, keptValues } from './update-alerts.ts';
import type { Change, ProblemAlert } from './problems.ts';

/** How a problem stood before a report. */
type Standing = Pick<
  ProblemAlert,
  'status' | 'state' | 'receivedAt' | 'resolvedAt' | 'severity' | 'rhythm' | 'flappingSince'
>;

/** A copy, because a report changes the alert in place. */
export const standingOf = (alert: ProblemAlert): Standing => ({
  status: alert.status,
  state: alert.state,
  receivedAt: alert.receivedAt,
  resolvedAt: alert.resolvedAt,
  severity: alert.severity,
  rhythm: alert.rhythm,
  flappingSince: alert.flappingSince,
});

/** Follows how the problems of a batch open and close. What opens for the first time costs nothing: its alert says when. */
export interface Rhythms {
  /** A report made an alert of a problem that had `previous` before. */
  made: (alert: ProblemAlert, previous: ProblemAlert | undefined, delivery: IncomingDelivery) => void;
  /** A report changed an alert. Returns the change as it notifies: of what flaps, once. */
  changed: (
    alert: ProblemAlert,
    before: Standing,
    event: Pick<IncomingEvent, 'state' | 'isTest' | 'amends'>,
    change: Change,
    delivery: Pick<IncomingDelivery, 'policy' | 'receivedAt'>,
  ) => Change;
  /** Writes what turned, once the alerts are stored. */
  write: (tx: Transaction) => Promise<void>;
}

/** @param all when problems flap of sources that say nothing else; undefined: none of them begins to */
export function followRhythms(all: FlappingTerms | undefined): Rhythms {
  /** With when each flaps. */
  const turned = new Map<ProblemAlert, FlappingTerms | undefined>();
  const began = new Set<ProblemAlert>();
  const resolved = new Set<ProblemAlert>();

  const keep = (alert: ProblemAlert, rhythm: Rhythm, terms: FlappingTerms | undefined): void => {
    alert.rhythm = writeRhythm(rhythm);
    turned.set(alert, terms);
  };

  /** Keeps the rhythm of an alert that was opened again. Whether it flaps from now on. */
  const judge = (alert: ProblemAlert, rhythm: Rhythm, terms: FlappingTerms | undefined, now: number): boolean => {
    const begins = terms !== undefined && flaps(rhythm, terms, now);
    alert.flappingSince = begins ? now : null;
    keep(alert, { ...rhythm, isKnownCritical: begins && alert.severity === 'critical' }, terms);
    if (begins) began.add(alert);
    return begins;
  };

  /** Says of an alert that somebody completed while its problem was closed that it is resolved. */
  const resolve = (alert: ProblemAlert, { turns }: Rhythm, now: number): void => {
    Object.assign(alert, { state: 'resolved', resolvedAt: Math.min(turns.at(-1) ?? now, now) });
    alert.version += 1;
    turned.set(alert, undefined);
    resolved.add(alert);
  };

  return {
    made(alert, previous, { policy, receivedAt, isImport }) {
      if (!previous) return;
      const terms = termsFor(policy.flapping, all);
      const known = knownOf(previous);
      if (known && !known.isOpen && previous.flappingSince !== null) resolve(previous, known, receivedAt);
      if (!terms || alert.isTest || isImport || alert.state === 'resolved') return;
      const rhythm = openedAgain(previous, known, receivedAt, terms.withinMinutes) ?? known;
      if (!rhythm) return;
      judge(alert, rhythm, terms, receivedAt);
      if (!known) return;
      // The rhythm is the problem's: its newest alert has it.
      Object.assign(previous, { rhythm: null, flappingSince: null });
      turned.set(previous, undefined);
    },
    changed(alert, before, { state, isTest, amends }, change, { policy, receivedAt: now }) {
      const terms = termsFor(policy.flapping, all);
      const known = knownOf(before);
      if (isTest || amends || (!terms && !known)) return change;
      const withinMinutes = terms?.withinMinutes ?? known?.withinMinutes ?? 0;
      if (state === 'resolved') {
        if (known?.isOpen && change.reason !== undefined) keep(alert, turn(known, false, now, withinMinutes), terms);
        return change;
      }
      const rhythm = openedAgain(before, known, now, withinMinutes);
      if (known && isFlapping(before)) {
        const isFirstCritical =
          change.reason === 'escalated' && alert.severity === 'critical' && !known.isKnownCritical;
        if (rhythm || isFirstCritical) {
          keep(alert, { ...(rhythm ?? known), isKnownCritical: known.isKnownCritical || isFirstCritical }, terms);
        }
        return isFirstCritical || !ANNOUNCING.has(change.reason) ? change : { ...change, reason: 'repeated' };
      }
      // Somebody completed what flapped, and it is back: it flaps again, or not any more.
      const opened = rhythm ?? (before.flappingSince === null ? undefined : known);
      if (!opened || !judge(alert, opened, terms, now)) return change;
      return { ...change, reason: beginningOf(alert, change.reason) };
    },
    async write(tx) {
      if (turned.size === 0) return;
      const rows = [...turned.keys()];
      await tx.runRows(
        (count) => tx.dialect.upsertValues(insertSql('alerts', COLUMNS, count), 'id', RHYTHM_COLUMNS),
        rows.map((alert) =>
          keptValues(alert).concat(
            alert.status,
            WRITTEN.map((name) => alert[name]),
          ),
        ),
      );
      // No report is about these any more.
      if (resolved.size > 0)
        announce(tx, { type: 'alert_updated', alertIds: [...resolved].map(({ id }) => id), reason: 'repeated' });
      // What flaps has had a row since it began. Where none may flap, all rows are due; another server may know that some may.
      const dues = [...turned].flatMap(([alert, terms]): SqlValue[][] => {
        const rhythm = terms && isFlapping(alert) ? knownOf(alert) : undefined;
        return terms && rhythm ? [[alert.id, calmAt(rhythm, terms)]] : [];
      });
      await tx.runRows(
        (count) =>
          tx.dialect.upsertValues(insertSql('flapping_ends', ['alert_id', 'due_at'], count), 'alert_id', ['due_at']),
        dues,
      );
      await addHistories(
        tx,
        [...began].map(({ id }) => ({ alertId: id, action: 'flapping', userDisplayName: PRODUCT_NAME })),
      );
    },
  };
}

/** Clears the rhythms of locked alerts, and when they are due. What is back without flapping keeps its own. */
export async function forgetRhythms(tx: Transaction, alertIds: readonly string[]): Promise<void> {
  for (const some of inSizes(alertIds)) {
    const ids = marksOf(some);
    await tx.query(
      `UPDATE alerts SET flapping_since = NULL, rhythm = NULL WHERE flapping_since IS NOT NULL AND id IN (${ids})`,
      [...some],
    );
    await tx.query(`DELETE FROM flapping_ends WHERE alert_id IN (${ids})`, [...some]);
  }
}

/** With the state, because who had the rhythm before may have been resolved meanwhile. */
const WRITTEN = ['rhythm', 'flappingSince', 'state', 'resolvedAt', 'version'] as const satisfies (keyof ProblemAlert)[];
const RHYTHM_COLUMNS = WRITTEN.map(alertColumn);
const COLUMNS = [...KEPT_COLUMNS, alertColumn('status'), ...RHYTHM_COLUMNS];

/** Reasons by which somebody, or a rule, is notified. */
const ANNOUNCING: ReadonlySet<UpdateReason | undefined> = new Set([...NOTIFYING_REASONS, 'reopened' as const]);

const knownOf = ({ rhythm }: Pick<Standing, 'rhythm'>): Rhythm | undefined =>
  rhythm === null ? undefined : readRhythm(rhythm);

/** The rhythm of a problem that a report has opened again; undefined where it was open already. */
function openedAgain(
  { state, receivedAt, resolvedAt }: Standing,
  known: Rhythm | undefined,
  now: number,
  withinMinutes: number,
): Rhythm | undefined {
  if (state !== 'resolved' && known?.isOpen !== false) return undefined;
  const closedAt = Math.min(resolvedAt ?? now, now);
  const closed = known ? turn(known, false, closedAt) : rhythmOf(receivedAt, closedAt, withinMinutes);
  return turn(closed, true, now, withinMinutes);
}

/** Why an alert is announced that begins to flap. Who snoozed it is not to be notified of it. */
function beginningOf({ snoozedUntil }: ProblemAlert, reason: UpdateReason | undefined): UpdateReason {
  if (reason === 'woken' || reason === 'escalated') return reason;
  return snoozedUntil === null ? 'flapping' : 'repeated';
}
