import { IsNull, LessThanOrEqual, MoreThan, Not } from 'typeorm';
import { CALENDAR_MINUTES } from '#backend/contract/ladder.ts';
import { latestFrom } from '#backend/platform/database/ahead.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { CalendarEntity, MAX_CALENDAR_FAILURE, type StoredCalendar } from './calendar-entity.ts';
import type { GetCalendar } from './get-calendar.ts';
import type { CalendarThread } from './calendar-thread.ts';
import { CalendarError, READ_MS } from './read-calendar.ts';

const MINUTE_MS = 60_000;

/** After a failure it is tried again so soon, in milliseconds. */
const AGAIN_MS = 5 * MINUTE_MS;

/** And so often otherwise. None waits for longer. */
const USUAL_MS = CALENDAR_MINUTES * MINUTE_MS;

/** Dependencies of reading calendars again. */
export interface RefreshDeps {
  database: Database;
  logger: Logger;
  sealing: Sealing;
  calendars: Pick<GetCalendar, 'get'>;
  thread: Pick<CalendarThread, 'read'>;
}

/** Reads the calendars that are due. The copy that is used stays until another good one is there. */
export async function refreshCalendars(deps: RefreshDeps, stopping: AbortSignal): Promise<void> {
  const now = Date.now();
  const sealed = Not(IsNull());
  const due = await deps.database.reads.getRepository(CalendarEntity).findBy([
    { sealed, nextAt: LessThanOrEqual(now) },
    { sealed, nextAt: MoreThan(latestFrom(now, USUAL_MS)) },
  ]);
  for (const calendar of due) {
    if (stopping.aborted) return;
    await refreshOne(deps, calendar, stopping);
  }
}

/** Reads one calendar from its address now, and stores what came of it. */
export async function refreshOne(
  { database, logger, sealing, calendars, thread }: RefreshDeps,
  { id, sealed, version }: Pick<StoredCalendar, 'id' | 'sealed' | 'version'>,
  stopping: AbortSignal,
): Promise<void> {
  if (sealed === null) return;
  let content: string | undefined;
  let failure: string | undefined;
  try {
    content = await calendars.get(sealing.open(sealed, id), stopping);
    // What cannot be read is no good copy.
    await thread.read(content, Date.now(), Date.now() + READ_MS);
  } catch (error) {
    if (stopping.aborted) return;
    content = undefined;
    failure = error instanceof CalendarError ? error.message : 'Its address cannot be opened. Enter it again.';
    logger.warn({ err: error, calendar: id }, 'a calendar could not be read; its last good copy is used');
  }
  const now = Date.now();
  await database.transaction(async (tx) => {
    const [stored] = await tx.lockRows(CalendarEntity, { id });
    // Somebody changed where it is read from meanwhile.
    if (!stored || stored.version !== version) return;
    await tx
      .getRepository(CalendarEntity)
      .update(
        { id },
        content === undefined
          ? { failure: failure?.slice(0, MAX_CALENDAR_FAILURE) ?? null, triedAt: now, nextAt: now + AGAIN_MS }
          : { content, failure: null, fetchedAt: now, triedAt: now, nextAt: now + USUAL_MS },
      );
    announce(tx, { type: 'outgoing_changed' });
  });
}
