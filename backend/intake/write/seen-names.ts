import { nameSortKey } from '#backend/contract/name.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';

/**
 * The last time seen of a name that this process wrote so recently is not written again: in a storm it would be raised
 * a hundred times a second. A name's last time seen is therefore right up to this, in milliseconds.
 */
const WRITE_INTERVAL_MS = 250;

/** Names that are remembered as written; whoever names more of them pays for writing them again. */
const MAX_REMEMBERED = 10_000;

/** What of an alert is seen: its names, and when. */
export interface SeenAlert {
  customer: string | null;
  alertType: string | null;
  receivedAt: number;
}

/** Customers and types to be written, and when they were seen last: in the order of names. */
export interface DueNames {
  customers: [string, number][];
  types: [string, number][];
}

/** Remembers which names were written last. */
export interface SeenNames {
  /** The names of these alerts whose last time seen is to be written. */
  dueIn(alerts: readonly SeenAlert[]): DueNames;
  /** To be called after the commit. */
  noteWritten(due: DueNames): void;
}

export function createSeenNames(): SeenNames {
  const customers = new Map<string, number>();
  const types = new Map<string, number>();
  return {
    dueIn: (alerts) => ({
      customers: dueNames(customers, alerts, 'customer'),
      types: dueNames(types, alerts, 'alertType'),
    }),
    noteWritten(due) {
      remember(customers, due.customers);
      remember(types, due.types);
    },
  };
}

function remember(written: Map<string, number>, due: [string, number][]): void {
  if (written.size + due.length > MAX_REMEMBERED) written.clear();
  for (const [name, at] of due) written.set(name, at);
}

/** Names in a fixed order: two servers that touch the same rows in the same order do not deadlock. */
function dueNames(
  written: ReadonlyMap<string, number>,
  alerts: readonly SeenAlert[],
  field: 'customer' | 'alertType',
): [string, number][] {
  const due = new Map<string, number>();
  for (const alert of alerts) {
    const name = alert[field];
    if (name === null) continue;
    const writtenAt = written.get(name);
    // A clock may also go back.
    if (writtenAt !== undefined && Math.abs(alert.receivedAt - writtenAt) < WRITE_INTERVAL_MS) continue;
    due.set(name, Math.max(alert.receivedAt, due.get(name) ?? 0));
  }
  return [...due].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Adds customers and types that are named for the first time; of the others it raises the last time seen. */
export async function writeSeenNames(tx: Transaction, { customers, types }: DueNames): Promise<void> {
  await tx.runRows(
    upsertOf(tx, 'customers', ['id', 'name', 'sort_key', 'last_seen_at']),
    customers.map(([name, at]) => [newId(), name, nameSortKey(name), at]),
  );
  await tx.runRows(
    upsertOf(tx, 'alert_types', ['name', 'sort_key', 'last_seen_at']),
    types.map(([name, at]) => [name, nameSortKey(name), at]),
  );
}

const upsertOf =
  ({ dialect }: Transaction, table: string, columns: readonly string[]) =>
  (rows: number) =>
    dialect.upsertGreatest(insertSql(table, columns, rows), 'name', ['last_seen_at']);
