import { type NamedMember, type OnCall, onBetween } from './on-now.ts';
import { type CalendarThread, SlowCalendarError } from './calendar-thread.ts';
import { type CalendarSpan, CalendarError, READ_MS } from './read-calendar.ts';
import { type StoredCalendar, CalendarEntity, readOverrides } from './calendar-entity.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';

/** It is read from so long before a moment on, in milliseconds. */
const BEFORE_MS = 2 * 60 * 60 * 1000;

interface Read {
  mark: string;
  from: number;
  to: number;
  spans: Promise<CalendarSpan[]>;
}

/** A stored calendar; its text, which may have 2 MB, is read where it is not given and not known. */
type CalendarCopy = Pick<StoredCalendar, 'id' | 'fetchedAt' | 'version' | 'overrides'> &
  Partial<Pick<StoredCalendar, 'content'>>;

/** Who is on by calendars. */
export interface OnCallReader {
  /** Of a stored calendar, between two moments that lie a week apart at most. */
  between(calendar: CalendarCopy, members: readonly NamedMember[], from: number, to: number): Promise<OnCall>;
  /** At one moment; undefined where there is no such calendar. */
  whoIsOn(calendarId: string, at: number): Promise<{ name: string; memberIds: string[] } | undefined>;
}

/** Members whom events may name. */
export const findNamedMembers = ({ reads }: Pick<Database, 'reads'>): Promise<NamedMember[]> =>
  reads.getRepository(UserEntity).find({
    select: { id: true, displayName: true, email: true, isActive: true },
    where: { isService: false },
  });

async function findContent({ reads }: Pick<Database, 'reads'>, id: string): Promise<string | null> {
  const found = await reads
    .getRepository(CalendarEntity)
    .findOne({ select: { id: true, content: true }, where: { id } });
  return found?.content ?? null;
}

/** Keeps what it has read of each calendar until another copy of it is stored. */
export function createOnCallReader(
  database: Pick<Database, 'reads'>,
  thread: Pick<CalendarThread, 'read'>,
): OnCallReader {
  const known = new Map<string, Read>();
  const read = async (calendar: CalendarCopy, from: number, to: number): Promise<CalendarSpan[]> => {
    const { id, fetchedAt, version } = calendar;
    const mark = `${version} ${fetchedAt}`;
    const findKnown = (): Read | undefined => {
      const before = known.get(id);
      return before && before.mark === mark && before.from <= from && before.to >= to ? before : undefined;
    };
    const before = findKnown();
    if (before) return before.spans;
    const content = calendar.content === undefined ? await findContent(database, id) : calendar.content;
    if (content === null) return [];
    // Another who waited for the same copy may read it by now.
    const meanwhile = findKnown();
    if (meanwhile) return meanwhile.spans;
    const span = { from: from - BEFORE_MS, to: Math.max(to, from + READ_MS) };
    const spans = spansOf(thread, content, span.from, span.to);
    known.set(id, { mark, ...span, spans });
    // What could not be read is read again by the next who asks, unless another copy is being read by now.
    spans.catch(() => known.get(id)?.spans === spans && known.delete(id));
    return spans;
  };
  const between: OnCallReader['between'] = async (calendar, members, from, to) =>
    onBetween(await read(calendar, from, to), readOverrides(calendar), members, from, to);
  return {
    between,
    async whoIsOn(calendarId, at) {
      const calendar = await database.reads.getRepository(CalendarEntity).findOne({
        select: { id: true, name: true, version: true, fetchedAt: true, overrides: true },
        where: { id: calendarId },
      });
      if (!calendar) return undefined;
      const { spans } = await between(calendar, await findNamedMembers(database), at, at + 1);
      return { name: calendar.name, memberIds: spans[0]?.memberIds ?? [] };
    },
  };
}

/**
 * A copy that was good is read again; one that an earlier release took for good names nobody.
 *
 * @throws {SlowCalendarError} nobody is taken to be off because the machine is busy
 */
async function spansOf(
  thread: Pick<CalendarThread, 'read'>,
  content: string,
  from: number,
  to: number,
): Promise<CalendarSpan[]> {
  try {
    return await thread.read(content, from, to);
  } catch (error) {
    if (error instanceof CalendarError && !(error instanceof SlowCalendarError)) return [];
    throw error;
  }
}
