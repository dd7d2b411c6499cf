import { createHash } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { type CountedAlert, countChanges } from '#backend/alerts/alert/count-changes.ts';
import type { AlertStatus } from '#backend/contract/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type SqlValue, insertSql } from '#backend/platform/database/dialect.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';

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

/**
 * The customer of one alert in three hundred, none of which has a severity: in the order by severity it stands in the last group. Of a
 * million alerts it has more than are sorted in memory.
 */
export const LAST_CUSTOMER = 'Customer of the last group';

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
  'title',
];
const HISTORY_COLUMNS = [
  'alert_id',
  'id',
  'action',
  'previous_status',
  'new_status',
  'user_display_name',
  'created_at',
];
const NOTE_COLUMNS = ['id', 'alert_id', 'author_id', 'author_name', 'text', 'mentions', 'notified', 'created_at'];

/** Alerts that arrived over a time, and what became of them: with their histories. */
export interface Past {
  /** When the first one arrived, and how many milliseconds lie between two. */
  from: number;
  everyMs: number;
}

/**
 * Fills a database with alerts as a long-used one has them: three in ten wait, the rest are twenty people's and mostly
 * completed; 400 customers, 12 types, 12 sources, 400-byte payloads with identifiers that never repeat; a note on one in
 * a hundred. They arrived just now, and have no histories, unless a past is given.
 *
 * @returns the ids, oldest first
 */
export async function seedAlerts(database: Database, count: number, past?: Past): Promise<string[]> {
  const ids: string[] = [];
  const owners = Array.from({ length: OWNERS }, () => uuidv7());
  const sources = Array.from({ length: SOURCES }, () => uuidv7());
  for (let at = 0; at < count; at += AT_ONCE) {
    const size = Math.min(AT_ONCE, count - at);
    const rows = Array.from({ length: size }, (_, row) => makeRow(at + row, count, { owners, sources }, past));
    ids.push(...rows.map(({ values }) => String(values[0])));
    await database.transaction(async (tx) => {
      const insert = async (table: string, columns: string[], values: SqlValue[][]) => {
        if (values.length > 0) await tx.runPrepared(insertSql(table, columns, values.length), values.flat());
      };
      await insert(
        'alerts',
        COLUMNS,
        rows.map(({ values }) => values),
      );
      await insert(
        'alert_notes',
        NOTE_COLUMNS,
        rows.flatMap(({ note, values: [alertId] }) =>
          note === null ? [] : [[uuidv7(), alertId ?? '', owners[0] ?? '', 'Bench', note, '[]', '[]', Date.now()]],
        ),
      );
      await insert(
        'alert_history',
        HISTORY_COLUMNS,
        rows.flatMap(({ history }) => history),
      );
      await countChanges(
        tx,
        rows.map(({ counted }) => ({ after: counted })),
      );
    });
  }
  return ids;
}

/** Has insight begin behind what is stored: it is measured elsewhere, and would count for an hour beside what is. */
export const SKIP_INSIGHT =
  'UPDATE insight_progress SET version = version + 1, alert_id = (SELECT MAX(id) FROM alerts), ' +
  'history_id = COALESCE((SELECT MAX(id) FROM alert_history), history_id), ' +
  'repeat_id = COALESCE((SELECT MAX(id) FROM alert_history), repeat_id)';

function makeRow(
  number: number,
  count: number,
  { owners, sources }: { owners: string[]; sources: string[] },
  past: Past | undefined,
): { values: SqlValue[]; history: SqlValue[][]; note: string | null; counted: CountedAlert } {
  // No random numbers: every run measures the same alerts.
  const hash = createHash('sha1').update(String(number)).digest('hex');
  const draw = (at: number, range: number) => Number.parseInt(hash.slice(at, at + 6), 16) % range;
  const status = statusOf(draw(0, 10));
  const isLast = number % 300 === 11;
  const customer = number % 50_000 === 7 ? RARE_CUSTOMER : isLast ? LAST_CUSTOMER : `Customer ${draw(6, CUSTOMERS)}`;
  const alertType = `type-${draw(12, TYPES)}`;
  const ownerId = status === 'pending' ? null : (owners[draw(18, OWNERS)] ?? null);
  const percent = draw(2, 100);
  const severity = isLast ? null : (SEVERITIES.find(([below]) => percent < below)?.[1] ?? null);
  // The first sources send most.
  const sourceId = sources[Math.floor(draw(10, SOURCES ** 2) ** 2 / SOURCES ** 3)] ?? null;
  const word = number === Math.floor(count / 2) ? RARE_WORD : 'nothing';
  const isRare = number === Math.floor(count / 3 / ALERTS_PER_NOTE) * ALERTS_PER_NOTE;
  const note =
    number % ALERTS_PER_NOTE === 0
      ? `The ${NOTE_WORD} was extended by ${isRare ? RARE_NOTE_WORD : 'hand'}, see OPS-${draw(20, 100_000)}.`
      : null;
  const title = `The ${COMMON_WORD} response found ${word} unusual about checkout latency in region eu-west on attempt ${number}`;
  const payload = JSON.stringify({
    customer,
    type: alertType,
    order_no: `HF-${draw(24, 1_000_000)}`,
    trace: hash,
    host: `node-${draw(30, 500)}.example.com`,
    message: title,
    link: `https://status.example.com/incidents/${hash.slice(0, 12)}`,
    labels: { severity: 'warning', team: 'payments', runbook: 'restart the pod and wait for the queue to drain' },
  });
  const receivedAt = past ? past.from + number * past.everyMs : Date.now();
  const id = past ? idAt(receivedAt, hash) : uuidv7();
  return {
    values: [
      id,
      receivedAt,
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
      title,
    ],
    history: past ? historyOf({ id, status, receivedAt }, hash) : [],
    note,
    counted: { status, snoozedUntil: null, customer, alertType, ownerId, folderId: null, sourceId, severity },
  };
}

const statusOf = (draw: number): AlertStatus =>
  draw < 3 ? 'pending' : draw < 4 ? 'accepted' : draw < 5 ? 'in-progress' : 'completed';

/** An id of a moment (UUIDv7), the same in every run. */
const idAt = (moment: number, hash: string): string =>
  `${firstIdAt(moment).slice(0, 14)}7${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`;

/** Between two entries of a history, in milliseconds. */
const STEP_MS = 20 * 60_000;

/** What the product writes down when an alert is accepted and worked on. */
function historyOf(alert: { id: string; status: AlertStatus; receivedAt: number }, hash: string): SqlValue[][] {
  if (alert.status === 'pending') return [];
  const at = (step: number) => alert.receivedAt + step * STEP_MS;
  const entry = (step: number, action: string, before: string | null, after: string | null): SqlValue[] => [
    alert.id,
    step === 0 ? alert.id : idAt(at(step), hash),
    action,
    before,
    after,
    'Bench',
    at(step),
  ];
  return [
    entry(0, 'received', null, null),
    entry(1, 'accepted', null, null),
    ...(alert.status === 'accepted' ? [] : [entry(2, 'status_change', 'accepted', alert.status)]),
  ];
}
