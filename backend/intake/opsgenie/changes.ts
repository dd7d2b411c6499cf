import { hash } from 'node:crypto';
import { UserEntity, findUserByEmail } from '#backend/identity/users/user.ts';
import { MAX_NOTE_LENGTH } from '#backend/contract/note.ts';
import { changeAsSource } from '#backend/alerts/commands/alert-commands.ts';
import type { RequestedChange } from '#backend/alerts/commands/apply-command.ts';
import { addNotesOfSources } from '#backend/alerts/notes/source-notes.ts';
import { NO_EXTRA_DATA } from '#backend/intake/adapters/specified-fields.ts';
import { boundedKey, titleLine } from '#backend/intake/reading/bounded-text.ts';
import type { KnownSource } from '#backend/intake/sources/source-registry.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import type { IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';
import { badApiKey } from '#backend/intake/write/ingest-answers.ts';
import { findValidSenders } from '#backend/intake/write/write-rows.ts';
import type { EventResult } from '#backend/intake/write/write-batch.ts';
import { policyOf } from '#backend/intake/webhooks/deliver.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import type { Action, Result } from './answers.ts';
import { type Body, type Call, type Operation, identifierTypeOf, listIn } from './call.ts';
import { addDetails, addTags, keep, memberText, removeDetails, removeTags, setField } from './payload.ts';
import { PRIORITIES } from './present.ts';
import { findAlertId, readAlerts } from './read-alerts.ts';

/** A call that changes an alert, with whom it came. */
export interface Change {
  source: KnownSource;
  secretId: string;
  call: Call & { operation: Operation };
  body: Body;
  receivedAt: number;
  readAt: number | undefined;
  remoteAddress: string;
  /** `Idempotency-Key`: the same once more changes nothing. */
  idempotencyKey: string | undefined;
}

/** What became of it. */
export interface Changed {
  action: Action;
  result: Result;
  alertId: string | null;
  /** What happened in the writer; undefined for what a command did. */
  written?: EventResult;
  /** One sentence for the log, where the result does not say it. */
  reason?: string | undefined;
}

export interface ChangeDeps {
  database: Database;
  writer: AlertWriter;
}

/** A change that the sender reports of its own alert. */
interface Report {
  action: Action;
  event: Pick<IncomingEvent, 'state'> & Partial<IncomingEvent>;
}

/** A change that members make, too: by the same rules. */
interface Command {
  action: Action;
  requested: RequestedChange;
}

const AMENDED = { state: 'firing', amends: {}, merge: keep } as const;

const amend = (action: Action, event: Partial<IncomingEvent>): Report => ({ action, event: { ...AMENDED, ...event } });

/** Reads what a call reports of its alert; undefined where it gives a command. @throws {ProblemError} 422 */
function reportOf({ call, body }: Change): Report | undefined {
  switch (call.operation) {
    case 'POST /v2/alerts/:name/close':
      return { action: 'Close', event: { state: 'resolved', merge: keep } };
    case 'POST /v2/alerts/:name/acknowledge':
      return amend('Acknowledge', { amends: { state: 'acknowledged' } });
    case 'POST /v2/alerts/:name/notes':
      body.required('note');
      return amend('AddNote', {});
    case 'POST /v2/alerts/:name/tags':
      return amend('AddTags', { merge: addTags(tagsIn(body)) });
    case 'DELETE /v2/alerts/:name/tags':
      return amend('RemoveTags', { merge: removeTags(listIn(call.query, 'tags')) });
    case 'POST /v2/alerts/:name/details':
      return amend('AddDetails', { merge: addDetails(detailsIn(body)) });
    case 'DELETE /v2/alerts/:name/details':
      return amend('RemoveDetails', { merge: removeDetails(listIn(call.query, 'keys')) });
    case 'PUT /v2/alerts/:name/priority': {
      const priority = priorityIn(body);
      if (priority === undefined) throw unacceptable('priority can not be empty.');
      return amend('UpdatePriority', { severity: PRIORITIES[priority], merge: setField('priority', priority) });
    }
    case 'PUT /v2/alerts/:name/message': {
      const message = body.required('message');
      return amend('UpdateMessage', { title: titleLine(message) ?? null, merge: setField('message', message) });
    }
    case 'PUT /v2/alerts/:name/description':
      return amend('UpdateDescription', { merge: setField('description', body.required('description')) });
    default:
      return undefined;
  }
}

/** The priority of a body. @throws {ProblemError} 422 for a word that is none */
export function priorityIn(body: Body): keyof typeof PRIORITIES | undefined {
  const priority = body.textOf('priority');
  if (priority === undefined) return undefined;
  if (Object.hasOwn(PRIORITIES, priority)) return priority as keyof typeof PRIORITIES;
  throw unacceptable(`priority is one of ${Object.keys(PRIORITIES).join(', ')}.`);
}

function tagsIn(body: Body): string[] {
  const tags = body.get('tags');
  if (!Array.isArray(tags) || tags.length === 0) throw unacceptable('tags is not a list of texts.');
  return tags.map((tag: unknown) => {
    if (typeof tag === 'string' && tag.trim() !== '') return tag.trim();
    throw unacceptable('tags is not a list of texts.');
  });
}

function detailsIn(body: Body): string {
  const details = memberText(body.text, 'details');
  if (!details.startsWith('{')) throw unacceptable('details is not an object.');
  return details;
}

