import { marksOf } from '#backend/platform/database/conditions.ts';
import type { EntityManager } from 'typeorm';
import type { Role } from '#backend/contract/session.ts';
import {
  SESSION_LIFETIME_MS,
  type SessionOfMember,
  type SessionRules,
  activeOf,
} from '#backend/identity/sessions/session-rules.ts';

/** A subscription `p` counts while its session `s` does: who is signed out reads nothing here, by push neither. */
export const WITH_SESSION =
  'push_subscriptions p JOIN sessions s ON s.id = p.session_id AND s.user_id = p.user_id ' +
  'AND s.last_seen_at >= ? AND s.created_at >= ? JOIN users u ON u.id = p.user_id';

/** What {@link WITH_SESSION} takes. @param now milliseconds since the epoch */
export const sessionsSince = ({ sessionMaxMs }: SessionRules, now: number): [number, number] => [
  now - SESSION_LIFETIME_MS,
  now - sessionMaxMs,
];

/** What decides whether a session may be sent what happens, of {@link WITH_SESSION}. */
export const SESSION_COLUMNS =
  'p.user_id, p.session_id, u.role, u.email_key, u.is_active, s.created_at, s.last_seen_at, s.provider, s.must_set_up';

/** A row of {@link SESSION_COLUMNS}. */
export interface SessionRow {
  user_id: string;
  session_id: string;
  role: Role;
  email_key: string;
  is_active: number;
  created_at: number | string;
  last_seen_at: number | string;
  provider: string | null;
  must_set_up: number;
}

const sessionOf = (row: SessionRow): SessionOfMember => ({
  session: {
    id: row.session_id,
    createdAt: Number(row.created_at),
    lastSeenAt: Number(row.last_seen_at),
    provider: row.provider,
    mustSetUp: Boolean(row.must_set_up),
  },
  user: { id: row.user_id, role: row.role, emailKey: row.email_key, isActive: Boolean(row.is_active) },
});

/** Those of subscriptions that are notified: whose session may read what happens here, and owes no second step. */
export async function notifiedOf<Row extends SessionRow>(
  reads: EntityManager,
  rows: readonly Row[],
  rules: SessionRules,
  now: number,
): Promise<Row[]> {
  const active = await activeOf(reads, rows.map(sessionOf), rules, now);
  return rows.filter((row) => active.has(row.session_id));
}

/** The ids of the subscriptions by which these members are notified, by the member's id. */
export async function findReached(
  reads: EntityManager,
  userIds: readonly string[],
  rules: SessionRules,
  now: number,
): Promise<Map<string, string[]>> {
  const rows: (SessionRow & { id: string })[] = await reads.query(
    `SELECT p.id, ${SESSION_COLUMNS} FROM ${WITH_SESSION} WHERE p.user_id IN (${marksOf(userIds)})`,
    [...sessionsSince(rules, now), ...userIds],
  );
  const reached = new Map<string, string[]>();
  if (rows.length === 0) return reached;
  for (const { id, user_id: userId } of await notifiedOf(reads, rows, rules, now))
    reached.set(userId, [...(reached.get(userId) ?? []), id]);
  return reached;
}
