import type { Alert } from '#backend/contract/alert.ts';

/** A row whose alert has left the list, while its card still leaves the screen. */
export interface LeavingRow {
  alert: Alert;
  /** Who accepted the alert, when it was somebody else: the card says so first. */
  acceptedBy: string | undefined;
  /** The person at this screen took the alert out, with the card itself: they know. */
  isOwn: boolean;
  /** Id of the row that followed it, where it keeps its place. That one may be leaving, too. */
  before: string | undefined;
}

/** More than so many leaving at once is not somebody's work on single alerts but another list. */
const MOST_AT_ONCE = 5;

/** What is known of rows that leave. */
interface LeavingContext {
  /** Alert id to who accepted it, if it was somebody else. */
  acceptedBy: ReadonlyMap<string, string>;
  /** Whether the person at this screen is just acting on the alert. */
  isOwn?: (alertId: string) => boolean;
  /** Somebody is using the list: however many rows leave, they keep their places for now. */
  isHeld?: boolean;
}

/** The rows on their way out, by the ids of their alerts. */
export type LeavingRows = ReadonlyMap<string, LeavingRow>;

/**
 * The rows on their way out once the list is `next`: those that were, without what has come back, and those that `next` no
 * longer has. Of these none when it is another list altogether, unless the list is held.
 *
 * @param previous the list before, and the rows that were leaving it
 */
export function leavingAfter(
  previous: { alerts: readonly Alert[]; leaving: LeavingRows },
  next: readonly Alert[],
  { acceptedBy, isOwn = () => false, isHeld = false }: LeavingContext,
): LeavingRows {
  const present = new Set(next.map(({ id }) => id));
  const leaving = new Map([...previous.leaving].filter(([id]) => !present.has(id)));
  const gone: LeavingRow[] = [];
  let before: string | undefined;
  for (const alert of withLeavingRows(previous.alerts, previous.leaving).toReversed()) {
    if (!present.has(alert.id) && !leaving.has(alert.id)) {
      gone.push({ alert, acceptedBy: acceptedBy.get(alert.id), isOwn: isOwn(alert.id), before });
    }
    // A row that is leaving keeps the place of the ones above it as well.
    if (present.has(alert.id) || leaving.has(alert.id)) before = alert.id;
  }
  if (gone.length > MOST_AT_ONCE && !isHeld) return leaving;
  // Those that leave together stand below each other, in their order.
  for (const row of gone.toReversed()) leaving.set(row.alert.id, row);
  return leaving;
}

/** Without a row that has left for good: those that it kept in place are kept by the row below it. */
export function withoutLeavingRow(leaving: LeavingRows, id: string): LeavingRows {
  const before = leaving.get(id)?.before;
  return new Map(
    [...leaving]
      .filter(([other]) => other !== id)
      .map(([other, row]) => [other, row.before === id ? { ...row, before } : row]),
  );
}

/** The rows to draw: those of the list, and the leaving ones in the place where they were. */
export function withLeavingRows(alerts: readonly Alert[], leaving: LeavingRows): readonly Alert[] {
  if (leaving.size === 0) return alerts;
  const ahead = new Map<string | undefined, Alert[]>();
  const known = new Set([...alerts.map(({ id }) => id), ...leaving.keys()]);
  for (const { alert, before } of leaving.values()) {
    const place = before !== undefined && known.has(before) ? before : undefined;
    ahead.set(place, [...(ahead.get(place) ?? []), alert]);
  }
  const withAhead = (alert: Alert): Alert[] => [...(ahead.get(alert.id) ?? []).flatMap(withAhead), alert];
  return [...alerts, ...(ahead.get(undefined) ?? [])].flatMap(withAhead);
}
