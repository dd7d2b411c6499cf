import { uuidv7 } from 'uuidv7';
import { countChanges } from '#backend/alerts/alert/count-changes.ts';
import { AlertEntity, NO_PROBLEM, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type SqlValue, insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';

const AT_ONCE = 500;

/** Databases know no booleans. */
const asStored = (value: unknown): SqlValue => (typeof value === 'boolean' ? Number(value) : (value as SqlValue));

/**
 * Puts many alerts into the database, oldest first, where posting each would take too long. Returns their ids.
 *
 * @param andThen what else happens to them before anybody else sees them
 */
export async function insertAlerts(
  database: Database,
  alerts: Partial<StoredAlert>[],
  andThen: (tx: Transaction, some: readonly StoredAlert[]) => Promise<void> = async () => undefined,
): Promise<string[]> {
  const rows = alerts.map((alert): StoredAlert => ({
    id: uuidv7(),
    receivedAt: Date.now(),
    status: 'pending',
    customer: null,
    alertType: null,
    url: '/webhook',
    payload: '{}',
    extraData: '{}',
    ownerId: null,
    folderId: null,
    sourceName: 'Test key',
    ...NO_PROBLEM,
    ...alert,
  }));
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE);
    await database.transaction(async (tx) => {
      // Plain statements: TypeORM takes several times as long to make them of so many values.
      const { columns, tableName } = tx.dataSource.getMetadata(AlertEntity);
      const names = columns.map(({ databaseName }) => databaseName);
      const values = some.flatMap((row) => columns.map((column) => asStored(column.getEntityValue(row))));
      await tx.query(insertSql(tableName, names, some.length), values);
      await countChanges(
        tx,
        some.map((after) => ({ after })),
      );
      await andThen(tx, some);
    });
  }
  return rows.map(({ id }) => id);
}

/** A call that imports one open alert of another system. */
export const importTo = (sourceId: string) => ({
  path: `/api/sources/${sourceId}/import`,
  body: {
    system: 'Opsgenie',
    alerts: [{ dedupKey: 'disk', title: 'Disk full', createdAt: '2026-11-01T08:00:00Z', payload: { message: 'Full' } }],
  },
});
