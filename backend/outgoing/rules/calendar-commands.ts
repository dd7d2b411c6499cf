import { In } from 'typeorm';
import { type CalendarChange, MAX_CALENDARS, type NewCalendar, type Override } from '#backend/contract/ladder.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { UserEntity, lockActiveAdmins } from '#backend/identity/users/user.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { type Network, faultOfAddress } from '#backend/outgoing/destinations/address-rule.ts';
import { type OutgoingAdministrator, storing } from '#backend/outgoing/destinations/destination-commands.ts';
import { CalendarEntity, type StoredCalendar, readOverrides } from '#backend/outgoing/people/calendar-entity.ts';
import type { CalendarThread } from '#backend/outgoing/people/calendar-thread.ts';
import { CalendarError, READ_MS } from '#backend/outgoing/people/read-calendar.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { requireUnused } from './ladder-use.ts';

/** Dependencies of the commands on calendars. */
export interface CalendarDeps {
  database: Database;
  sealing: Sealing;
  /** Where calendars may be, beside the public internet. */
  networks: readonly Network[];
  thread: Pick<CalendarThread, 'read'>;
}

export const noSuchCalendar = () => notFound('There is no calendar with this id.');
const nameTaken = () => conflict('Another calendar has this name. Choose another one.');

/** Makes a calendar. One with an address is read within moments. @throws {ProblemError} 409, 422 */
export async function createCalendar(
  deps: CalendarDeps,
  { author, displayName }: OutgoingAdministrator,
  { name, url, content }: NewCalendar,
): Promise<string> {
  if ((url === undefined) === (content === undefined)) {
    throw unacceptable('Enter an address or choose a file.', [{ path: 'url', message: 'or a file is required' }]);
  }
  const id = newId();
  await requireCalendar(deps, content);
  const source = sourceOf(deps, id, { url, content });
  await storing(deps.database, nameTaken, () =>
    onBehalfOf(deps.database, author).transaction(async (tx) => {
      await lockActiveAdmins(tx);
      if ((await tx.getRepository(CalendarEntity).count()) >= MAX_CALENDARS)
        throw conflict(`There are ${MAX_CALENDARS} calendars already. Delete one first.`);
      const now = Date.now();
      await tx.getRepository(CalendarEntity).insert({
        id,
        name,
        nameKey: nameKeyOf(name),
        content: null,
        fetchedAt: null,
        triedAt: null,
        ...source,
        overrides: '[]',
        changedBy: displayName,
        changedAt: now,
        createdAt: now,
        version: 1,
      });
      announce(tx, { type: 'outgoing_changed' });
      await addAudit(tx, author, 'calendar_created', name, { detail: source.addressHint ?? 'a file' });
    }),
  );
  return id;
}

/**
 * Changes a calendar.
 *
 * @returns false when it has another version by now: then nothing is changed
 * @throws {ProblemError} 404, 409 when another one has this name, 422
 */
export async function changeCalendar(
  deps: CalendarDeps,
  by: OutgoingAdministrator,
  id: string,
  { name, url, content, overrides }: CalendarChange,
  ifVersion: number | undefined,
): Promise<boolean> {
  if (url !== undefined && content !== undefined)
    throw unacceptable('Enter an address or choose a file.', [
      { path: 'url', message: 'and a file exclude each other' },
    ]);
  await requireCalendar(deps, content);
  return storing(deps.database, nameTaken, () =>
    inCalendar(deps, by, id, async (tx, before) => {
      if (ifVersion !== undefined && ifVersion !== before.version) return false;
      const isElsewhere = url !== undefined || content !== undefined;
      if (overrides) await requireOverrides(tx, overrides);
      await tx.getRepository(CalendarEntity).update(
        { id },
        {
          ...(name !== undefined && { name, nameKey: nameKeyOf(name) }),
          ...(isElsewhere && sourceOf(deps, id, { url, content })),
          ...(overrides && { overrides: JSON.stringify(overrides.map(normalized)) }),
          changedBy: by.displayName,
          changedAt: Date.now(),
          version: before.version + 1,
        },
      );
      const isRenamed = name !== undefined && name !== before.name;
      const changed = [
        ...(url === undefined ? [] : ['address']),
        ...(content === undefined ? [] : ['file']),
        ...(overrides === undefined ? [] : [`overrides: ${readOverrides(before).length} → ${overrides.length}`]),
      ];
      await addAudit(tx, by.author, 'calendar_changed', isRenamed ? `${before.name} → ${name}` : before.name, {
        detail: changed.join(', ') || undefined,
      });
      return true;
    }),
  );
}

