import { In } from 'typeorm';
import {
  END_NOW_MS,
  MAX_WINDOWS,
  MAX_WINDOW_MINUTES,
  type NewWindow,
  type WindowChange,
} from '#backend/contract/maintenance.ts';
import { type Author, addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { lockActiveAdmins } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { planAgain, planNext } from './plan-occurrence.ts';
import { type QuietWindows, requireWindowSearch } from './quiet-windows.ts';
import { refuse, scheduleOf } from './requested-schedule.ts';
import type { Schedule } from './schedule.ts';
import { OccurrenceEntity, type StoredOccurrence, type StoredWindow, WindowEntity } from './window-entities.ts';

const MINUTE_MS = 60_000;

/** Dependencies of the commands on windows. */
export interface WindowDeps {
  database: Database;
  windows: Pick<QuietWindows, 'refresh'>;
}

/** The administrator who changes a window. */
export interface WindowAdministrator {
  author: Author;
  displayName: string;
}

export const noSuchWindow = () => notFound('There is no maintenance window with this id.');
const noSuchOccurrence = () => notFound('This maintenance window is not on or planned.');

/**
 * Plans a window. One whose time has come is on when this returns: the next alert is kept quiet.
 *
 * @throws {ProblemError} 409 when another one has this name or there are too many, 422 for a search or a schedule that no
 *   window can have
 */
export async function createWindow(
  { database, windows }: WindowDeps,
  { author, displayName }: WindowAdministrator,
  { name, search, ...written }: NewWindow,
): Promise<string> {
  requireWindowSearch(search);
  const now = Date.now();
  const schedule = scheduleOf(written, now);
  const id = newId();
  await onBehalfOf(database, author).transaction(async (tx) => {
    // One administrator after the other, so that there are never too many, and no two of one name.
    await lockActiveAdmins(tx);
    if ((await tx.getRepository(WindowEntity).count()) >= MAX_WINDOWS) {
      throw conflict(`There are ${MAX_WINDOWS} maintenance windows already. Delete one first.`);
    }
    await requireNewName(tx, name);
    const stored: StoredWindow = {
      ...schedule,
      id,
      name,
      search,
      createdBy: displayName,
      changedBy: displayName,
      changedAt: now,
      createdAt: now,
      version: 1,
    };
    await tx.getRepository(WindowEntity).insert(stored);
    await planNext(tx, stored, now);
    announce(tx, { type: 'maintenance_changed' });
    await addAudit(tx, author, 'window_created', name, { detail: search || 'All alerts' });
  });
  await windows.refresh();
  return id;
}

/**
 * Changes a window. An occurrence that is on keeps what it began with; the next one is planned again. One that has ended by itself
 * goes on where it is to last longer.
 *
 * @param ifVersion the version that the change was decided on
 * @returns false when it has another version by now: then nothing is changed
 * @throws {ProblemError} 404, 409 when another one has this name, 422 for a search or a schedule that no window can have
 */
export async function changeWindow(
  { database, windows }: WindowDeps,
  by: WindowAdministrator,
  id: string,
  { name, search, ...written }: WindowChange,
  ifVersion?: number,
): Promise<boolean> {
  if (search !== undefined) requireWindowSearch(search);
  const now = Date.now();
  const isDone = await inWindow(database, by, id, async (tx, before) => {
    if (ifVersion !== undefined && ifVersion !== before.version) return false;
    if (name !== undefined && name !== before.name) await requireNewName(tx, name, id);
    const { startsAt, minutes, timeZone, rrule } = before;
    const isMoved = Object.values(written).some((value) => value !== undefined);
    const schedule = isMoved
      ? scheduleOf(
          {
            startsAt: written.startsAt ?? new Date(startsAt).toISOString(),
            minutes: written.minutes ?? (written.endsAt === undefined ? minutes : undefined),
            endsAt: written.endsAt,
            timeZone: written.timeZone ?? timeZone,
            rrule: written.rrule === undefined ? rrule : written.rrule,
          },
          now,
        )
      : { startsAt, minutes, timeZone, rrule };
    const after: StoredWindow = {
      ...before,
      ...schedule,
      name: name ?? before.name,
      search: search ?? before.search,
      changedBy: by.displayName,
      changedAt: now,
      version: before.version + 1,
    };
    await tx.getRepository(WindowEntity).update({ id }, after);
    const isRescheduled = SCHEDULE.some((field) => schedule[field] !== before[field]);
    await planAgain(tx, after, now, isRescheduled);
    if (isRescheduled && !(await isOnOrNext(tx, id))) {
      throw refuse('startsAt', 'Somebody has ended this time. Choose a later beginning.');
    }
    announce(tx, { type: 'maintenance_changed' });
    const changed = [
      ...(after.search === before.search ? [] : [`search: ${after.search || 'All alerts'}`]),
      ...(isMoved ? ['times'] : []),
    ];
    await addAudit(
      tx,
      by.author,
      'window_changed',
      after.name === before.name ? before.name : `${before.name} → ${after.name}`,
      { detail: changed.join('; ') || undefined },
    );
    return true;
  });
  await windows.refresh();
  return isDone;
}

const SCHEDULE = ['startsAt', 'minutes', 'timeZone', 'rrule'] as const satisfies (keyof Schedule)[];

const isOnOrNext = (tx: Transaction, windowId: string): Promise<boolean> =>
  tx.getRepository(OccurrenceEntity).existsBy({ windowId, state: In(['planned', 'on']) });

/** Deletes a window that is not on; its past stays. @throws {ProblemError} 404, 409 while it is on */
export async function deleteWindow(
  { database, windows }: WindowDeps,
  by: WindowAdministrator,
  id: string,
): Promise<void> {
  await inWindow(database, by, id, async (tx, { name }) => {
    const now = Date.now();
    const active = await tx.lockRows(OccurrenceEntity, { windowId: id, state: In(['planned', 'on', 'ending']) });
    if (active.some(({ state, startsAt, kept }) => state !== 'planned' || startsAt <= now || kept > 0))
      throw conflict('This window is on. End it first.');
    await tx.getRepository(OccurrenceEntity).delete({ id: In(active.map((one) => one.id)) });
    await tx.getRepository(WindowEntity).delete({ id });
    announce(tx, { type: 'maintenance_changed' });
    await addAudit(tx, by.author, 'window_deleted', name);
  });
  await windows.refresh();
}

/**
 * Ends an occurrence that is on, after the moment in which that can be taken back.
 *
 * @throws {ProblemError} 404, 409 when it is not on
 */
export const endOccurrence = (deps: WindowDeps, by: WindowAdministrator, id: string): Promise<StoredOccurrence> =>
  inOccurrence(deps, by, id, async (tx, one, now) => {
    if (one.startsAt > now) throw conflict('This window is not on yet. Change or delete it instead.');
    const endsAt = Math.min(one.endsAt, now + END_NOW_MS);
    await addAudit(tx, by.author, 'window_ended', one.name);
    return { endsAt, endedBy: by.displayName, endedFrom: one.endedFrom ?? one.endsAt };
  });

/** Takes back that an occurrence was ended: it ends when it would have. @throws {ProblemError} 404, 409 once it has ended */
export const resumeOccurrence = (deps: WindowDeps, by: WindowAdministrator, id: string): Promise<StoredOccurrence> =>
  inOccurrence(deps, by, id, async (tx, one) => {
    if (one.endedFrom === null) throw conflict('Nobody has ended this window.');
    await addAudit(tx, by.author, 'window_end_undone', one.name);
    return { endsAt: one.endedFrom, endedBy: null, endedFrom: null, isMarked: false };
  });

/** Has an occurrence end later. @throws {ProblemError} 404, 409 once it has ended, or for one that is too long */
export const extendOccurrence = (
  deps: WindowDeps,
  by: WindowAdministrator,
  id: string,
  minutes: number,
): Promise<StoredOccurrence> =>
  inOccurrence(deps, by, id, async (tx, one) => {
    if (one.endedFrom !== null) throw conflict(`${one.endedBy ?? 'Somebody'} has ended this window.`);
    const endsAt = one.endsAt + minutes * MINUTE_MS;
    if (endsAt - one.startsAt > MAX_WINDOW_MINUTES * MINUTE_MS)
      throw conflict('A window lasts for 31 days at most. Plan another one.');
    await addAudit(tx, by.author, 'window_extended', one.name, { detail: `${minutes} min` });
    return { endsAt, extendedMinutes: one.extendedMinutes + minutes, isMarked: false };
  });

/** `isMarked` is false where servers that have not read this yet may store what it keeps quiet. */
type OccurrenceChange = Partial<
  Pick<StoredOccurrence, 'endsAt' | 'endedBy' | 'endedFrom' | 'extendedMinutes' | 'isMarked'>
>;

async function inOccurrence(
  { database, windows }: WindowDeps,
  { author }: WindowAdministrator,
  id: string,
  decide: (tx: Transaction, one: StoredOccurrence, now: number) => Promise<OccurrenceChange>,
): Promise<StoredOccurrence> {
  const known = await database.reads.getRepository(OccurrenceEntity).findOneBy({ id });
  if (!known) throw noSuchOccurrence();
  const changed = await onBehalfOf(database, author).transaction(async (tx) => {
    // A window is locked before its occurrences, as everywhere.
    const [window] = await tx.lockRows(WindowEntity, { id: known.windowId });
    const [one] = await tx.lockRows(OccurrenceEntity, { id });
    if (!one) throw noSuchOccurrence();
    const now = Date.now();
    // Its end is a moment, however soon the server that leads notices.
    if ((one.state !== 'planned' && one.state !== 'on') || one.endsAt <= now)
      throw conflict('This window has ended in the meantime.');
    const change = await decide(tx, one, now);
    await tx.getRepository(OccurrenceEntity).update({ id }, change);
    // The next time begins once this one has ended.
    if (window && one.state === 'on') await planAgain(tx, window, now);
    announce(tx, { type: 'maintenance_changed' });
    return { ...one, ...change };
  });
  await windows.refresh();
  return changed;
}

function inWindow<T>(
  database: Database,
  { author }: WindowAdministrator,
  id: string,
  work: (tx: Transaction, window: StoredWindow) => Promise<T>,
): Promise<T> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    await lockActiveAdmins(tx);
    const [window] = await tx.lockRows(WindowEntity, { id });
    if (!window) throw noSuchWindow();
    return work(tx, window);
  });
}

/** How names are compared. */
const keyOf = (name: string): string => name.normalize('NFC').toLowerCase();

/** @throws {ProblemError} 409 when another window has this name, in whatever case */
async function requireNewName(tx: Transaction, name: string, id?: string): Promise<void> {
  const others = await tx.getRepository(WindowEntity).find({ select: { id: true, name: true } });
  if (others.some((other) => other.id !== id && keyOf(other.name) === keyOf(name)))
    throw conflict('Another window has this name. Choose another one.');
}
