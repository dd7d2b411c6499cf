import type { Alert } from '#backend/contract/alert.ts';
import { type AlertPages, type Placement, hasLoaded } from './list-pages.ts';
import { type AlertListView, isInView } from './list-view.ts';

/** Which alerts that are being deleted a search had: whether it matches others, only the server knows. */
const found = new Set<string>();

const keyOf = ({ q, search, timeZone }: AlertListView, id: string): string =>
  [id, q ?? '', search ?? '', timeZone ?? ''].join('\n');

/** Keeps which of the alerts that leave the screen a search has, as long as any deletion can be undone. */
export function keepFound(
  view: AlertListView,
  list: AlertPages,
  placements: readonly Placement[],
  delayed: readonly Alert[],
): void {
  if (delayed.length === 0) found.clear();
  else if ((view.q ?? view.search) !== undefined)
    for (const { id, after } of placements) if (!after && hasLoaded(list, id)) found.add(keyOf(view, id));
}

/** Of the alerts that are being deleted, those in a view of the member `me`. */
export const delayedMatches = (delayed: readonly Alert[], view: AlertListView, me: string | undefined): Alert[] =>
  delayed.filter((alert) => isInView(view, me, alert) ?? found.has(keyOf(view, alert.id)));