/** Deletes a calendar that no ladder asks. @throws {ProblemError} 404, 409 */
export const deleteCalendar = (deps: CalendarDeps, by: OutgoingAdministrator, id: string): Promise<void> =>
  inCalendar(deps, by, id, async (tx, { name }) => {
    await requireUnused(tx, 'calendar', id);
    await tx.getRepository(CalendarEntity).delete({ id });
    await addAudit(tx, by.author, 'calendar_deleted', name);
  });

/** Reads a file before it is stored, and before a transaction waits for it. @throws {ProblemError} 422 */
async function requireCalendar({ thread }: CalendarDeps, content: string | undefined): Promise<void> {
  if (content === undefined) return;
  const now = Date.now();
  await thread.read(content, now, now + READ_MS).catch((error: unknown) => {
    if (!(error instanceof CalendarError)) throw error;
    throw unacceptable(error.message, [{ path: 'content', message: error.message }]);
  });
}

/** Where a calendar is read from: what is stored of it. @throws {ProblemError} 422 */
function sourceOf(
  { sealing, networks }: CalendarDeps,
  id: string,
  { url, content }: Pick<CalendarChange, 'url' | 'content'>,
) {
  const now = Date.now();
  if (url !== undefined) {
    const fault = faultOfAddress(url, networks);
    if (fault !== undefined) {
      const message = fault.endsWith('.') ? fault : `The address ${fault}.`;
      throw unacceptable(message, [{ path: 'url', message }]);
    }
    const { host } = new URL(url);
    // Until it was read from there, the copy that is there counts: else nobody would be on.
    return { sealed: sealing.seal(url, id), addressHint: host.slice(0, 100), nextAt: now };
  }
  return { sealed: null, addressHint: null, content: content ?? null, fetchedAt: now, nextAt: null, failure: null };
}

/** Times as answers have them, whatever their offset was. */
const normalized = ({ memberId, from, to }: Override): Override => ({
  memberId,
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
});

/** @throws {ProblemError} 422 for overrides of members who are not there, or that end before they begin */
async function requireOverrides(tx: Transaction, overrides: readonly Override[]): Promise<void> {
  const wrong = overrides.findIndex(({ from, to }) => Date.parse(to) <= Date.parse(from));
  if (wrong >= 0) {
    const message = 'An override has to end after it begins.';
    throw unacceptable(message, [{ path: `overrides.${wrong}.to`, message }]);
  }
  const ids = [...new Set(overrides.map(({ memberId }) => memberId))];
  const found = ids.length === 0 ? 0 : await tx.getRepository(UserEntity).countBy({ id: In(ids), isService: false });
  if (found === ids.length) return;
  const message = 'One of the members is not there.';
  throw unacceptable(message, [{ path: 'overrides', message }]);
}

function inCalendar<T>(
  { database }: CalendarDeps,
  { author }: OutgoingAdministrator,
  id: string,
  work: (tx: Transaction, calendar: StoredCalendar) => Promise<T>,
): Promise<T> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const [calendar] = await tx.lockRows(CalendarEntity, { id });
    if (!calendar) throw noSuchCalendar();
    announce(tx, { type: 'outgoing_changed' });
    return work(tx, calendar);
  });
}
