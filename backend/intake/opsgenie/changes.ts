import { NO_EXTRA_DATA } from '#backend/intake/adapters/specified-fields.ts';
import { boundedKey, titleLine } from '#backend/intake/reading/bounded-text.ts';
import type { IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';
import { policyOf } from '#backend/intake/webhooks/deliver.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import type { Action, Result } from './answers.ts';
import { type Change, type ChangeDeps, type Changed, deliveryOf, noteOf, withoutNote } from './asked-change.ts';
import { type Body, identifierTypeOf, listIn } from './call.ts';
import { type Command, commandOf, findEarlier, giveCommand, runCommand } from './commands.ts';
import {
  addDetails,
  addTags,
  keep,
  memberText,
  removeDetails,
  removeTags,
  setField,
} from '#backend/intake/adapters/opsgenie-payload.ts';
import { PRIORITIES } from './present.ts';
import { findAlertId, readAlerts } from './read-alerts.ts';

/** A change that the sender reports of its own alert. */
interface Report {
  action: Action;
  event: Pick<IncomingEvent, 'state'> & Partial<IncomingEvent>;
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

async function writeReport(deps: ChangeDeps, change: Change, { action, event }: Report): Promise<Changed> {
  const note = noteOf(change);
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
        ...(note !== undefined && { note }),
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

/** An alert that a member has is theirs to return, unless this source gave it to them; of others it is the sender's word. */
async function unacknowledge(deps: ChangeDeps, change: Change, command: Command): Promise<Changed> {
  const { reads } = deps.database;
  const { source, call } = change;
  const alertId = await findAlertId(reads, source.id, call.name, identifierTypeOf(call));
  const [alert] = alertId === undefined ? [] : await readAlerts(reads, source.id, [alertId]);
  if (!alert || alert.ownerId === null) return writeReport(deps, change, UNACKNOWLEDGED);
  if (alert.state !== 'acknowledged') return runCommand(deps, change, command);
  const earlier = await findEarlier(deps, change, command.action);
  if (earlier) return earlier;
  const returned = await giveCommand(deps, change, command);
  // The report has the note and the key: where it fails, the same call again finds nobody's alert and reports that.
  const isReturned = returned.result === 'done' || returned.result === 'unchanged';
  return isReturned ? writeReport(deps, change, UNACKNOWLEDGED) : returned;
}

const UNACKNOWLEDGED: Report = { action: 'UnAcknowledge', event: { ...AMENDED, amends: { state: 'firing' } } };
