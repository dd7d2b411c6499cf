/** What of a history's entry says whose an alert is. */
export interface OwnershipEntry {
  action: string;
  /** Display name of who did it. */
  by: string;
  /** Display name of who got the alert. */
  to: string | null;
  status: string | null;
}

/**
 * Whose an alert is by its history, oldest entry first, and its status.
 *
 * @throws when an entry does not follow from those before: then the alert had two owners, or an entry is missing.
 */
export function replayHistory(entries: readonly OwnershipEntry[]): { owner: string | null; status: string } {
  let owner: string | null = null;
  let status = 'pending';
  for (const entry of entries) {
    const { action, by, to } = entry;
    const isBroken =
      (action === 'accepted' && owner !== null) ||
      (action === 'handed_over' && owner !== by) ||
      (action === 'unaccepted' && owner === null) ||
      (action === 'status_change' && owner !== by);
    if (isBroken) throw new Error(`${JSON.stringify(entry)} follows on an alert of ${owner}`);
    if (action === 'accepted') owner = by;
    if (action === 'assigned' || action === 'handed_over') owner = to;
    if (action === 'unaccepted') owner = null;
    if (owner === null) status = 'pending';
    else status = entry.status ?? (status === 'pending' ? 'accepted' : status);
  }
  return { owner, status };
}
