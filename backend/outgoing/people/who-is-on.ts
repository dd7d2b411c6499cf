import { type NamedMember, type OnCall, onBetween } from './on-now.ts';
import { type CalendarSpan, CalendarError, spansBetween } from './read-calendar.ts';
import { type StoredCalendar, CalendarEntity, readOverrides } from './calendar-entity.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';

const HOUR_MS = 60 * 60 * 1000;

/** A calendar is read for so long around a moment at once: ladders ask for some hours ahead. */
const BEFORE_MS = 2 * HOUR_MS;
const AFTER_MS = 8 * 24 * HOUR_MS;

interface Read {
  mark: string;
  from: number;
  to: number;
  spans: CalendarSpan[];
}

/** Who is on by calendars. */
export interface OnCallReader {
  /** Of a stored calendar, between two moments that lie a week apart at most. */
  between(calendar: StoredCalendar, members: readonly NamedMember[], from: number, to: number): OnCall;
  /** At one moment; undefined where there is no such calendar. */
  whoIsOn(calendarId: string, at: number): Promise<{ name: string; memberIds: string[] } | undefined>;
}

/** Members whom events may name. */
export const findNamedMembers = ({ reads }: Pick<Database, 'reads'>): Promise<NamedMember[]> =>
  reads.getRepository(UserEntity).find({
    select: { id: true, displayName: true, email: true, isActive: true },
    where: { isService: false },
  });

/** Keeps what it has read of each calendar until another copy of it is stored. */
export function createOnCallReader(database: Pick<Database, 'reads'>): OnCallReader {
  const known = new Map<string, Read>();
  const read = ({ id, content, fetchedAt, version }: StoredCalendar, from: number, to: number): CalendarSpan[] => {
    if (content === null) return [];
    const mark = `${version} ${fetchedAt}`;
    const before = known.get(id);
    if (before && before.mark === mark && before.from <= from && before.to >= to) return before.spans;
    const span = { from: from - BEFORE_MS, to: Math.max(to, from + AFTER_MS) };
    const spans = spansOf(content, span.from, span.to);
    known.set(id, { mark, ...span, spans });
    return spans;
  };
  const between: OnCallReader['between'] = (calendar, members, from, to) =>
    onBetween(read(calendar, from, to), readOverrides(calendar), members, from, to);
  return {
    between,
    async whoIsOn(calendarId, at) {
      const calendar = await database.reads.getRepository(CalendarEntity).findOneBy({ id: calendarId });
      if (!calendar) return undefined;
      const { spans } = between(calendar, await findNamedMembers(database), at, at + 1);
      return { name: calendar.name, memberIds: spans[0]?.memberIds ?? [] };
    },
  };
}

/** A copy that was good is read again; one that an earlier release took for good names nobody. */
function spansOf(content: string, from: number, to: number): CalendarSpan[] {
  try {
    return spansBetween(content, from, to);
  } catch (error) {
    if (error instanceof CalendarError) return [];
    throw error;
  }
}
