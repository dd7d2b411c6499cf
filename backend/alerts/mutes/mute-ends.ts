import type { EntityManager } from 'typeorm';
import { MAX_MUTE_ENDS, MAX_MUTE_MINUTES, type MuteEnd, muteEndListSchema } from '#backend/contract/mute.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { pause } from '#backend/platform/database/repeat.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import type { MuteKind } from './mute-entities.ts';

const MINUTE_MS = 60_000;

/** Mutes that one transaction deletes, and the pause after it: others go between. */
const ROWS_AT_ONCE = 500;
const PAUSE_MS = 10;

/** Follows an exception's other conditions: it has not ended. Takes the present moment as a parameter. */
export const IS_IN_FORCE = '(muted_until IS NULL OR muted_until > ?)';

/**
 * When a mute ends, in milliseconds; null: never. Minutes go by this server's clock.
 *
 * @throws {ProblemError} 422 when the time has passed, or is more than 366 days ahead.
 */
export function muteEndOf(
  { until, minutes }: { until?: string | undefined; minutes?: number | undefined },
  now = Date.now(),
): number | null {
  if (until === undefined && minutes === undefined) return null;
  const end = until === undefined ? now + (minutes ?? 0) * MINUTE_MS : Date.parse(until);
  if (end <= now) throw unacceptable('This time has passed. Choose a later one.');
  if (end > now + MAX_MUTE_MINUTES * MINUTE_MS) throw unacceptable('Choose a time within the next 366 days.');
  return end;
}

/** Follows other conditions of an exception: it is a mute, and has not ended. Takes the present moment as a parameter. */
export const IS_MUTED = `level = 'never' AND ${IS_IN_FORCE}`;

/** Each kind of mutes, by what it is of and by the name that people know it by. */
const ENDS: readonly { kind: MuteKind; sql: string }[] = [
  {
    kind: 'customer',
    sql:
      'SELECT mute.customer_id AS id, customers.name AS name, muted_until AS ends FROM customer_mutes AS mute ' +
      'JOIN customers ON customers.id = mute.customer_id',
  },
  { kind: 'alert_type', sql: 'SELECT alert_type AS id, alert_type AS name, muted_until AS ends FROM alert_type_mutes' },
  {
    kind: 'source',
    sql:
      'SELECT mute.source_id AS id, sources.name AS name, muted_until AS ends FROM source_mutes AS mute ' +
      'JOIN sources ON sources.id = mute.source_id',
  },
];

/** The member's mutes that will end, the next first. */
export function muteEndRoutes({ database: { reads } }: { database: Database }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/mute-ends',
      tag: 'customers',
      summary: `Lists the member’s mutes that will end, with their ends, the next first (${MAX_MUTE_ENDS} at most).`,
      access: 'member',
      responses: { 200: muteEndListSchema },
      handle: async ({ actor }) => ok(await findMuteEnds(reads, actor.id, Date.now())),
    }),
  ];
}

async function findMuteEnds(reads: EntityManager, userId: string, now: number): Promise<MuteEnd[]> {
  const ends: MuteEnd[] = [];
  for (const { kind, sql } of ENDS) {
    const rows: { id: string; name: string; ends: unknown }[] = await reads.query(
      `${sql} WHERE user_id = ? AND muted_until > ? ORDER BY muted_until LIMIT ${MAX_MUTE_ENDS}`,
      [userId, now],
    );
    ends.push(
      ...rows.map((row) => ({ kind, id: row.id, name: row.name, until: new Date(Number(row.ends)).toISOString() })),
    );
  }
  return ends.sort((one, other) => (one.until < other.until ? -1 : 1)).slice(0, MAX_MUTE_ENDS);
}

/** Deletes mutes that have ended, a few in each transaction. They have not counted since. */
export async function deleteEndedMutes(
  { reads, transaction }: Pick<Database, 'reads' | 'transaction'>,
  now: number,
  stopping: AbortSignal,
): Promise<void> {
  const kinds = [
    ['customer_mutes', 'customer_id'],
    ['alert_type_mutes', 'alert_type'],
    ['source_mutes', 'source_id'],
  ] as const;
  for (const [table, column] of kinds) {
    while (!stopping.aborted) {
      const rows: { userId: string; id: string }[] = await reads.query(
        `SELECT user_id AS userId, ${column} AS id FROM ${table} WHERE muted_until <= ? LIMIT ${ROWS_AT_ONCE}`,
        [now],
      );
      if (rows.length === 0) break;
      await transaction(async (tx) => {
        for (const { userId, id } of rows) {
          // Looked at again: it may have been given another end meanwhile.
          const sql = `DELETE FROM ${table} WHERE user_id = ? AND ${column} = ? AND muted_until <= ?`;
          await tx.query(sql, [userId, id, now]);
        }
      });
      await pause(PAUSE_MS, stopping);
    }
  }
}
