import { MoreThan } from 'typeorm';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { RepeatRuleError, parseRepeatRule } from './repeat-rule.ts';
import { type Span, spansOf } from './schedule.ts';
import { OccurrenceEntity, type StoredOccurrence, type StoredWindow } from './window-entities.ts';

/** Columns of a planned occurrence, as they are inserted. */
const COLUMNS = [
  'id',
  'window_id',
  'name',
  'search',
  'planned_at',
  'starts_at',
  'ends_at',
  'state',
  'is_marked',
  'kept',
  'still_firing',
  'worst',
  'extended_minutes',
  'created_at',
];

/** Occurrences of a window that have passed, as far as its next ones are compared with them. */
const PAST_MS = 40 * 24 * 60 * 60_000;

/** Whether the times of a window are known: another release may take a rule that this one does not. */
export function hasReadableRule({ rrule }: Pick<StoredWindow, 'rrule'>): boolean {
  try {
    if (rrule !== null) parseRepeatRule(rrule);
    return true;
  } catch (error) {
    if (error instanceof RepeatRuleError) return false;
    throw error;
  }
}

/**
 * Plans the next occurrence of a locked window that has none that is planned: the first that was not there already, that ends after
 * now and after the one that is on, and that does not begin before somebody ended one. It begins when the one that is on ends at
 * the earliest. However often it is asked for, it is one; none where the rule cannot be read: what is on begins and ends all the same.
 *
 * @param isRescheduled its schedule was just changed: what ended by itself goes on where it is to last longer
 */
export async function planNext(
  tx: Transaction,
  window: StoredWindow,
  now: number,
  isRescheduled = false,
): Promise<void> {
  const occurrences = tx.getRepository(OccurrenceEntity);
  const { id: windowId, name, search } = window;
  if (!hasReadableRule(window) || (await occurrences.existsBy({ windowId, state: 'planned' }))) return;
  const known = await occurrences.find({
    select: { plannedAt: true, endsAt: true, endedBy: true, state: true },
    where: { windowId, endsAt: MoreThan(now - PAST_MS) },
  });
  const onUntil = Math.max(0, ...known.map(({ state, endsAt }) => (state === 'on' ? endsAt : 0)));
  const rest = isRescheduled && onUntil <= now ? restOf(window, known, now) : undefined;
  const next = rest ?? firstUnplanned(window, known, Math.max(now, onUntil));
  if (!next) return;
  const { startsAt: plannedAt, endsAt } = next;
  await tx.query(tx.dialect.ignoreExisting(insertSql('maintenance_occurrences', COLUMNS, 1), 'id'), [
    newId(),
    windowId,
    name,
    search,
    plannedAt,
    Math.max(plannedAt, onUntil),
    endsAt,
    'planned' satisfies StoredOccurrence['state'],
    0,
    0,
    0,
    'none',
    0,
    now,
  ]);
}

/**
 * Plans the next occurrence of a locked window again, where its times are others by now. Where its rule cannot be read, the one
 * that is planned stays: no other time can be found.
 *
 * @param isRescheduled as in {@link planNext}
 */
export async function planAgain(
  tx: Transaction,
  window: StoredWindow,
  now: number,
  isRescheduled = false,
): Promise<void> {
  // By another server's clock it may have begun: what it keeps quiet is released at its end.
  const { id: windowId, name, search } = window;
  const isAhead = { windowId, state: 'planned', startsAt: MoreThan(now), kept: 0 } as const;
  const occurrences = tx.getRepository(OccurrenceEntity);
  if (hasReadableRule(window)) {
    await occurrences.delete(isAhead);
    await planNext(tx, window, now, isRescheduled);
    return;
  }
  const on = await occurrences.findBy({ windowId, state: 'on' });
  for (const { id, plannedAt, endsAt } of await occurrences.findBy(isAhead)) {
    const startsAt = Math.min(endsAt, Math.max(plannedAt, ...on.map((one) => one.endsAt)));
    await occurrences.update({ id }, { name, search, startsAt });
  }
}

type Known = readonly Pick<StoredOccurrence, 'plannedAt' | 'endsAt' | 'endedBy'>[];

function firstUnplanned(window: StoredWindow, known: Known, after: number): Span | undefined {
  for (const span of spansOf(window)) {
    if (span.endsAt <= after) continue;
    const wasThere = known.some(({ plannedAt }) => span.startsAt === plannedAt);
    if (!wasThere && !isEnded(known, span)) return span;
  }
  return undefined;
}

/** What is left of a time that has ended by itself, and by its schedule goes on. */
function restOf(window: StoredWindow, known: Known, now: number): Span | undefined {
  for (const span of spansOf(window)) {
    if (span.endsAt <= now) continue;
    const wasOn = known.some(({ plannedAt, endsAt }) => span.startsAt === plannedAt && endsAt <= now);
    return wasOn && !isEnded(known, span) ? { startsAt: now, endsAt: span.endsAt } : undefined;
  }
  return undefined;
}

/** Whether somebody has ended a time. The beginning may have been changed while it was on. */
const isEnded = (known: Known, span: Span): boolean =>
  known.some(({ endsAt, endedBy }) => endedBy !== null && span.startsAt < endsAt);
