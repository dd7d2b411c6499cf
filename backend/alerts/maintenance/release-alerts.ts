import { marksOf } from '#backend/platform/database/conditions.ts';
import { In, MoreThan } from 'typeorm';
import { type AlertSeverity, alertSeveritySchema } from '#backend/contract/alert.ts';
import { ALERT_PLACE, AlertEntity, type StoredAlert, publishedAlert } from '#backend/alerts/alert/alert.ts';
import { findRedundant } from '#backend/alerts/groups/notify-once.ts';
import { addHistories } from '#backend/alerts/alert/write-history.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { pause } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { LOUD, countKept, lockOn, stillFires, windowOf, writeMark } from './mark-alerts.ts';
import type { QuietWindow } from './quiet-windows.ts';
import { OccurrenceEntity, QuietAlertEntity, type StoredOccurrence, ownersOf } from './window-entities.ts';

/** Alerts that one transaction releases, and the pause after it: ingest goes between. */
const BATCH_ALERTS = 100;
const PAUSE_MS = 20;

/** What is read of an alert that still fires. */
type Released = Pick<StoredAlert, 'id' | 'severity' | 'ownerId'>;

/**
 * Releases what an occurrence kept quiet, a few in each transaction, until nothing is left. What still fires is announced as
 * `quiet_ended`, by which rules and ladders take it for new, of a group once for its card, or stays quiet where another window
 * is about it. Each alert is released once, whoever goes on after a kill.
 *
 * @param others the windows that are on now
 * The rows of what stays quiet by another window are left: the end counts and deletes them.
 */
export async function releaseAlerts(
  database: Database,
  occurrence: Pick<StoredOccurrence, 'id' | 'name'>,
  others: readonly QuietWindow[],
  stopping: AbortSignal,
): Promise<void> {
  let last = '';
  while (!stopping.aborted) {
    const rows = await database.reads.getRepository(QuietAlertEntity).find({
      where: { occurrenceId: occurrence.id, alertId: MoreThan(last) },
      order: { alertId: 'ASC' },
      take: BATCH_ALERTS,
    });
    if (rows.length === 0) return;
    last = rows.at(-1)?.alertId ?? last;
    const ids = rows.map(({ alertId }) => alertId);
    await database.transaction((tx) => release(tx, occurrence, others, ids));
    await pause(PAUSE_MS, stopping);
  }
}

async function release(
  tx: Transaction,
  occurrence: Pick<StoredOccurrence, 'id' | 'name'>,
  others: readonly QuietWindow[],
  ids: readonly string[],
): Promise<void> {
  const locked = await tx.lockRows(AlertEntity, { id: In([...ids]) }, [
    ...ALERT_PLACE,
    'state',
    'groupId',
    'lastSeenAt',
    'receivedAt',
  ]);
  const marked = locked.filter(({ quietById }) => quietById === occurrence.id);
  const moved = await moveToOthers(tx, others, marked.filter(stillFires));
  const released = marked.filter(({ id }) => !moved.has(id));
  const releasedIds = released.map(({ id }) => id);
  await writeMark(tx, releasedIds, LOUD);
  await addHistories(
    tx,
    releasedIds.map((alertId) => ({ alertId, action: 'kept_quiet', userDisplayName: occurrence.name })),
  );
  const firing = released.filter(stillFires);
  if (firing.length > 0) await countFiring(tx, occurrence.id, firing);
  // What is snoozed notifies nobody, and says nothing for its card.
  const left = await findRedundant(
    tx,
    firing.filter(({ snoozedUntil }) => snoozedUntil === null).map((alert) => ({ alert })),
  );
  const notifying = firing.filter(({ id }) => !left.has(id)).map(({ id }) => id);
  const over = released.filter((alert) => !stillFires(alert)).map(({ id }) => id);
  const silent = [...over, ...left, ...moved];
  announce(
    tx,
    ...(notifying.length > 0 ? [{ type: 'alert_updated', alertIds: notifying, reason: 'quiet_ended' } as const] : []),
    ...(silent.length > 0 ? [{ type: 'alert_updated', alertIds: silent, reason: 'repeated' } as const] : []),
  );
  // Also what another server moved. Rules keep alerts quiet, too, and windows what is over.
  const windows = new Set(others.map(({ id }) => id));
  const elsewhere = new Set(moved);
  for (const alert of locked) if (windows.has(alert.quietById ?? '') && stillFires(alert)) elsewhere.add(alert.id);
  const done = ids.filter((id) => !elsewhere.has(id));
  if (done.length === 0) return;
  const places = marksOf(done);
  await tx.query(`DELETE FROM quiet_alerts WHERE occurrence_id = ? AND alert_id IN (${places})`, [
    occurrence.id,
    ...done,
  ]);
}

/** Alerts that still fire and that other windows are about stay quiet by those. Returns their ids. */
async function moveToOthers(
  tx: Transaction,
  others: readonly QuietWindow[],
  marked: readonly { id: string }[],
): Promise<ReadonlySet<string>> {
  const moved = new Set<string>();
  if (others.length === 0 || marked.length === 0) return moved;
  const wanted = new Map<string, string[]>();
  for (const { id } of marked) {
    // One after the other, because payloads may be large.
    const alert = await tx.getRepository(AlertEntity).findOneBy({ id });
    const window = alert && windowOf(others, publishedAlert(alert, null));
    if (window) wanted.set(window.id, [...(wanted.get(window.id) ?? []), id]);
  }
  for (const [id, name] of await lockOn(tx, [...wanted.keys()])) {
    const ids = wanted.get(id) ?? [];
    await countKept(tx, id, ids);
    await writeMark(tx, ids, { quietById: id, quietByName: name });
    for (const one of ids) moved.add(one);
  }
  return moved;
}

async function countFiring(tx: Transaction, id: string, firing: readonly Released[]): Promise<void> {
  const [occurrence] = await tx.lockRows(OccurrenceEntity, { id }, ['id', 'stillFiring', 'worst', 'ownerIds']);
  if (!occurrence) return;
  const worst = firing.map(({ severity }) => severity ?? 'none').reduce(worse, occurrence.worst);
  const owners = new Set([...ownersOf(occurrence), ...firing.flatMap(({ ownerId }) => ownerId ?? [])]);
  await tx.getRepository(OccurrenceEntity).update(
    { id },
    {
      stillFiring: occurrence.stillFiring + firing.length,
      worst,
      ownerIds: owners.size === 0 ? null : [...owners].join(','),
    },
  );
}

const RANKS: readonly AlertSeverity[] = alertSeveritySchema.options;
const worse = (one: AlertSeverity, other: AlertSeverity): AlertSeverity =>
  RANKS.indexOf(one) <= RANKS.indexOf(other) ? one : other;
