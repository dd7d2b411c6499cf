import { uuidv7 } from 'uuidv7';
import type { Database } from '#backend/platform/database/database.ts';
import { type SqlValue, insertSql } from '#backend/platform/database/dialect.ts';
import { DELIVERY_COLUMNS } from '#backend/intake/delivery-log/delivery-entity.ts';

const AT_ONCE = 500;
const HOUR_MS = 60 * 60_000;

/** The time over which what is logged was logged, in milliseconds: a week. */
const OVER_MS = 7 * 24 * HOUR_MS;

const AUDIT_COLUMNS = ['id', 'action', 'actor_id', 'actor_name', 'subject', 'ip', 'times', 'created_at'];

/** Entries of the audit trail, spread over a week; none of them has the word `nobody`. */
export async function seedAudit(database: Database, count: number): Promise<void> {
  await seedRows(database, 'audit_log', AUDIT_COLUMNS, count, (number, at) => [
    idAt(at),
    number % 3 === 0 ? 'signed_in' : 'refused',
    null,
    `member-${number % 200}@bench.local`,
    number % 5 === 0 ? `GET /api/alerts/${number}` : null,
    `10.0.${number % 250}.${number % 240}`,
    1,
    at,
  ]);
}

/** Deliveries of one source, spread over a week, with the hours and totals that the log keeps. */
export async function seedDeliveries(database: Database, sourceId: string, count: number): Promise<void> {
  const hours = new Map<number, number>();
  await seedRows(database, 'deliveries', [...DELIVERY_COLUMNS], count, (number, at) => {
    const hour = at - (at % HOUR_MS);
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
    const facts =
      '{"size":400,"durationMs":1.5,"remoteAddress":"10.0.0.1","sender":null,"method":"POST","path":"/webhook","headers":[]}';
    return [
      idAt(at),
      sourceId,
      at,
      number % 50 === 0 ? 'refused' : 'new',
      'key',
      `Disk full on node-${number % 500}`,
      null,
      null,
      '[]',
      facts,
      null,
      400,
    ];
  });
  await database.transaction(async (tx) => {
    for (const [hour, deliveries] of hours) {
      await tx.query(insertSql('delivery_hours', ['source_id', 'hour', 'outcome', 'way', 'deliveries'], 1), [
        sourceId,
        hour,
        'new',
        'key',
        deliveries,
      ]);
    }
    await tx.query(insertSql('delivery_totals', ['source_id', 'kind', 'amount'], 2), [
      sourceId,
      'rows',
      count,
      sourceId,
      'bytes',
      count * 400,
    ]);
  });
}

/** An id of a moment in the past, unlike any other. */
const idAt = (at: number): string => {
  const hex = at.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${uuidv7().slice(13)}`;
};

async function seedRows(
  database: Database,
  table: string,
  columns: string[],
  count: number,
  rowOf: (number: number, at: number) => SqlValue[],
): Promise<void> {
  const from = Date.now() - OVER_MS;
  for (let at = 0; at < count; at += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, row) =>
      rowOf(at + row, Math.floor(from + ((at + row) * OVER_MS) / count)),
    );
    await database.transaction((tx) => tx.runPrepared(insertSql(table, columns, rows.length), rows.flat()), {
      waitsForDisk: false,
    });
  }
}
