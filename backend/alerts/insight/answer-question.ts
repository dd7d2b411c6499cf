import { addDays, daysBetween } from '#backend/contract/insight.ts';
import { countArrivals } from './aggregate.ts';
import { calendarOf, hoursOf } from './calendar.ts';
import type { ChunkCache } from './chunk-cache.ts';
import { readFreshFacts } from './fresh-facts.ts';
import type { Answer, Question } from './insight-messages.ts';
import { rankProblems } from './problems.ts';
import type { ReadRows } from './reader.ts';
import { createHitReader } from './rule-hits.ts';

/** Counts what is asked for, and as many days before. `isComplete` is false where more was repeated lately than was read. */
export async function answerQuestion(
  chunks: ChunkCache,
  read: ReadRows,
  { query, person, now }: Question,
): Promise<Answer> {
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
  const counting = countArrivals(calendar, filter, { hasLists: true, person });
  const before = countArrivals(earlier, filter, { hasLists: false, person });
  const problems = rankProblems(calendar, filter);
  const fresh = await readFreshFacts(read);
  const readHits = createHitReader(read);
  const [start = 0] = calendar.starts;
  const end = calendar.starts.at(-1) ?? 0;
  for await (const stored of chunks.between(earlier.starts[0] ?? 0, end)) {
    const chunk = fresh.patch(stored);
    counting.add(chunk, await readHits(chunk));
    before.add(chunk);
    problems.count(chunk);
  }
  const detail = problems.detail();
  for await (const chunk of chunks.between(start, end)) detail.add(fresh.patch(chunk));
  return {
    ...counting.figures(),
    before: before.figures().totals,
    hours: hoursOf(calendar, now),
    problems: detail.figures(),
    isComplete: fresh.isComplete,
  };
}
