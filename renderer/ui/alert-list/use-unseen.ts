import { useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';

/**
 * How many alerts came on top of the list while its top was out of sight, and are still there. Seen are all of them as
 * soon as the top is in view.
 */
export function useUnseen(alerts: readonly Alert[], isTopInView: boolean): number {
  const [state, setState] = useState<{ alerts: readonly Alert[]; unseen: ReadonlySet<string> }>({
    alerts,
    unseen: new Set(),
  });
  if (isTopInView && state.unseen.size > 0) setState({ alerts, unseen: new Set() });
  else if (state.alerts !== alerts) {
    setState({ alerts, unseen: isTopInView ? new Set() : stillUnseen(state.unseen, state.alerts, alerts) });
  }
  return state.unseen.size;
}

/** The unseen ones among the rows above the first one that was there before. */
function stillUnseen(
  unseen: ReadonlySet<string>,
  before: readonly Alert[],
  now: readonly Alert[],
): ReadonlySet<string> {
  const known = new Set(before.map(({ id }) => id));
  const firstKnown = now.findIndex(({ id }) => known.has(id) && !unseen.has(id));
  const above = firstKnown === -1 ? [] : now.slice(0, firstKnown);
  return new Set(above.map(({ id }) => id).filter((id) => unseen.has(id) || !known.has(id)));
}
