import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { type CountedAlert, countChanges } from '#backend/alerts/count-changes.ts';
import type { AlertStatus } from '#backend/contract/alert.ts';
import type { Database } from '#backend/database/database.ts';
import { type SqlValue, insertSql } from '#backend/database/dialect.ts';

const AT_ONCE = 500;
const CUSTOMERS = 400;
const TYPES = 12;
const OWNERS = 20;
const SOURCES = 12;

/** How many of a hundred alerts have which severity; the others have none. */
const SEVERITIES = [
  [5, 'critical'],
  [15, 'high'],
  [55, 'warning'],
  [65, 'low'],
  [80, 'info'],
] as const;

/** The word that every alert has, and the one that a single alert in the middle has. */
export const COMMON_WORD = 'incident';
export const RARE_WORD = 'zebrafish';

/** The word that every note has, and the one that a single note, on an old alert, has. One alert in a hundred has a note. */
export const NOTE_WORD = 'volume';
export const RARE_NOTE_WORD = 'quokka';
const ALERTS_PER_NOTE = 100;

/** The customer of one alert in fifty thousand. */
export const RARE_CUSTOMER = 'Customer of few alerts';

const COLUMNS = [
  'id',
  'received_at',
  'status',
  'customer',
  'alert_type',
  'url',
  'payload',
  'extra_data',
  'owner_id',
  'source_id',
  'severity',
  'note_text',
];
const NOTE_COLUMNS = ['id', 'alert_id', 'author_id', 'author_name', 'text', 'mentions', 'notified', 'created_at'];

/**
 * Fills a database with alerts as a long-used one has them: three in ten wait, the rest are twenty people's and mostly
 * completed; 400 customers, 12 types, 12 sources, 400-byte payloads with identifiers that never repeat; a note on one in
 * a hundred.
 *
 * @returns the ids, oldest first
 */
export async function seedAlerts(database: Database, count: number): Promise<string[]> {
  const ids: string[] = [];
  const owners = Array.from({ length: OWNERS }, () => uuidv7());
  const sources = Array.from({ length: SOURCES }, () => uuidv7());
  const insert = insertSql('alerts', COLUMNS, AT_ONCE);
  const insertNotes = insertSql('alert_notes', NOTE_COLUMNS, AT_ONCE / ALERTS_PER_NOTE);
  for (let at = 0; at < count; at += AT_ONCE) {
    const rows = Array.from({ length: AT_ONCE }, (_, row) => makeRow(at + row, count, { owners, sources }));
    ids.push(...rows.map(({ values }) => String(values[0])));
    await database.transaction(async (tx) => {
      await tx.runPrepared(
        insert,
        rows.flatMap(({ values }) => values),
      );
      await tx.runPrepared(
        insertNotes,
        rows.flatMap(({ note, values: [alertId] }) =>
          note === null ? [] : [uuidv7(), alertId ?? '', owners[0] ?? '', 'Bench', note, '[]', '[]', Date.now()],
        ),
      );
      await countChanges(
        tx,
        rows.map(({ counted }) => ({ after: counted })),
      );
    });
  }
  return ids;
}

function makeRow(
  number: number,
  count: number,
  { owners, sources }: { owners: string[]; sources: string[] },
): { values: SqlValue[]; note: string | null; counted: CountedAlert } {
  // No random numbers: every run measures the same alerts.
  const hash = createHash('sha1').update(String(number)).digest('hex');
  const draw = (at: number, range: number) => Number.parseInt(hash.slice(at, at + 6), 16) % range;
  const status = statusOf(draw(0, 10));
  const customer = number % 50_000 === 7 ? RARE_CUSTOMER : `Customer ${draw(6, CUSTOMERS)}`;
  const alertType = `type-${draw(12, TYPES)}`;
  const ownerId = status === 'pending' ? null : (owners[draw(18, OWNERS)] ?? null);
  const percent = draw(2, 100);
  const severity = SEVERITIES.find(([below]) => percent < below)?.[1] ?? null;
  // The first sources send most.
  const sourceId = sources[Math.floor(draw(10, SOURCES ** 2) ** 2 / SOURCES ** 3)] ?? null;
  const word = number === Math.floor(count / 2) ? RARE_WORD : 'nothing';
  const isRare = number === Math.floor(count / 3 / ALERTS_PER_NOTE) * ALERTS_PER_NOTE;
  const note =
    number % ALERTS_PER_NOTE === 0
      ? `The ${NOTE_WORD} was extended by ${isRare ? RARE_NOTE_WORD : 'hand'}, see OPS-${draw(20, 100_000)}.`
      : null;
  const payload = JSON.stringify({
    customer,
    type: alertType,
    order_no: `HF-${draw(24, 1_000_000)}`,
    trace: hash,
    host: `node-${draw(30, 500)}.example.com`,
    message: `The ${COMMON_WORD} response found ${word} unusual about checkout latency in region eu-west on attempt ${number}`,
    link: `https://status.example.com/incidents/${hash.slice(0, 12)}`,
    labels: { severity: 'warning', team: 'payments', runbook: 'restart the pod and wait for the queue to drain' },
  });
  return {
    values: [
      uuidv7(),
      Date.now(),
      status,
      customer,
      alertType,
      '/webhook',
      payload,
      '{}',
      ownerId,
      sourceId,
      severity,
      note,
    ],
    note,
    counted: { status, snoozedUntil: null, customer, alertType, ownerId, folderId: null, sourceId, severity },
  };
}

const statusOf = (draw: number): AlertStatus =>
  draw < 3 ? 'pending' : draw < 4 ? 'accepted' : draw < 5 ? 'in-progress' : 'completed';
