import { changeAsSource } from '#backend/alerts/commands/alert-commands.ts';
import type { RequestedChange } from '#backend/alerts/commands/apply-command.ts';
import { addNotesOfSources } from '#backend/alerts/notes/source-notes.ts';
import { UserEntity, findUserByEmail } from '#backend/identity/users/user.ts';
import type { KnownSource } from '#backend/intake/sources/source-registry.ts';
import { findRepeated, insertDeliveries } from '#backend/intake/write/deliveries.ts';
import { badApiKey } from '#backend/intake/write/ingest-answers.ts';
import { findValidSenders } from '#backend/intake/write/write-rows.ts';
import { duplicateOf } from '#backend/intake/write/write-batch.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import type { Action, Result } from './answers.ts';
import { type Change, type ChangeDeps, type Changed, deliveryOf, noteOf, withoutNote } from './asked-change.ts';
import { type Body, identifierTypeOf } from './call.ts';
import { findAlertId } from './read-alerts.ts';

/** A change that members make, too: by the same rules. */
export interface Command {
  action: Action;
  requested: RequestedChange;
}

/** Reads the command that a call gives. @throws {ProblemError} 422 */
export async function commandOf({ database }: ChangeDeps, { call, body }: Change): Promise<Command> {
  switch (call.operation) {
    case 'POST /v2/alerts/:name/snooze': {
      const end = Date.parse(body.required('endTime'));
      if (Number.isNaN(end)) throw unacceptable('endTime is no time of ISO 8601.');
      return { action: 'Snooze', requested: { action: 'snooze', until: new Date(end).toISOString() } };
    }
    case 'POST /v2/alerts/:name/assign':
      return { action: 'AssignOwnership', requested: { action: 'assign', userId: await ownerIn(database, body) } };
    case 'POST /v2/alerts/:name/unacknowledge':
      return { action: 'UnAcknowledge', requested: { action: 'unaccept' } };
    default:
      return { action: 'Delete', requested: { action: 'delete' } };
  }
}

/** The member whom a body names as owner, by id or e-mail address. */
async function ownerIn({ reads }: Database, body: Body): Promise<string> {
  const owner = body.get('owner');
  const named = (typeof owner === 'object' && owner !== null ? owner : { username: owner }) as Record<string, unknown>;
  const email = named['username'];
  const id = named['id'];
  const user =
    typeof email === 'string' && email !== ''
      ? await findUserByEmail(reads, email)
      : typeof id === 'string' && id !== ''
        ? await reads.getRepository(UserEntity).findOneBy({ id })
        : undefined;
  if (user) return user.id;
  throw unacceptable(
    user === undefined
      ? 'owner has neither username nor id.'
      : 'There is no account of this owner. Name their e-mail address.',
  );
}

/** A call as it is remembered; undefined of one that names no `Idempotency-Key`. */
const rememberedCall = (change: Change) => {
  const named = deliveryOf(change);
  return named && { ...named, apiKeyId: change.source.id, receivedAt: change.receivedAt };
};

/** What became of the call when it came before. @throws {ProblemError} 409 where its `Idempotency-Key` was another call's */
export async function findEarlier(
  { database }: ChangeDeps,
  change: Change,
  action: Action,
): Promise<Changed | undefined> {
  const call = rememberedCall(change);
  const earlier = call && (await database.transaction((tx) => findRepeated(tx, call)));
  return earlier && { action, result: 'done', alertId: earlier.alertId, written: duplicateOf(earlier) };
}

/** Gives a command as the source, once for each `Idempotency-Key`. */
export async function runCommand(deps: ChangeDeps, change: Change, command: Command): Promise<Changed> {
  const { database } = deps;
  const note = noteOf(change);
  const call = rememberedCall(change);
  if (!call) return giveCommand(deps, change, command, { note });
  const repeated = () => findEarlier(deps, change, command.action);
  const before = await repeated();
  if (before) return before;
  try {
    const onDone = (tx: Transaction, alertId: string) => insertDeliveries(tx, [{ ...call, alertId }]);
    const given = await giveCommand(deps, change, command, { note, onDone });
    return given.result === 'missing' ? ((await repeated()) ?? given) : given;
  } catch (error) {
    // The same call came at the same moment, and was first.
    const first = database.dialect.isDuplicate(error) ? await repeated() : undefined;
    if (first) return first;
    throw error;
  }
}

/**
 * Gives a command, also again: what stands behind it is locked until the transaction ends.
 *
 * @param with its note, and what runs in that transaction where the command was done
 */
export async function giveCommand(
  { database }: ChangeDeps,
  change: Change,
  { action, requested }: Command,
  { note, onDone }: { note?: string | undefined; onDone?: (tx: Transaction, alertId: string) => Promise<void> } = {},
): Promise<Changed> {
  const { source, secretId, call, remoteAddress } = change;
  const alertId = await findAlertId(database.reads, source.id, call.name, identifierTypeOf(call));
  if (alertId === undefined) return { action, result: 'missing', alertId: null };
  if (source.pausedAt !== null) return { action, result: 'paused', alertId };
  const sender = { id: source.id, name: source.name, secretId };
  const done = await database.transaction(async (tx) => {
    if (!(await findValidSenders(tx, [{ source: sender }])).has(secretId)) throw badApiKey();
    const changed = await changeAsSource(tx, { actor: actorOf(source), ip: remoteAddress }, alertId, requested);
    const isDone = changed && RESULT_OF[changed.outcome] !== undefined;
    if (isDone) await onDone?.(tx, alertId);
    const isNoted = note !== undefined && action !== 'Delete' && isDone;
    const lost = isNoted ? await addNotesOfSources(tx, [{ alert: changed.after, text: note, source: sender }]) : [];
    return changed && { ...changed, isNoteLost: lost.length > 0 };
  });
  if (!done) return { action, result: 'missing', alertId };
  const result = done.isNoteLost ? withoutNote(action) : RESULT_OF[done.outcome];
  if (result !== undefined) return { action, result, alertId };
  const isTaken = done.outcome === 'taken' || done.outcome === 'not_allowed';
  return { action, result: isTaken ? 'taken' : 'not-allowed', alertId, reason: done.message };
}

const RESULT_OF: Readonly<Record<string, Result>> = { changed: 'done', unchanged: 'unchanged' };

/** The source as who gives a command: a member who owns nothing, by the name that histories show. */
const actorOf = ({ id, name }: KnownSource): Actor => ({
  id,
  email: name,
  displayName: name,
  role: 'user',
  sessionId: '',
  provedAt: 0,
});
