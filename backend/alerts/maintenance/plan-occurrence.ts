import { In, MoreThan } from 'typeorm';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
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

/**
 * Plans the next occurrence of a locked window that has none that is planned or on: the first that has not ended, that was not
 * there already, and that does not begin before somebody ended one. However often it is asked for, it is one.
 */
export async function planNext(tx: Transaction, window: StoredWindow, now: number): Promise<void> {
  const occurrences = tx.getRepository(OccurrenceEntity);
  const { id: windowId, name, search } = window;
  if (await occurrences.existsBy({ windowId, state: In(['planned', 'on', 'ending']) })) return;
  const past = await occurrences.find({
    select: { plannedAt: true, endsAt: true, endedBy: true },
    where: { windowId, endsAt: MoreThan(now - PAST_MS) },
  });
  const next = firstUnplanned(window, past, now);
  if (!next) return;
  const { startsAt, endsAt } = next;
  await tx.query(tx.dialect.ignoreExisting(insertSql('maintenance_occurrences', COLUMNS, 1), 'id'), [
    newId(),
    windowId,
    name,
    search,
    startsAt,
    startsAt,
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

function firstUnplanned(
  window: StoredWindow,
  past: readonly Pick<StoredOccurrence, 'plannedAt' | 'endsAt' | 'endedBy'>[],
  now: number,
): Span | undefined {
  for (const span of spansOf(window)) {
    if (span.endsAt <= now) continue;
    // The beginning may have been changed while it was on.
    const isOver = past.some(
      ({ plannedAt, endsAt, endedBy }) => span.startsAt === plannedAt || (endedBy !== null && span.startsAt < endsAt),
    );
    if (!isOver) return span;
  }
  return undefined;
}
