import type { Alert } from '#backend/contract/alert.ts';

/** A row whose alert has left the list, while its card still leaves the screen. */
export interface LeavingRow {
  alert: Alert;
  /** Who accepted the alert, when it was somebody else: the card says so first. */
  acceptedBy: string | undefined;
  /** The person at this screen took the alert out, with the card itself: they know. */
  isOwn: boolean;
  /** Id of the row that followed it, where it keeps its place. */
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

/**
 * The rows that `next` no longer has, with what keeps their place. Nothing when it is another list altogether, unless the
 * list is held.
 */
export function rowsLeaving(
  previous: readonly Alert[],
  next: readonly Alert[],
  { acceptedBy, isOwn = () => false, isHeld = false }: LeavingContext,
): LeavingRow[] {
  const present = new Set(next.map(({ id }) => id));
  const gone: LeavingRow[] = [];
  let before: string | undefined;
  for (const alert of previous.toReversed()) {
    if (present.has(alert.id)) before = alert.id;
    else gone.push({ alert, acceptedBy: acceptedBy.get(alert.id), isOwn: isOwn(alert.id), before });
  }
  return gone.length > MOST_AT_ONCE && !isHeld ? [] : gone.toReversed();
}

/** The rows to draw: those of the list, and the leaving ones in the place where they were. */
export function withLeavingRows(alerts: readonly Alert[], leaving: ReadonlyMap<string, LeavingRow>): readonly Alert[] {
  if (leaving.size === 0) return alerts;
  const ahead = new Map<string | undefined, Alert[]>();
  const present = new Set(alerts.map(({ id }) => id));
  for (const { alert, before } of leaving.values()) {
    const place = before !== undefined && present.has(before) ? before : undefined;
    ahead.set(place, [...(ahead.get(place) ?? []), alert]);
  }
  return [...alerts.flatMap((alert) => [...(ahead.get(alert.id) ?? []), alert]), ...(ahead.get(undefined) ?? [])];
}
