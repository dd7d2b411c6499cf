import { marksOf } from '#backend/platform/database/conditions.ts';
import { In } from 'typeorm';
import { type PresentableAlert, type StoredAlert, publishedAlert } from '#backend/alerts/alert/alert.ts';
import { addHistories } from '#backend/alerts/alert/write-history.ts';
import { isPaused } from '#backend/alerts/alert/rhythm.ts';
import type { MatchedAlert } from '#backend/alerts/alert/match-list.ts';
import type { UpdateReason } from '#backend/contract/live-event.ts';
import { inSizes, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { QuietWindow } from './quiet-windows.ts';
import { OccurrenceEntity, QuietAlertEntity } from './window-entities.ts';

/** An alert that a transaction stores or changes, with whether anybody is to be notified of it. */
export interface ReportedAlert {
  /** Its payload is null where it is too large to be read again. */
  alert: Omit<PresentableAlert, 'payload'> &
    Pick<StoredAlert, 'quietById' | 'quietByName'> & { payload: string | null };
  isNew: boolean;
  isChanged: boolean;
  /** Why it is announced. */
  reason: UpdateReason | undefined;
  isQuiet: boolean;
  /** A rule keeps it quiet: no window marks or releases it. */
  isSuppressed?: boolean;
  /** For how long it was not reported, where it notifies for that, in milliseconds. */
  notifiesAfterMs?: number | undefined;
  /** What made it; an import brings what happened elsewhere. */
  made?: { delivery: { isImport?: boolean } } | undefined;
}

/** Nothing keeps it quiet. */
export const LOUD = { quietById: null, quietByName: null } as const;

/** Whether an alert needs attention: it is open, and its sender has not reported that it is over. */
export const stillFires = ({ status, state }: Pick<StoredAlert, 'status' | 'state'>): boolean =>
  status !== 'completed' && state !== 'resolved';

/** The window that keeps an alert quiet: of several the one that ends last. */
export const windowOf = (windows: readonly QuietWindow[], alert: MatchedAlert): QuietWindow | undefined =>
  windows.find(({ matches }) => matches(alert));

/**
 * Marks what the windows keep quiet, before it is written: in the transaction that stores an alert, so that no server can
 * notify of it. An occurrence that has ended meanwhile marks nothing: its row is locked here and where it ends. What is over,
 * or flaps and is closed for a moment, keeps the mark that it has, or has none.
 *
 * @param windows those that are on
 */
export async function keepQuiet(
  tx: Transaction,
  windows: readonly QuietWindow[],
  reported: readonly ReportedAlert[],
): Promise<void> {
  if (windows.length === 0) return;
  const wanted = new Map<string, ReportedAlert[]>();
  const released: ReportedAlert[] = [];
  for (const one of reported) {
    if ((!one.isNew && !one.isChanged) || one.made?.delivery.isImport || one.isSuppressed) continue;
    if (!one.isNew && (!stillFires(one.alert) || isPaused(one.alert))) continue;
    const { payload } = one.alert;
    const judging = payload === null ? windows.filter(({ readsTexts }) => !readsTexts) : windows;
    const window = windowOf(judging, publishedAlert({ ...one.alert, payload: payload ?? '' }, null));
    const isMarkedBy = ({ id }: QuietWindow) => id === one.alert.quietById;
    if (window && !windows.some(isMarkedBy)) wanted.set(window.id, [...(wanted.get(window.id) ?? []), one]);
    if (!window && judging.some(isMarkedBy)) released.push(one);
  }
  const valid = await lockOn(tx, [...wanted.keys()]);
  for (const [id, some] of wanted) {
    const name = valid.get(id);
    if (name === undefined) continue;
    await countKept(
      tx,
      id,
      some.map(({ alert }) => alert.id),
    );
    const stored = some.filter(({ isNew }) => !isNew).map(({ alert }) => alert.id);
    await writeMark(tx, stored, { quietById: id, quietByName: name });
    for (const one of some) Object.assign(one.alert, { quietById: id, quietByName: name });
  }
  // Insight counts what a window kept quiet by the history, once the mark is gone.
  await addHistories(
    tx,
    released.map(({ alert }) => ({
      alertId: alert.id,
      action: 'kept_quiet',
      userDisplayName: alert.quietByName ?? '',
    })),
  );
  await unmark(tx, released);
  for (const one of reported) one.isQuiet ||= one.alert.quietById !== null;
}

/** The occurrences of these that are on, locked, with their names. */
export async function lockOn(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.lockRows(OccurrenceEntity, { id: In([...ids]) }, ['id', 'name', 'state', 'endsAt']);
  const now = Date.now();
  return new Map(
    rows
      .filter(({ state, endsAt }) => (state === 'planned' || state === 'on') && endsAt > now)
      .map(({ id, name }) => [id, name]),
  );
}

/** Counts alerts as kept quiet by a locked occurrence, each once. */
export async function countKept(tx: Transaction, id: string, alertIds: readonly string[]): Promise<void> {
  const rows = await tx.getRepository(QuietAlertEntity).findBy({ occurrenceId: id, alertId: In([...alertIds]) });
  const counted = new Set(rows.map(({ alertId }) => alertId));
  const first = alertIds.filter((alertId) => !counted.has(alertId));
  for (const some of inSizes(first)) {
    await tx.query(
      insertSql('quiet_alerts', ['occurrence_id', 'alert_id'], some.length),
      some.flatMap((alertId) => [id, alertId]),
    );
  }
  await tx.query('UPDATE maintenance_occurrences SET kept = kept + ? WHERE id = ?', [first.length, id]);
}

/** Writes or removes the mark of locked alerts that are stored; every change of an alert counts itself. */
export async function writeMark(
  tx: Transaction,
  alertIds: readonly string[],
  { quietById, quietByName }: Pick<StoredAlert, 'quietById' | 'quietByName'>,
): Promise<void> {
  for (const some of inSizes(alertIds)) {
    await tx.query(
      `UPDATE alerts SET quiet_by_id = ?, quiet_by_name = ?, version = version + 1 WHERE id IN (${marksOf(some)})`,
      [quietById, quietByName, ...some],
    );
  }
}

/**
 * What a window or a rule is not about any more, because its sender reports otherwise, notifies as a new alert does. A window's row
 * stays until it ends, so that the alert is counted once if it comes back.
 */
export async function unmark(tx: Transaction, released: readonly ReportedAlert[]): Promise<void> {
  for (const one of released) {
    const { alert } = one;
    await writeMark(tx, [alert.id], LOUD);
    Object.assign(alert, LOUD);
    one.notifiesAfterMs = undefined;
    if (one.reason === 'repeated' && alert.snoozedUntil === null) one.reason = 'notify_again';
  }
}
