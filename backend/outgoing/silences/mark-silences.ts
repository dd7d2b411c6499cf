import { inSizes } from '#backend/platform/database/dialect.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Fact } from '#backend/platform/feed/feed-facts.ts';
import { SilenceEntity } from './silence-entities.ts';

/** Alerts of which something changed that decides on their silences; `true` where somebody took them. */
export type OwnedAlerts = ReadonlyMap<string, boolean>;

/** Which alerts facts of the feed say this of. What is reported of a problem never takes an alert. */
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
      // Says nothing of who has an alert. What names no alerts is found when silences are looked at.
    }
  }
  return owned;
}

/**
 * Has the silences of alerts looked at, and makes the row of those that need one for the first time. What is wanted is decided
 * by the alert as it is when its row is looked at, so this may be repeated.
 *
 * @param silenced sources whose senders are silenced
 */
export async function markSilences(tx: Transaction, silenced: ReadonlySet<string>, owned: OwnedAlerts): Promise<void> {
  for (const ids of inSizes([...owned.keys()])) {
    const places = ids.map(() => '?').join(', ');
    const stored: { alertId: string }[] = await tx.query(
      `SELECT alert_id AS alertId FROM silences WHERE alert_id IN (${places})${tx.dialect.forUpdate}`,
      [...ids],
    );
    const known = new Set(stored.map(({ alertId }) => alertId));
    await markDue(
      tx,
      ids.filter((id) => known.has(id)),
      '',
    );
    await markDue(
      tx,
      ids.filter((id) => known.has(id) && owned.get(id) === true),
      ', is_stopped = ?',
      [false],
    );
    await addRows(tx, silenced, ids, known);
  }
}

async function markDue(tx: Transaction, ids: string[], also: string, values: boolean[] = []): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `UPDATE silences SET revision = revision + 1, next_at = 0${also} WHERE alert_id IN (${ids.map(() => '?').join(', ')})`,
    [...values.map(Number), ...ids],
  );
}

async function addRows(
  tx: Transaction,
  silenced: ReadonlySet<string>,
  ids: readonly string[],
  known: ReadonlySet<string>,
): Promise<void> {
  const alerts: { id: string; sourceId: string }[] = await tx.query(
    `SELECT id, source_id AS sourceId FROM alerts WHERE id IN (${ids.map(() => '?').join(', ')}) ` +
      `AND owner_id IS NOT NULL AND is_test = 0 AND status <> 'completed' AND state IN ('firing', 'acknowledged') ` +
      `AND source_id IN (${[...silenced].map(() => '?').join(', ')})`,
    [...ids, ...silenced],
  );
  const now = Date.now();
  for (const { id, sourceId } of alerts) {
    if (known.has(id)) continue;
    await tx.getRepository(SilenceEntity).insert({
      id: newId(),
      sourceId,
      alertId: id,
      labels: null,
      silenceId: null,
      state: 'waiting',
      end: null,
      ownerName: null,
      endsAt: null,
      isStopped: false,
      revision: 1,
      failures: 0,
      fault: null,
      missingSince: null,
      nextAt: 0,
      claimedUntil: 0,
      createdAt: now,
      finishedAt: null,
    });
  }
}

/** Has all silences of a source looked at: how they are made has changed. */
export const markSource = (tx: Transaction, sourceId: string): Promise<unknown> =>
  tx.query('UPDATE silences SET revision = revision + 1, next_at = 0 WHERE source_id = ? AND finished_at IS NULL', [
    sourceId,
  ]);
