import { marksOf } from '#backend/platform/database/conditions.ts';
import type { EntityManager } from 'typeorm';
import { UserEntity } from '#backend/identity/users/user.ts';
import { type StoredAlert, canSee } from '#backend/alerts/alert/alert.ts';
import { MAX_PEOPLE, type Person } from '#backend/contract/note.ts';
import { sortByName } from '#backend/contract/name.ts';

/** The colleagues whose name contains a text, who may see this alert first, each with their open alerts. */
export async function findPeople(reads: EntityManager, alert: StoredAlert, search = ''): Promise<Person[]> {
  const users = await reads
    .getRepository(UserEntity)
    .find({ select: { id: true, displayName: true, role: true }, where: { isActive: true, isService: false } });
  const wanted = search.toLowerCase();
  const found = users.filter(({ displayName }) => displayName.toLowerCase().includes(wanted));
  const sorted = sortByName(found, ({ displayName }) => displayName);
  // Only who may see the alert can be mentioned: they must not be cut for the others.
  const seeing = sorted.filter((user) => canSee(user, alert));
  const shown = [...seeing, ...sorted.filter((user) => !canSee(user, alert))].slice(0, MAX_PEOPLE);
  const counts = await countOpen(
    reads,
    shown.map(({ id }) => id),
  );
  return shown.map(({ id, displayName, role }) => ({
    id,
    displayName,
    openAlerts: counts.get(id) ?? 0,
    canSee: canSee({ id, role }, alert),
  }));
}

async function countOpen(reads: EntityManager, ids: string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows: { id: string; alerts: string | number }[] = await reads.query(
    'SELECT owner_id AS id, SUM(alerts) AS alerts FROM alert_counts WHERE detail = 0 ' +
      `AND owner_id IN (${marksOf(ids)}) AND status <> 'completed' GROUP BY owner_id`,
    ids,
  );
  return new Map(rows.map(({ id, alerts }) => [id, Number(alerts)]));
}
