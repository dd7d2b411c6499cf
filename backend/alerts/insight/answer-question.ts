import { INSIGHT_GROUPS, addDays, daysBetween } from '#backend/contract/insight.ts';
import { countArrivals } from './aggregate.ts';
import { calendarOf, hoursOf } from './calendar.ts';
import type { ChunkCache } from './chunk-cache.ts';
import type { Answer, Question } from './insight-messages.ts';

/** Counts what is asked for, and as many days before. */
export async function answerQuestion(
  chunks: ChunkCache,
  { query, person, now }: Question,
): Promise<Omit<Answer, 'isComplete'>> {
  const { from, to, timeZone = 'UTC' } = query;
  const filter = {
    customer: query.customer,
    alertType: query.alertType,
    source: query.sourceId,
    person: query.personId,
  };
  const days = daysBetween(from, to);
  const calendar = calendarOf(from, to, timeZone);
  const earlier = calendarOf(addDays(from, -days), addDays(from, -1), timeZone);
  const counting = countArrivals(calendar, filter, { groups: INSIGHT_GROUPS, person });
  const before = countArrivals(earlier, filter, { groups: [], person });
  for await (const chunk of chunks.between(earlier.starts[0] ?? 0, calendar.starts.at(-1) ?? 0)) {
    counting.add(chunk);
    before.add(chunk);
  }
  return { ...counting.figures(), before: before.figures().totals, hours: hoursOf(calendar, now) };
}
