import type { Database } from '#backend/platform/database/database.ts';
import type { EntityManager } from 'typeorm';
import { type Contact, type FirstRun, firstRunSchema } from '#backend/contract/first-run.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';

/** Administrators that are named to who has to ask one. */
const MAX_CONTACTS = 3;

/** What an empty inbox asks: whether it has always been empty, and who can change that. */
export function firstRunRoutes({ database }: { database: Database }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/first-run',
      tag: 'alerts',
      summary: 'Says whether an alert has ever arrived, and while none has, which administrators to ask.',
      access: 'member',
      responses: { 200: firstRunSchema },
      handle: async () => ok(await readFirstRun(database.reads)),
    }),
  ];
}

async function readFirstRun(reads: EntityManager): Promise<FirstRun> {
  const hasAlerts = await hasEverHadAlerts(reads);
  const members: unknown[] = await reads.query('SELECT id FROM users WHERE is_active = 1 AND is_service = 0 LIMIT 2');
  return { hasAlerts, isAlone: members.length < 2, administrators: hasAlerts ? [] : await findContacts(reads) };
}

/** Deleted alerts leave their customer, their type or their history behind. */
const TRACES = ['alerts', 'customers', 'alert_types', 'alert_history'];

async function hasEverHadAlerts(reads: EntityManager): Promise<boolean> {
  const traces = TRACES.map((table) => `EXISTS (SELECT 1 FROM ${table})`);
  const [row]: { found: number | string }[] = await reads.query(`SELECT ${traces.join(' OR ')} AS found`);
  return Number(row?.found) === 1;
}

/** Active administrators, the last seen first; who was never seen comes last. */
const findContacts = (reads: EntityManager): Promise<Contact[]> =>
  reads.query(
    `SELECT users.id AS id, users.display_name AS displayName FROM users
     LEFT JOIN sessions ON sessions.user_id = users.id
     WHERE users.role = 'admin' AND users.is_active = 1 AND users.is_service = 0
     GROUP BY users.id, users.display_name, users.created_at
     ORDER BY COALESCE(MAX(sessions.last_seen_at), 0) DESC, users.created_at LIMIT ${MAX_CONTACTS}`,
  );
