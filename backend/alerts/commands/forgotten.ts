import { marksOf } from '#backend/platform/database/conditions.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type EventBus, announce, announceAlone } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { NOBODY } from './command.ts';
import { In } from 'typeorm';
import { findDisplayNames, findUser } from '#backend/identity/users/user.ts';
import type { AlertsReturned } from '#backend/contract/live-event.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { transactKnowingly } from '#backend/platform/database/lost-commit.ts';
import { type Repeating, pause, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { WHOLE } from '#backend/alerts/alert/alert-counts.ts';
import { changeAlerts, findFolderNames } from '#backend/alerts/alert/alert-store.ts';
import { ALERT_PLACE, AlertEntity, type AlertPlace, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import { OPEN_STATUSES } from '#backend/alerts/alert/stored-status.ts';

/** Alerts that one transaction returns at most, and the pause after it in milliseconds: ingest goes between. */
export const BATCH_ALERTS = 100;
const PAUSE_MS = 20;

/** How often forgotten alerts are looked for, in milliseconds. */
const INTERVAL_MS = 5 * 60_000;

const HOUR_MS = 60 * 60 * 1000;
const OPEN = ['accepted', 'in-progress'] as const;
const MARKS = marksOf(OPEN_STATUSES);

/** What returns forgotten alerts. */
export interface ForgottenDeps {
  database: Database;
  events: EventBus;
  logger: Logger;

  /** An accepted alert returns when its owner has not touched it for so many hours (FORGOTTEN_HOURS); undefined: never. */
  hours: number | undefined;
  now?: () => number | Promise<number>;
  /** What was returned by attempts that failed, and nobody was notified of. */
  unannounced?: Unannounced;
}

/** Notices by their owner, and why. */
type Unannounced = Map<string, AlertsReturned>;

/**
 * Returns forgotten alerts to the inbox at once, then again and again until it is stopped, and those of a member as soon as
 * this server disables their account.
 */
export function startReturns(parts: ForgottenDeps): Repeating {
  const deps = { ...parts, unannounced: new Map<string, AlertsReturned>() };
  const onError = (error: unknown) =>
    deps.logger.error({ err: error }, 'forgotten alerts could not be returned to the inbox; the next attempt follows');
  const repeating = startRepeating(
    async (stopping) => {
      await returnOfDisabled(deps, stopping);
      await returnUntouched(deps, stopping);
    },
    { intervalMs: INTERVAL_MS, onError },
  );
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const unsubscribe = deps.events.subscribe(({ type }) => {
    if (type !== 'member_disabled' && type !== 'resync') return;
    const work: Promise<void> = returnOfDisabled(deps, stopping.signal)
      .then(() => undefined, onError)
      .finally(() => running.delete(work));
    running.add(work);
  });
  return {
    async stop() {
      unsubscribe();
      stopping.abort();
      await Promise.all([repeating.stop(), ...running]);
    },
  };
}

/**
 * Returns the open alerts of disabled members to the inbox, in small transactions. What they completed stays theirs.
 *
 * @returns how many were returned
 */
export async function returnOfDisabled(deps: ForgottenDeps, stopping: AbortSignal): Promise<number> {
  const { reads } = deps.database;
  const owners: { id: string }[] = await reads.query(
    `SELECT c.owner_id AS id FROM alert_counts c JOIN users u ON u.id = c.owner_id WHERE c.detail = ${WHOLE} ` +
      `AND c.status IN (${MARKS}) AND u.is_active = 0 GROUP BY c.owner_id HAVING SUM(c.alerts) > 0 ORDER BY c.owner_id`,
    [...OPEN_STATUSES],
  );
  return returnAll(deps, stopping, {
    untouchedHours: null,
    groups: owners.map(({ id }) => ({
      index: 'alerts_queue',
      where: `owner_id = ? AND status IN (${MARKS})`,
      values: [id, ...OPEN_STATUSES],
    })),
    // The account may have been enabled since it was found.
    isForgotten: async (tx, alerts) => {
      const ids = [...new Set(alerts.flatMap(({ ownerId }) => ownerId ?? []))];
      const users = await Promise.all(ids.map((id) => findUser(tx, id)));
      const disabled = new Set(users.flatMap((user) => (user?.isActive === false ? [user.id] : [])));
      return alerts.filter(({ ownerId }) => disabled.has(ownerId ?? ''));
    },
  });
}

/**
 * Returns the open alerts that their owners have not touched for so long to the inbox, in small transactions. What is
 * snoozed is not forgotten; its time begins when it wakes.
 *
 * @returns how many were returned
 */
export async function returnUntouched(deps: ForgottenDeps, stopping: AbortSignal): Promise<number> {
  const { hours, now = Date.now } = deps;
  if (hours === undefined) return 0;
  const before = (await now()) - hours * HOUR_MS;
  return returnAll(deps, stopping, {
    untouchedHours: hours,
    groups: OPEN.map((status) => ({
      index: 'alerts_by_status',
      where: 'status = ? AND touched_at < ?',
      values: [status, before],
    })),
    // Its owner may have touched it since it was found.
    isForgotten: async (_tx, alerts) => alerts.filter(({ touchedAt }) => touchedAt !== null && touchedAt < before),
  });
}

type Candidate = AlertPlace & Pick<StoredAlert, 'touchedAt'>;

/** Which alerts are forgotten. */
interface Search {
  untouchedHours: number | null;
  /** Conditions that find them, and by which index. */
  groups: { index: string; where: string; values: (string | number)[] }[];
  /** Those of locked, open alerts that still are. */
  isForgotten: (tx: Transaction, alerts: Candidate[]) => Promise<Candidate[]>;
}

/**
 * Everybody is notified once for each owner, in the transaction of the last batch. Where it comes to no end, the notice is of what
 * was returned until then, now or with the next run of this process; what a process that is killed has returned in batches
 * before the last is in the history alone.
 */
async function returnAll(deps: ForgottenDeps, stopping: AbortSignal, search: Search): Promise<number> {
  const { database, logger, unannounced = new Map() } = deps;
  let alerts = 0;
  // Two runs may be at work at once: each has its own, and takes over what an earlier one could not announce.
  let counted: Unannounced = new Map(unannounced);
  unannounced.clear();
  try {
    let next = await findNext(database, search);
    while (next && !stopping.aborted) {
      const { ids } = next;
      const following = await findNext(database, search, next.place);
      const before = counted;
      const work = async (tx: Transaction): Promise<Batch> => {
        const batch = await returnBatch(tx, ids, search);
        if (!following) announce(tx, ...note(before, batch, search).values());
        return batch;
      };
      // What was returned by a commit whose answer was lost is in the notice to its owner, too.
      const batch = await transactKnowingly(database, work, isReturned, stopping);
      alerts += batch.alerts.length;
      counted = following ? note(before, batch, search) : new Map();
      next = following;
      await pause(PAUSE_MS, stopping);
    }
  } finally {
    if (counted.size > 0)
      await announceAlone(database, ...counted.values()).catch((error: unknown) => {
        for (const [name, notice] of counted) unannounced.set(name, addNotice(unannounced.get(name), notice));
        throw error;
      });
  }
  if (alerts > 0) logger.info({ alerts, hours: search.untouchedHours }, 'returned forgotten alerts to the inbox');
  return alerts;
}

/** How far alerts were looked through. */
interface Place {
  group: number;
  after: string;
}

/** The next alerts that may be forgotten; undefined where there are no more. */
async function findNext(
  database: ForgottenDeps['database'],
  { groups }: Search,
  from: Place = { group: 0, after: '' },
): Promise<{ ids: string[]; place: Place } | undefined> {
  for (const [at, group] of groups.entries()) {
    if (at < from.group) continue;
    const ids = await findIds(database, group, at === from.group ? from.after : '');
    const after = ids.at(-1);
    if (after !== undefined) return { ids, place: { group: at, after } };
  }
  return undefined;
}

/** Looks through all open alerts where none is forgotten: an index on when alerts were touched would cost each that is stored. */
async function findIds(
  { longReads, dialect }: Pick<ForgottenDeps['database'], 'longReads' | 'dialect'>,
  { index, where, values }: Search['groups'][number],
  after: string,
) {
  const sql = `SELECT id FROM alerts ${dialect.byIndex(index)} WHERE ${where} AND id > ? ORDER BY id LIMIT ${BATCH_ALERTS}`;
  const rows = await longReads.query<{ id: string }>(sql, [...values, after]);
  return rows.map(({ id }) => id);
}

interface Batch {
  alerts: Candidate[];
  ownerNames: ReadonlyMap<string, string>;
}

/** Of two servers that find the same alerts, the second finds them in the inbox once it has the locks. */
async function returnBatch(tx: Transaction, ids: string[], { isForgotten, untouchedHours }: Search): Promise<Batch> {
  const locked = await tx.lockRows(AlertEntity, { id: In(ids) }, [...ALERT_PLACE, 'touchedAt']);
  const alerts = await isForgotten(
    tx,
    locked.filter(({ status }) => (OPEN as readonly string[]).includes(status)),
  );
  const ownerNames = await findDisplayNames(
    tx,
    alerts.flatMap(({ ownerId }) => ownerId ?? []),
  );
  const folders = await findFolderNames(tx, alerts);
  await changeAlerts(tx, alerts, { status: 'pending', ownerId: null, folderId: null }, (alert) => [
    {
      alertId: alert.id,
      action: 'returned',
      previousStatus: alert.status,
      previousFolderName: folders.get(alert.folderId ?? '') ?? null,
      folderOwnerId: alert.ownerId,
      untouchedHours,
      userDisplayName: ownerNames.get(alert.ownerId ?? '') ?? 'Somebody',
    },
  ]);
  if (alerts.length > 0) {
    const alertIds = alerts.map(({ id }) => id);
    const versions = alerts.map(({ version }) => version + 1);
    announce(tx, { type: 'alerts_changed', change: 'unaccepted', alertIds, versions, ...NOBODY });
  }
  return { alerts, ownerNames };
}

/** Whether a batch is stored: whoever is locked out by it has not changed its alerts yet. */
async function isReturned(tx: Transaction, { alerts }: Batch): Promise<boolean> {
  const now = await tx.lockRows(AlertEntity, { id: In(alerts.map(({ id }) => id)) }, ['id', 'ownerId']);
  const ownerOf = new Map(now.map(({ id, ownerId }) => [id, ownerId]));
  return alerts.some(({ id, ownerId }) => ownerOf.get(id) !== ownerId);
}

/** The notices of what was returned before, with a batch more. */
function note(
  before: Unannounced,
  { alerts, ownerNames }: Batch,
  { untouchedHours }: Pick<Search, 'untouchedHours'>,
): Unannounced {
  const returned = new Map(before);
  for (const { id, ownerId } of alerts) {
    if (ownerId === null) continue;
    const name = `${ownerId} ${untouchedHours}`;
    const ownerName = ownerNames.get(ownerId) ?? 'Somebody';
    const one = {
      type: 'alerts_returned',
      id: newId(),
      alerts: 1,
      alertId: id,
      ownerId,
      ownerName,
      untouchedHours,
    } as const;
    returned.set(name, addNotice(returned.get(name), one));
  }
  return returned;
}

/** One notice of what two are about. */
const addNotice = (known: AlertsReturned | undefined, more: AlertsReturned): AlertsReturned =>
  known
    ? {
        ...more,
        id: known.id,
        alerts: known.alerts + more.alerts,
        alertId: known.alertId > more.alertId ? known.alertId : more.alertId,
      }
    : more;
