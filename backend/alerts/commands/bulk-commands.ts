import { isEverybodys } from '#backend/contract/alert-place.ts';
import { presentSnoozedUntil } from '#backend/alerts/alert/stored-status.ts';
import type { BulkChange, BulkLoss, BulkResult } from '#backend/contract/bulk.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { CommandDeps } from './alert-commands.ts';
import {
  type Applied,
  type Judged,
  announceApplied,
  applyCommand,
  isChanged,
  lockDecided,
  prepareCommand,
} from './apply-command.ts';
import type { Caller } from './assignment.ts';
import { nextBatch } from './bulk-selection.ts';
import { type Command, type DecidedAlert, type Refusal, whyNotTheirs } from './command.ts';

/**
 * Changes one batch of alerts: those that the request names, or the next ones that its filter matches. Each alert is
 * judged by itself, as the call for a single one would; what cannot be changed is named and left as it is. One
 * transaction, one entry in each history (two where a move also accepts), one live event for each kind of change, and for each
 * time that it restores.
 *
 * @throws {ProblemError} as `nextBatch`, `prepareCommand` and `applyCommand` do.
 */
export async function changeManyAlerts(
  deps: CommandDeps & { search: SearchIndex },
  caller: Caller,
  requested: BulkChange,
): Promise<BulkResult> {
  const { actor } = caller;
  const batch = await nextBatch(deps, actor, requested);
  const { command, applied, lost } = await onBehalfOf(deps.database, actor).transaction(async (tx) => {
    const prepared = await prepareCommand(tx, actor, requested, true);
    const locked = await lockDecided(tx, batch.ids);
    const done = await applyCommand(tx, caller, prepared, locked, (alert) =>
      batch.pending.has(alert.id) && !isEverybodys(alert) ? takenOr(actor.id, prepared, alert) : undefined,
    );
    announceApplied(tx, done);
    return { command: prepared, applied: done, lost: await nameLosses(tx, batch.ids, done) };
  });
  return {
    changed: applied.judged.filter(isChanged).map((one) => presentChanged(one, command.action === 'assign')),
    unchanged: applied.judged.filter(({ decision }) => decision === 'unchanged').length,
    lost,
    ...(batch.next !== undefined && { next: batch.next }),
  };
}

/** A changed alert as answers name it: with what it was before, so that the change can be taken back. */
export function presentChanged(
  { before: { id, status, folderId, ownerId, snoozedUntil, groupId }, after }: Judged,
  namesOwner: boolean,
): BulkResult['changed'][number] {
  const until = presentSnoozedUntil(snoozedUntil);
  return {
    id,
    version: after.version,
    status,
    ...(folderId && { folderId }),
    ...(ownerId && namesOwner && { ownerId }),
    ...(until && { snoozedUntil: until }),
    ...(groupId && { groupId }),
  };
}

/** What becomes of an alert that left the inbox since the filter found it there. */
function takenOr(actorId: string, command: Command, alert: DecidedAlert): 'unchanged' | Refusal {
  const { ownerId } = alert;
  if (command.action === 'assign' && ownerId === command.assignee.id) return 'unchanged';
  if (ownerId !== actorId) return whyNotTheirs(alert);
  return command.action === 'accept' ? 'unchanged' : 'not_allowed';
}

/** What was left as it is, with why; who took an alert is named, as to everybody who comes too late for it. */
export async function nameLosses(tx: Transaction, ids: readonly string[], { judged }: Applied): Promise<BulkLoss[]> {
  const byId = new Map(judged.map((one) => [one.before.id, one]));
  const losses = ids.flatMap((id) => {
    const one = byId.get(id);
    const reason = one ? one.decision : 'gone';
    return typeof reason === 'object' || reason === 'unchanged' ? [] : [{ id, ownerId: one?.before.ownerId, reason }];
  });
  const names = await findDisplayNames(
    tx,
    losses.flatMap(({ ownerId, reason }) => (reason === 'taken' && ownerId) || []),
  );
  return losses.map(({ id, ownerId, reason }) => {
    const ownerName = reason === 'taken' ? names.get(ownerId ?? '') : undefined;
    return ownerName === undefined ? { id, reason } : { id, reason, ownerName };
  });
}
