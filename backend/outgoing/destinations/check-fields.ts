import { randomBytes } from 'node:crypto';
import { type KindField, factsOf } from '#backend/contract/destination-kinds.ts';
import type { DestinationKind, NewDestination } from '#backend/contract/outgoing.ts';
import { type InputError, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { type Network, faultOfAddress } from './address-rule.ts';
import {
  type DestinationSecrets,
  type DestinationSettings,
  HINTED_SECRETS,
  NO_SETTINGS,
} from './destination-entity.ts';
import { TICKET_TEMPLATES, type TicketField, type TicketTemplates, isTicketSystem } from '#backend/contract/ticket.ts';
import { KINDS } from './kinds/all-kinds.ts';
import { faultOfTemplate } from './ticket-template.ts';

/** What an administrator writes of a destination: absent fields stay as they are. */
export type WrittenFields = Partial<
  Pick<NewDestination, KindField | 'customers' | 'ticketTemplates' | 'completesAlert'>
>;

/** A destination before and after what was written. */
export interface DestinationParts {
  settings: DestinationSettings;
  secrets: DestinationSecrets;
}

export const NO_PARTS: DestinationParts = {
  settings: NO_SETTINGS,
  secrets: {},
};

/** Dependencies of the check. */
export interface CheckDeps {
  /** Where destinations may be, beside the public internet. */
  networks: readonly Network[];
  isMailConfigured: boolean;
}

/** What people call fields, by kind where that differs. */
const LABELS: Record<KindField, string> = {
  url: 'address',
  method: 'method',
  headers: 'headers',
  template: 'template',
  topic: 'topic',
  room: 'room',
  account: 'account',
  token: 'token',
  appToken: 'app-level token',
  requestSecret: 'signing secret',
  recipients: 'recipients',
};

/** Secrets that the server at the address is sent as they are. */
const SENT_SECRETS = ['token', 'appToken'] as const satisfies KindField[];

/**
 * A destination as it becomes with what was written.
 *
 * @throws {ProblemError} 422 with each field that is missing, is not one of the kind's, or leads where no message may go
 */
export function applyFields(
  deps: CheckDeps,
  kind: DestinationKind,
  { settings, secrets }: DestinationParts,
  written: WrittenFields,
): DestinationParts {
  const { fields, isAddressSecret = false, isSigned = false } = factsOf(kind);
  const { fieldNames = {}, faultOf, faultsOf, hasActionSecret, label } = KINDS[kind];
  const errors: InputError[] = [];
  for (const field of Object.keys(LABELS) as KindField[]) {
    const value = written[field];
    if (value === undefined || value.length === 0) continue;
    if (fields[field] === undefined) {
      errors.push({ path: field, message: `A destination of the kind ${label} has no ${LABELS[field]}.` });
    }
    const fault = typeof value === 'string' ? faultOf?.(field, value) : undefined;
    if (fault !== undefined) errors.push({ path: field, message: fault });
  }
  for (const error of faultsOfTicket(kind, written)) errors.push(error);
  const fault = written.url === undefined ? undefined : faultOfAddress(written.url, deps.networks);
  if (fault !== undefined) errors.push({ path: 'url', message: asSentence('The address', fault) });
  if (isOtherServer(settings.url, written.url)) {
    for (const field of SENT_SECRETS) {
      if (secrets[field] === undefined || written[field] !== undefined) continue;
      errors.push({
        path: field,
        message: `Enter the ${LABELS[field]} again: the address is another server’s.`,
      });
    }
  }
  if (kind === 'mail' && !deps.isMailConfigured) {
    errors.push({ path: 'kind', message: 'No mail server is configured. The operator has to set SMTP_URL.' });
  }
  const after: DestinationParts = {
    settings: {
      url: isAddressSecret ? null : (written.url ?? settings.url),
      gatewayId: settings.gatewayId,
      method: written.method ?? settings.method,
      headers: written.headers ?? settings.headers,
      template: written.template ?? settings.template,
      topic: written.topic ?? settings.topic,
      room: written.room ?? settings.room,
      account: written.account ?? settings.account,
      recipients: written.recipients ?? settings.recipients,
      customers: written.customers ?? settings.customers,
      ticketTemplates: written.ticketTemplates ?? settings.ticketTemplates,
      completesAlert: written.completesAlert ?? settings.completesAlert,
    },
    secrets: {
      ...secrets,
      ...(isAddressSecret && written.url !== undefined && { url: written.url }),
      ...(written.token !== undefined && { token: written.token }),
      ...Object.fromEntries(
        HINTED_SECRETS.filter((name) => written[name] !== undefined).map((name) => [name, written[name]]),
      ),
      ...(hasActionSecret &&
        secrets.actionSecret === undefined && { actionSecret: randomBytes(32).toString('base64url') }),
      ...(isSigned && secrets.signingSecret === undefined && { signingSecret: newSigningSecret() }),
    },
  };
  for (const name of ['token', ...HINTED_SECRETS] as const) {
    if (after.secrets[name] === '') delete after.secrets[name];
  }
  const isThere: Record<KindField, boolean> = {
    url: (isAddressSecret ? after.secrets.url : after.settings.url) !== (isAddressSecret ? undefined : null),
    method: after.settings.method !== null,
    headers: after.settings.headers !== null,
    template: after.settings.template !== null,
    topic: (after.settings.topic ?? '') !== '',
    room: (after.settings.room ?? '') !== '',
    account: (after.settings.account ?? '') !== '',
    token: after.secrets.token !== undefined,
    appToken: after.secrets.appToken !== undefined,
    requestSecret: after.secrets.requestSecret !== undefined,
    recipients: after.settings.recipients.length > 0,
  };
  for (const [field, need] of Object.entries(fields) as [KindField, string][]) {
    if (need === 'required' && !isThere[field]) {
      errors.push({
        path: field,
        message: `A destination of the kind ${label} needs its ${fieldNames[field] ?? LABELS[field]}.`,
      });
    }
  }
  errors.push(...(faultsOf?.(after.settings) ?? []));
  if (errors.length > 0) throw unacceptable(errors.map(({ message }) => message).join(' '), errors);
  return after;
}

/** What is wrong with the templates of tickets, each at its field. */
function faultsOfTicket(kind: DestinationKind, { ticketTemplates, completesAlert }: WrittenFields): InputError[] {
  if (!isTicketSystem(kind)) {
    const isGiven = Object.keys(ticketTemplates ?? {}).length > 0 || completesAlert !== undefined;
    return isGiven
      ? [{ path: 'ticketTemplates', message: `A destination of the kind ${KINDS[kind].label} has no tickets.` }]
      : [];
  }
  const unknown = Object.keys(ticketTemplates ?? {})
    .filter((field) => TICKET_TEMPLATES[kind][field as TicketField] === undefined)
    .map((field) => ({
      path: `ticketTemplates.${field}`,
      message: `Tickets of the kind ${KINDS[kind].label} have no such field.`,
    }));
  const faulty = faultyTemplates(ticketTemplates).map(({ field, message }) => ({
    path: `ticketTemplates.${field}`,
    message,
  }));
  return [...unknown, ...faulty];
}

/** Templates of tickets that cannot be read. */
export const faultyTemplates = (templates: TicketTemplates = {}): { field: TicketField; message: string }[] =>
  Object.entries(templates).flatMap(([field, template]) => {
    const message = faultOfTemplate(template);
    return message === undefined ? [] : [{ field: field as TicketField, message }];
  });

/** A secret of the Standard Webhooks specification: 24 to 64 random bytes in base64, here 32. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** Last four characters of the secret that people know a destination by. */
export const hintOf = ({ url, token, signingSecret }: DestinationSecrets): string | null =>
  (signingSecret ?? token ?? url)?.slice(-4).toWellFormed() ?? null;

/** Last four characters of the secrets beside it, as JSON; null where there are none. */
export function otherHintsOf(secrets: DestinationSecrets): string | null {
  const hints = HINTED_SECRETS.flatMap((name) => {
    const hint = secrets[name]?.slice(-4).toWellFormed();
    return hint === undefined ? [] : [[name, hint] as const];
  });
  return hints.length === 0 ? null : JSON.stringify(Object.fromEntries(hints));
}

const isOtherServer = (before: string | null, written: string | null | undefined): boolean =>
  before !== null && typeof written === 'string' && new URL(before).origin !== new URL(written).origin;

/** What decides, beside the server, in which place of a chat messages are. */
const PLACE = ['room', 'topic', 'account'] as const satisfies KindField[];

/**
 * Whether what a service calls messages and tickets names nothing any more. A message in a chat stays where it was posted; a
 * ticket is named wherever its system is asked from.
 */
export function isElsewhere(kind: DestinationKind, before: DestinationParts, after: DestinationParts): boolean {
  if (isOtherServer(before.settings.url, after.settings.url)) return true;
  const { live } = KINDS[kind];
  if (live === undefined) return false;
  // The other services answer that this bot may not change the message.
  if (live.botOf && live.botOf(before.secrets.token ?? '') !== live.botOf(after.secrets.token ?? '')) return true;
  const isMoved = PLACE.some((field) => (before.settings[field] ?? '') !== (after.settings[field] ?? ''));
  return isMoved || before.secrets.url !== after.secrets.url;
}

const asSentence = (subject: string, fault: string): string => (fault.endsWith('.') ? fault : `${subject} ${fault}.`);
