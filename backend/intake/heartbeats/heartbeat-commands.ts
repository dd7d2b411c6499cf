import { randomUUID } from 'node:crypto';
import {
  type HeartbeatChange,
  type HeartbeatSchedule,
  MAX_HEARTBEATS,
  type NewHeartbeat,
  PING_PATH,
  spanText,
} from '#backend/contract/heartbeat.ts';
import { nameSortKey } from '#backend/contract/name.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { lockActiveAdmins } from '#backend/identity/users/user.ts';
import type { Arrivals } from '#backend/intake/write/write-batch.ts';
import { describeChange } from '#backend/intake/sources/describe-change.ts';
import { type Administrator, defined } from '#backend/intake/sources/source-commands.ts';
import { SourceEntity, nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { readSettings } from '#backend/intake/sources/source-registry.ts';
import type { DatabaseClock } from '#backend/platform/cluster/database-clock.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import {
  BeatEntity,
  DowntimeEntity,
  HeartbeatEntity,
  type StoredHeartbeat,
  expectedOf,
  scheduleOf,
} from './heartbeat-entities.ts';
import { storeHeartbeats, storeSteps } from './report-heartbeats.ts';
import { pause, reschedule, resume, standingOf } from './rules.ts';
import { faultOfCron } from './schedule.ts';
import { tokenHashOf } from './take-beat.ts';

/** Dependencies of what administrators do with heartbeats. */
export interface HeartbeatDeps {
  database: Database;
  clock: DatabaseClock;
  arrivals: Arrivals;
}

export const noSuchHeartbeat = () => notFound('There is no heartbeat with this id.');

const HINT = 4;

/** A secret for an address: a UUID of 122 random bits, as clients of Healthchecks expect. */
function newToken() {
  const token = randomUUID();
  return { path: `${PING_PATH}/${token}`, tokenHash: tokenHashOf(token), tokenHint: token.slice(-HINT) };
}

/** @throws {ProblemError} 422 for an expression that names no times */
function requireSchedule(schedule: HeartbeatSchedule, now: number): void {
  if (schedule.kind === 'interval') return;
  const message = faultOfCron(schedule.expression, schedule.timeZone, now);
  if (message !== undefined) throw unacceptable(message, [{ path: 'schedule.expression', message }]);
}

/** @throws {ProblemError} 422 for a source whose clients do not ping by name */
async function requireOpsgenie(tx: Transaction, sourceId: string): Promise<void> {
  const source = await tx.getRepository(SourceEntity).findOneBy({ id: sourceId });
  if (source && readSettings(source.settings).adapter === 'opsgenie') return;
  const message = 'Choose a source of the type Opsgenie.';
  throw unacceptable(message, [{ path: 'sourceId', message }]);
}

/** @throws {ProblemError} 409 when another heartbeat has the name */
async function storing<T>({ dialect }: Database, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!dialect.isDuplicate(error)) throw error;
    throw conflict('Another heartbeat has this name. Choose another one.');
  }
}

/** Makes a heartbeat, which expects nothing before its first call. @throws {ProblemError} 409, 422 */
export async function createHeartbeat(
  { database, clock }: HeartbeatDeps,
  { author, displayName }: Administrator,
  { name, customer, schedule, graceSeconds, severity, sourceId }: NewHeartbeat,
): Promise<{ id: string; path: string }> {
  const id = newId();
  const now = Math.round(clock.now());
  requireSchedule(schedule, now);
  const { path, ...token } = newToken();
  await storing(database, () =>
    onBehalfOf(database, author).transaction(async (tx) => {
      // One administrator after the other, so that there are never too many.
      await lockActiveAdmins(tx);
      if ((await tx.getRepository(HeartbeatEntity).count()) >= MAX_HEARTBEATS) {
        throw conflict(`There are ${MAX_HEARTBEATS.toLocaleString('en')} heartbeats already. Delete one first.`);
      }
      if (sourceId !== null) await requireOpsgenie(tx, sourceId);
      await tx.getRepository(HeartbeatEntity).insert({
        id,
        ...namesOf(name),
        ...token,
        customer,
        schedule: JSON.stringify(schedule),
        graceSeconds,
        severity,
        sourceId,
        ...NEW,
        changedBy: displayName,
        changedAt: now,
        createdAt: now,
        version: 1,
      });
      announce(tx, { type: 'heartbeats_changed' });
      await addAudit(tx, author, 'heartbeat_created', name, { detail: describe(schedule, graceSeconds) });
    }),
  );
  return { id, path };
}

const namesOf = (name: string) => ({ name, nameKey: nameKeyOf(name), sortKey: nameSortKey(name) });

/** How a heartbeat stands that was never called. */
const NEW = {
  status: 'new',
  downReason: null,
  downSince: null,
  dueAt: null,
  lateAt: null,
  judgeAt: null,
  startedAt: null,
  runId: null,
  pausedAt: null,
  pausedBy: null,
  lastBeatAt: null,
  beats: 0,
  runLog: null,
  downtimeId: null,
} as const satisfies Partial<StoredHeartbeat>;

function describe(schedule: HeartbeatSchedule, graceSeconds: number): string {
  const when =
    schedule.kind === 'interval'
      ? `every ${spanText(schedule.everySeconds)}`
      : `${schedule.expression} (${schedule.timeZone})`;
  return `${when}, grace ${spanText(graceSeconds)}`;
}