/** Reads the command that a call gives. @throws {ProblemError} 422 */
async function commandOf({ database }: ChangeDeps, { call, body }: Change): Promise<Command> {
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

/** What is noted with a change: with the name of who is said to have made it. */
function noteOf({ body, call }: Change): string | undefined {
  const said = (name: string): string => (body.textOf(name) ?? call.query.get(name) ?? '').trim();
  const note = said('note');
  if (note === '') return undefined;
  const user = said('user');
  return `${note.slice(0, MAX_NOTE_LENGTH)}${user === '' ? '' : `\n— ${user.slice(0, 100)}`}`;
}

/** Makes a change. It is done when this resolves: reported or commanded, in one transaction each. */
export async function makeChange(deps: ChangeDeps, change: Change): Promise<Changed> {
  const report = reportOf(change);
  if (report) return writeReport(deps, change, report);
  const command = await commandOf(deps, change);
  if (command.action === 'UnAcknowledge') return unacknowledge(deps, change, command);
  return runCommand(deps, change, command);
}

/** By its alias an alert is found by the transaction itself, as its sender's reports are. */
async function targetOf({ database: { reads } }: ChangeDeps, { source, call }: Change) {
  const type = identifierTypeOf(call);
  if (type === 'alias') return { dedupKey: boundedKey(call.name), alertId: undefined };
  const alertId = await findAlertId(reads, source.id, call.name, type);
  const [alert] = alertId === undefined ? [] : await readAlerts(reads, source.id, [alertId]);
  return alert && { dedupKey: alert.dedupKey, alertId: alert.id };
}

async function writeReport(
  deps: ChangeDeps,
  change: Change,
  { action, event }: Report,
  note: string | null = noteOf(change) ?? null,
): Promise<Changed> {
  const { source, secretId, receivedAt, readAt } = change;
  const target = await targetOf(deps, change);
  const failed = (result: Result): Changed => ({ action, result, alertId: target?.alertId ?? null });
  if (!target) return failed('missing');
  if (target.dedupKey === null) return failed('nameless');
  if (source.pausedAt !== null) return failed('paused');
  const [written] = await deps.writer.write({
    source: { id: source.id, name: source.name, secretId },
    policy: policyOf(source.settings),
    receivedAt,
    readAt,
    events: [
      {
        title: null,
        severity: 'none',
        dedupKey: target.dedupKey,
        groupTitle: null,
        groupKey: null,
        payload: jsonText('{}'),
        extraData: NO_EXTRA_DATA,
        customer: null,
        alertType: null,
        url: '',
        sender: 'opsgenie',
        isTest: false,
        delivery: deliveryOf(change),
        only: target.alertId,
        ...(note !== null && { note }),
        ...event,
      },
    ],
  });
  if (!written || (written.outcome === 'nothing-open' && written.alertId === null)) return failed('missing');
  const { outcome, alertId, isNoteLost = false } = written;
  // A newer alert has its name by now.
  if (outcome === 'nothing-open' && action === 'AddNote') return failed('not-allowed');
  const result = isNoteLost ? withoutNote(action) : outcome === 'nothing-open' ? 'unchanged' : 'done';
  return { action, result, alertId, written };
}

/** What became of a call whose note has no place any more. */
const withoutNote = (action: Action): Result => (action === 'AddNote' ? 'full' : 'unnoted');

/** By what a call with an `Idempotency-Key` is recognised when it comes again. */
function deliveryOf({ idempotencyKey, call, body }: Change): IncomingEvent['delivery'] {
  if (idempotencyKey === undefined || idempotencyKey === '') return undefined;
  return {
    keyHash: hash('sha256', boundedKey(idempotencyKey)),
    bodyHash: hash('sha256', `${call.operation} ${call.name} ${String(call.query)} ${body.text}`),
  };
}

/** An alert that a member has is theirs to return, unless this source gave it to them; of others it is the sender's word. */
async function unacknowledge(deps: ChangeDeps, change: Change, command: Command): Promise<Changed> {
  const { reads } = deps.database;
  const { source, call } = change;
  const alertId = await findAlertId(reads, source.id, call.name, identifierTypeOf(call));
  const [alert] = alertId === undefined ? [] : await readAlerts(reads, source.id, [alertId]);
  if (!alert || alert.ownerId === null) return writeReport(deps, change, UNACKNOWLEDGED);
  const returned = await runCommand(deps, change, command);
  if (returned.result !== 'done' || alert.state !== 'acknowledged') return returned;
  return writeReport(deps, change, UNACKNOWLEDGED, null);
}

const UNACKNOWLEDGED: Report = { action: 'UnAcknowledge', event: { ...AMENDED, amends: { state: 'firing' } } };

/** Gives a command as the source: what stands behind it is held until the transaction ends. */
async function runCommand({ database }: ChangeDeps, change: Change, { action, requested }: Command): Promise<Changed> {
  const { source, secretId, call, remoteAddress } = change;
  const alertId = await findAlertId(database.reads, source.id, call.name, identifierTypeOf(call));
  if (alertId === undefined) return { action, result: 'missing', alertId: null };
  if (source.pausedAt !== null) return { action, result: 'paused', alertId };
  const sender = { id: source.id, name: source.name, secretId };
  const note = noteOf(change);
  const done = await database.transaction(async (tx) => {
    if (!(await findValidSenders(tx, [{ source: sender }])).has(secretId)) throw badApiKey();
    const changed = await changeAsSource(tx, { actor: actorOf(source), ip: remoteAddress }, alertId, requested);
    const isNoted = note !== undefined && action !== 'Delete' && changed && RESULT_OF[changed.outcome] !== undefined;
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
