import { marksOf } from '#backend/platform/database/conditions.ts';
import { inSizes } from '#backend/platform/database/dialect.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Fact } from '#backend/platform/feed/feed-facts.ts';
import { SilenceEntity } from './silence-entities.ts';

/** Alerts with a change that decides on their silences; `true` where somebody accepted them or was assigned. */
export type OwnedAlerts = ReadonlyMap<string, boolean>;

/** Reads such changes from the feed. Reports of a sender never accept an alert. */
export function ownedAlerts(facts: readonly Fact[]): OwnedAlerts {
  const owned = new Map<string, boolean>();
  const add = (ids: readonly string[], isTaken: boolean): void => {
    for (const id of ids) owned.set(id, isTaken || (owned.get(id) ?? false));
  };
  for (const fact of facts) {
    switch (fact.type) {
      case 'alert_accepted':
        add([fact.alertId], true);
        break;
      case 'alerts_changed':
        add(fact.alertIds, fact.change === 'accepted' || fact.change === 'assigned');
        break;
      case 'alert_unaccepted':
      case 'alert_updated':
        add(fact.alertIds, false);
        break;
      case 'alert_deleted':
        add([fact.alertId], false);
        break;
      default:
      // Other facts do not change the owner. Those without ids are noticed by the next reconciliation.
    }
  }
  return owned;
}

/** Sources whose alerts are silenced at their senders. */
export interface SilencedSources {
  /** Sources with silencing switched on. */
  sourceIds: readonly string[];
  /** Those of them whose senders resolve alerts that are completed here. */
  resolving: readonly string[];
}

/** Alerts that were accepted and completed within this time are resolved at their sender, in milliseconds. */
const COMPLETED_MS = 10 * 60_000;

/**
 * Schedules the silences of alerts for reconciliation, and adds the rows that are missing. The reconciliation decides by the
 * alert as it is then, so this may be repeated.
 */
export async function scheduleSilences(tx: Transaction, silenced: SilencedSources, owned: OwnedAlerts): Promise<void> {
  for (const ids of inSizes([...owned.keys()])) {
    await addSilences(tx, silenced, ids);
    await scheduleNow(tx, ids);
    await scheduleNow(
      tx,
      ids.filter((id) => owned.get(id) === true),
      ', is_stopped = ?',
      [false],
    );
  }
}

/** Makes the silences of these alerts due at once. */
export async function scheduleNow(
  tx: Transaction,
  ids: readonly string[],
  also = '',
  values: readonly boolean[] = [],
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `UPDATE silences SET revision = revision + 1, next_at = 0${also} WHERE alert_id IN (${marksOf(ids)})`,
    [...values.map(Number), ...ids],
  );
}

/** Adds a row for each of these alerts that has an owner and no row yet. */
export async function addSilences(
  tx: Transaction,
  { sourceIds, resolving }: SilencedSources,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0 || sourceIds.length === 0) return;
  const completed = resolving.length === 0 ? '' : ` OR (source_id IN (${marksOf(resolving)}) AND completed_at >= ?)`;
  const now = Date.now();
  const alerts: { id: string; sourceId: string }[] = await tx.query(
    `SELECT id, source_id AS sourceId FROM alerts WHERE id IN (${marksOf(ids)}) ` +
      `AND owner_id IS NOT NULL AND is_test = 0 AND state IN ('firing', 'acknowledged') ` +
      `AND source_id IN (${marksOf(sourceIds)}) AND (status <> 'completed'${completed})`,
    [...ids, ...sourceIds, ...resolving, ...(resolving.length === 0 ? [] : [now - COMPLETED_MS])],
  );
  const stored: { alertId: string }[] = await tx.query(
    `SELECT alert_id AS alertId FROM silences WHERE alert_id IN (${marksOf(ids)})${tx.dialect.forUpdate}`,
    [...ids],
  );
  const known = new Set(stored.map(({ alertId }) => alertId));
  for (const { id, sourceId } of alerts) {
    if (known.has(id)) continue;
    await tx.getRepository(SilenceEntity).insert({ ...NEW, id: newId(), sourceId, alertId: id, createdAt: now });
  }
}

/** Columns of a silence that is not requested yet. */
const NEW = {
  subject: null,
  mark: null,
  silenceId: null,
  state: 'waiting',
  end: null,
  ownerName: null,
  endsAt: null,
  askedUntil: null,
  isStopped: false,
  revision: 1,
  failures: 0,
  fault: null,
  missingSince: null,
  nextAt: 0,
  claimedUntil: 0,
  finishedAt: null,
} as const;

/** Makes all silences of a source due at once, after its settings have changed. */
export const scheduleSource = (tx: Transaction, sourceId: string): Promise<unknown> =>
  tx.query('UPDATE silences SET revision = revision + 1, next_at = 0 WHERE source_id = ? AND finished_at IS NULL', [
    sourceId,
  ]);