/**
 * Changes a heartbeat. Other times are expected from now on; what is paused expects nothing, and its alert ends.
 *
 * @param ifVersion the version that the change was decided on
 * @returns false when it has another version by now: then nothing is changed
 * @throws {ProblemError} 404, 409, 422
 */
export function changeHeartbeat(
  { database, clock, arrivals }: HeartbeatDeps,
  by: Administrator,
  id: string,
  { name, schedule, isPaused, ...fields }: HeartbeatChange,
  ifVersion: number | undefined,
): Promise<boolean> {
  const now = Math.round(clock.now());
  if (schedule) requireSchedule(schedule, now);
  return storing(database, () =>
    inHeartbeat(database, by, id, async (tx, stored) => {
      if (ifVersion !== undefined && ifVersion !== stored.version) return false;
      if (fields.sourceId != null && fields.sourceId !== stored.sourceId) await requireOpsgenie(tx, fields.sourceId);
      const before: StoredHeartbeat = {
        ...stored,
        ...defined(fields),
        ...(name !== undefined && namesOf(name)),
        ...(schedule && { schedule: JSON.stringify(schedule) }),
        changedBy: by.displayName,
        changedAt: now,
        version: stored.version + 1,
      };
      const isPausing = isPaused === true && stored.pausedAt === null;
      const isResuming = isPaused === false && stored.pausedAt !== null;
      if (isPausing)
        await storeSteps(
          tx,
          [{ before: { ...before, pausedBy: by.displayName }, step: pause(before, now), at: now }],
          arrivals,
        );
      else await storeHeartbeats(tx, [{ ...before, ...rejudged(before, stored, isResuming, now) }]);
      const isRenamed = before.name !== stored.name;
      const subject = isRenamed ? `${stored.name} → ${before.name}` : stored.name;
      const detail = describeChange(decidedOf(stored), decidedOf(before)) || undefined;
      if (isRenamed || detail) await addAudit(tx, by.author, 'heartbeat_changed', subject, { detail });
      if (isPausing) await addAudit(tx, by.author, 'heartbeat_paused', before.name);
      if (isResuming) await addAudit(tx, by.author, 'heartbeat_resumed', before.name);
      return true;
    }),
  );
}

/** What administrators decide about a heartbeat beside its name, by the names of the API. */
const decidedOf = (stored: StoredHeartbeat) => ({
  schedule: scheduleOf(stored),
  graceSeconds: stored.graceSeconds,
  severity: stored.severity,
  customer: stored.customer,
  sourceId: stored.sourceId,
});

function rejudged(
  before: StoredHeartbeat,
  stored: StoredHeartbeat,
  isResuming: boolean,
  now: number,
): Partial<StoredHeartbeat> {
  const expected = expectedOf(before);
  if (isResuming) return { ...standingOf(resume(expected, before, now)), pausedBy: null };
  const isSame = before.schedule === stored.schedule;
  if (isSame && before.graceSeconds === stored.graceSeconds) return {};
  return standingOf(reschedule(expected, before, now, isSame));
}

/** Gives a heartbeat a new address; the old one is refused from then on. @returns the path. @throws {ProblemError} 404 */
export async function renewAddress({ database, clock }: HeartbeatDeps, by: Administrator, id: string): Promise<string> {
  const { path, ...token } = newToken();
  await inHeartbeat(database, by, id, async (tx, { name, version }) => {
    const changed = { changedBy: by.displayName, changedAt: Math.round(clock.now()), version: version + 1 };
    await tx.getRepository(HeartbeatEntity).update({ id }, { ...token, ...changed });
    await addAudit(tx, by.author, 'heartbeat_address_renewed', name);
  });
  return path;
}

/** Deletes a heartbeat with its beats; its alert ends. @throws {ProblemError} 404 */
export async function deleteHeartbeat(
  { database, clock, arrivals }: HeartbeatDeps,
  by: Administrator,
  id: string,
): Promise<void> {
  await inHeartbeat(database, by, id, async (tx, before) => {
    const now = Math.round(clock.now());
    await storeSteps(tx, [{ before, step: pause(before, now), at: now }], arrivals);
    await tx.getRepository(BeatEntity).delete({ heartbeatId: id });
    await tx.getRepository(HeartbeatEntity).delete({ id });
    await addAudit(tx, by.author, 'heartbeat_deleted', before.name);
  });
}

/** Closes the line about a time without a server, for everybody. @throws {ProblemError} 404 */
export async function closeDowntime({ database }: HeartbeatDeps, { author }: Administrator, id: string): Promise<void> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    const [downtime] = await tx.lockRows(DowntimeEntity, { id, isSettled: true });
    if (!downtime) throw notFound('There is no line with this id.');
    await tx.getRepository(DowntimeEntity).delete({ id });
    announce(tx, { type: 'heartbeats_changed' });
    const [from, to] = [downtime.fromAt, downtime.toAt].map((at) => new Date(at).toISOString());
    await addAudit(tx, author, 'heartbeat_downtime_closed', `${from} – ${to}`, {
      detail: `heartbeats: ${downtime.heartbeats}`,
    });
  });
}

function inHeartbeat<T>(
  database: Database,
  { author }: Administrator,
  id: string,
  work: (tx: Transaction, stored: StoredHeartbeat) => Promise<T>,
): Promise<T> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const [stored] = await tx.lockRows(HeartbeatEntity, { id });
    if (!stored) throw noSuchHeartbeat();
    announce(tx, { type: 'heartbeats_changed' });
    return work(tx, stored);
  });
}
