import type { Alert } from '#backend/contract/alert.ts';

/** A row whose alert has left the list, while its card still leaves the screen. */
export interface LeavingRow {
  alert: Alert;
  /** Who accepted the alert, when it was somebody else: the card says so first. */
  acceptedBy: string | undefined;
  /** Id of the row that followed it, where it keeps its place. */
  before: string | undefined;
}

/** More than so many leaving at once is not somebody's work on single alerts but another list. */
const MOST_AT_ONCE = 5;

/** The rows that `next` no longer has, with what keeps their place. Nothing when it is another list altogether. */
export function rowsLeaving(
  previous: readonly Alert[],
  next: readonly Alert[],
  acceptedBy: ReadonlyMap<string, string>,
): LeavingRow[] {
  const present = new Set(next.map(({ id }) => id));
  const gone: LeavingRow[] = [];
  let before: string | undefined;
  for (const alert of previous.toReversed()) {
    if (present.has(alert.id)) before = alert.id;
    else gone.unshift({ alert, acceptedBy: acceptedBy.get(alert.id), before });
  }
  return gone.length > MOST_AT_ONCE ? [] : gone;
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
