import { IsNull } from 'typeorm';
import type { TicketField } from '#backend/contract/ticket.ts';
import type { DestinationDraft, OutgoingPreview } from '#backend/contract/outgoing.ts';
import type { OutgoingTestResult } from '#backend/contract/outgoing-test.ts';
import type { Author } from '#backend/identity/audit/audit-log.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { AlertEntity } from '#backend/alerts/alert/alert.ts';
import { findAlert } from '#backend/alerts/alert/alert-store.ts';
import { findAcceptedAt } from '#backend/alerts/alert/history.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { NO_PARTS, applyFields, faultyTemplates } from '#backend/outgoing/destinations/check-fields.ts';
import { type DestinationDeps, noSuchDestination } from '#backend/outgoing/destinations/destination-commands.ts';
import type { Deliver } from '#backend/outgoing/destinations/deliver.ts';
import {
  DestinationEntity,
  type Target,
  mayHear,
  openSecrets,
  readSettings,
} from '#backend/outgoing/destinations/destination-entity.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import { previewOf } from '#backend/outgoing/destinations/kinds/ticket-module.ts';
import { readableBody } from '#backend/outgoing/destinations/kinds/kind.ts';
import { SAMPLE_ALERT, type SentAlert, contentOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';

/** Dependencies of a test message. */
export interface TryDeps extends DestinationDeps {
  deliver: Deliver;
  publicUrl: URL | undefined;
}

/** An event that a preview shows, as its own person does it. */
const NOTE = 'The disk was extended by 20 GB. Watching it until noon.';

/** The destination as it is written, with the stored secrets where none are. */
async function targetOfDraft(deps: TryDeps, draft: DestinationDraft): Promise<Target> {
  const { destinationId, kind, name } = draft;
  const stored =
    destinationId === undefined
      ? undefined
      : await deps.database.reads.getRepository(DestinationEntity).findOneBy({ id: destinationId, ownerId: IsNull() });
  if (destinationId !== undefined && !stored) throw noSuchDestination();
  if (stored && stored.kind !== kind) {
    const message = 'The kind of a destination stays as it is.';
    throw unacceptable(message, [{ path: 'kind', message }]);
  }
  const before = stored
    ? { settings: readSettings(stored), secrets: openSecrets(deps.sealing, stored) ?? {} }
    : NO_PARTS;
  const { settings, secrets } = applyFields(deps, kind, before, draft);
  return { ...settings, secrets, id: stored?.id ?? '', kind, name, oldSecretUntil: stored?.oldSecretUntil ?? null };
}

/** The alert that a destination is tried with: the one that is named, the newest that it may be sent, or a made-up one. */
async function alertFor(
  { database: { reads } }: TryDeps,
  target: Target,
  alertId: string | undefined,
): Promise<{ alert: SentAlert; id: string | null }> {
  const newest = await reads
    .getRepository(AlertEntity)
    .find({ select: { id: true, customer: true }, order: { id: 'DESC' }, take: 100 });
  const id = alertId ?? newest.find(({ customer }) => mayHear(target, customer))?.id;
  const alert = id === undefined ? null : await findAlert(reads, id);
  if (!alert) {
    if (alertId !== undefined)
      throw unacceptable('The alert is gone. Choose another one.', [{ path: 'alertId', message: 'is gone' }]);
    return { alert: { ...SAMPLE_ALERT, receivedAt: Date.now() }, id: null };
  }
  if (!mayHear(target, alert.customer)) {
    const message = 'This destination may not be sent alerts of this customer.';
    throw unacceptable(message, [{ path: 'alertId', message }]);
  }
  const names = await findDisplayNames(reads, alert.ownerId === null ? [] : [alert.ownerId]);
  const acceptedAt = alert.ownerId === null ? null : ((await findAcceptedAt(reads, [alert.id])).get(alert.id) ?? null);
  return { alert: { ...alert, ownerName: names.get(alert.ownerId ?? '') ?? null, acceptedAt }, id: alert.id };
}

async function prepare(deps: TryDeps, draft: DestinationDraft, by: string) {
  const target = await targetOfDraft(deps, draft);
  const { alert, id } = await alertFor(deps, target, draft.alertId);
  const note = draft.event === 'note' ? { author: by, text: NOTE } : undefined;
  const payload = contentOf(alert, { event: draft.event, at: Date.now(), by, note, isTest: true }, deps.publicUrl);
  return { target, payload, alertId: id };
}

/** The message that a destination would be sent, drawn from the very request. @throws {ProblemError} 404, 422 */
export async function previewMessage(deps: TryDeps, draft: DestinationDraft, by: string): Promise<OutgoingPreview> {
  const faults = faultyTemplates(draft.ticketTemplates);
  const { target, payload, alertId } = await prepare(deps, withoutTemplates(draft, faults), by);
  // A template may name its secret, and buttons are signed with theirs. In ASCII, as headers are.
  const { token, actionSecret } = target.secrets;
  const secrets = {
    ...target.secrets,
    ...(token !== undefined && { token: '****' }),
    ...(actionSecret !== undefined && { actionSecret: '****' }),
  };
  const rendered = KINDS[target.kind].render({ ...target, secrets }, { id: newId(), payload, now: Date.now() });
  const { ticket, ...kind } = KINDS[target.kind];
  const words = ticket ? previewOf({ ...kind, ticket }, target, payload) : wordsOf(payload);
  return { ...words, body: readableBody(rendered), alertId, ...(faults.length > 0 && { faults }) };
}

/** Where templates cannot be read yet, the rest is shown. */
const withoutTemplates = (draft: DestinationDraft, faults: readonly { field: TicketField }[]): DestinationDraft =>
  faults.length === 0
    ? draft
    : {
        ...draft,
        ticketTemplates: Object.fromEntries(
          Object.entries(draft.ticketTemplates ?? {}).filter(([name]) => faults.every(({ field }) => field !== name)),
        ),
      };

/** Sends a message to a destination as it is written, saved or not, at once and without a receipt. @throws {ProblemError} 404, 422 */
export async function testDestination(
  deps: TryDeps,
  draft: DestinationDraft,
  { author, displayName }: { author: Author; displayName: string },
): Promise<OutgoingTestResult> {
  const { target, payload } = await prepare(deps, draft, displayName);
  // The entry has the message's id, by which what is reported of its ticket is known.
  const id = newId();
  await onBehalfOf(deps.database, author).transaction((tx) =>
    addAudit(tx, author, 'destination_tested', target.name, { detail: KINDS[target.kind].label, id }),
  );
  const tried = await deps.deliver(target, { id, payload }, new AbortController().signal);
  const { answer, durationMs } = tried;
  const isDelivered = tried.outcome === 'sent';
  return {
    isDelivered,
    durationMs,
    message: isDelivered ? deliveredText(target, tried) : sentenceOf(answer),
    answer,
  };
}

type Delivered = Extract<Awaited<ReturnType<Deliver>>, { outcome: 'sent' }>;

/** What a test did: in a ticket system, more than a message. */
function deliveredText({ kind }: Target, { answer, missed, durationMs }: Delivered): string {
  if (KINDS[kind].ticket) return `${answer}, after ${durationMs} ms.`;
  const but = missed === undefined ? '' : `, but not to ${missed}`;
  return `Delivered after ${durationMs} ms${but}. Its title starts with "Test".`;
}

/** "404: The webhook was deleted." is said without the number, which is in the answer. */
function sentenceOf(answer: string): string {
  const explained = /^\d{3}: ([A-Z].*)$/.exec(answer)?.[1];
  const text = explained ?? `It was not delivered: ${answer}`;
  return text.endsWith('.') ? text : `${text}.`;
}
