import { byName } from '#backend/contract/name.ts';
import type { Wallboard } from '#backend/contract/wallboard.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { CalendarEntity } from './calendar-entity.ts';
import { CalendarError } from './read-calendar.ts';
import { type OnCallReader, findNamedMembers } from './who-is-on.ts';

/** How far ahead the end of a shift is looked for, in milliseconds. */
const AHEAD_MS = 7 * 24 * 60 * 60_000;

/** Who is on by the first calendar, by name, that somebody is on by now. */
export async function whoIsOnNow(
  { database, onCall }: { database: Pick<Database, 'reads'>; onCall: Pick<OnCallReader, 'between'> },
  now: number,
): Promise<Wallboard['onNow']> {
  const repository = database.reads.getRepository(CalendarEntity);
  const calendars = await repository.find({ select: { id: true, name: true } });
  if (calendars.length === 0) return null;
  const members = await findNamedMembers(database);
  for (const { id } of calendars.toSorted((one, other) => byName(one.name, other.name))) {
    // One at a time: each may hold 2 MB.
    const calendar = await repository.findOneBy({ id });
    if (!calendar) continue;
    const spans = await onCall.between(calendar, members, now, now + AHEAD_MS).then(
      (found) => found.spans,
      (error: unknown) => {
        // A calendar that cannot be read names nobody; its page says why.
        if (error instanceof CalendarError) return [];
        throw error;
      },
    );
    const [span] = spans;
    if (!span || span.memberIds.length === 0) continue;
    const names = members.filter((member) => span.memberIds.includes(member.id)).map(({ displayName }) => displayName);
    return { calendar: calendar.name, names: names.toSorted(byName), until: new Date(span.to).toISOString() };
  }
  return null;
}
