import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Happening } from './happenings.ts';
import { loadPlan } from './load-plan.ts';
import { type MakeDeps, makeMessages } from './make-messages.ts';
import { makeUpdates } from './make-updates.ts';
import { storeMessages, storeUpdates } from './store-messages.ts';

/** What changed so long before a pause, in milliseconds, may have been read from the feed in it. */
const BEFORE_MS = 60_000;

/** What a destination shows of an alert that changed while it was paused. */
const MISSED =
  'SELECT l.alert_id AS alertId, l.state AS state, a.completed_at AS completedAt FROM outgoing_live l ' +
  'JOIN alerts a ON a.id = l.alert_id WHERE l.destination_id = ? AND ' +
  "((l.state = 'open' AND a.status = 'completed') OR (l.state IS NULL AND (a.last_seen_at >= ? OR EXISTS " +
  '(SELECT 1 FROM alert_history h WHERE h.alert_id = a.id AND h.created_at >= ?))))';

/**
 * Brings what a destination shows up to date, in the transaction that resumes it: tickets of alerts that are completed by now are
 * closed, where a rule sends that there, and messages in chats say what their alerts are. Nothing is posted of what began meanwhile.
 */
export async function catchUp(
  { publicUrl, logger }: Pick<MakeDeps, 'publicUrl'> & { logger: Logger },
  tx: Transaction,
  id: string,
  pausedAt: number,
): Promise<void> {
  const since = pausedAt - BEFORE_MS;
  const missed: { alertId: string; state: string | null; completedAt: unknown }[] = await tx.query(MISSED, [
    id,
    since,
    since,
  ]);
  if (missed.length === 0) return;
  const deps = { database: { reads: tx, dialect: tx.dialect }, publicUrl };
  const plan = await loadPlan(deps.database, logger, (rules) => [...rules]);
  const destination = plan?.destinations.get(id);
  if (!plan || !destination) return;
  const only = { rules: plan.rules, destinations: new Map([[id, destination]]) };
  const ended = missed
    .filter(({ state }) => state !== null)
    .map(({ alertId, completedAt }): Happening => ({
      alertId,
      event: 'completed',
      key: null,
      at: Number(completedAt),
      by: 'sender',
    }));
  const shown = missed.filter(({ state }) => state === null).map(({ alertId }) => alertId);
  await storeMessages(tx, await makeMessages(deps, only, ended));
  await storeUpdates(tx, await makeUpdates(deps, only, shown, []));
}
