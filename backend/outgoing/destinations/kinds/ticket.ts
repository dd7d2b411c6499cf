import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { TICKET_TEMPLATES, type TicketField, isTicketSystem } from '#backend/contract/ticket.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { cardOf } from '#backend/outgoing/destinations/message-content.ts';
import { fill, templateOf, valuesOf } from '#backend/outgoing/destinations/ticket-template.ts';
import {
  type KindModule,
  type NewTicket,
  type RenderedRequest,
  type TicketKind,
  objectOf,
  outsideAddresses,
} from './kind.ts';

/** A kind of destination that is a ticket system. */
export type TicketModule = KindModule & { ticket: TicketKind };

/** By what the ticket of an alert is known again: one word, which every search takes as one. */
export const markerOf = (alertId: string): string => `alertdesk${alertId.replaceAll('-', '')}`;

/** The same of a ticket that only tries the destination, which is no alert's. */
export const testMarkerOf = (messageId: string): string => `alertdesktest${messageId.replaceAll('-', '')}`;

/** A severity as 1, 2 or 3, as ITIL counts urgency. */
const URGENCIES: Record<AlertSeverity, string> = {
  critical: '1',
  high: '1',
  warning: '2',
  low: '3',
  info: '3',
  none: '3',
};

const plain = (text: string): string => text;

/** The ticket of a problem, by the templates of the destination. The link and the marker are in it whatever they say. */
export function ticketOf(
  { ticket }: TicketModule,
  target: Target,
  payload: OutgoingPayload,
  marker = markerOf(payload.data.alert.id),
): NewTicket {
  const { limits, priorities, escape } = ticket;
  const { alert } = payload.data;
  const system = isTicketSystem(target.kind) ? target.kind : 'jira';
  const values = valuesOf(payload, { priority: priorities[alert.severity], urgency: URGENCIES[alert.severity] });
  const of = (field: TicketField, marks = plain): string =>
    fill(templateOf(system, target.ticketTemplates, field), values, marks);
  const summary = of('summary').replaceAll(/\s+/g, ' ');
  const written = of('description', escape);
  const end = [
    ...(alert.link === null || written.includes(alert.link) ? [] : [alert.link]),
    ticket.markLine(marker),
  ].join('\n');
  const fields = (Object.keys(TICKET_TEMPLATES[system]) as TicketField[])
    .filter((field) => field !== 'summary' && field !== 'description')
    .map((field) => [field, of(field)] as const)
    .filter(([, text]) => text !== '');
  return {
    summary: cutUnits(payload.isTest ? `Test: ${summary}` : summary, limits.summary),
    description: `${cutUnits(written, limits.description - end.length - 2)}\n\n${end}`,
    fields: Object.fromEntries(fields),
    marker,
  };
}

/** What happened, as a comment says it. Texts of others have no marks. @param wasClosed the ticket is opened again */
export function commentOf({ ticket }: TicketModule, payload: OutgoingPayload, wasClosed = false): string {
  const { escape, limits } = ticket;
  const { by, note, alert } = payload.data;
  const card = cardOf(payload);
  const who = (name: string | null): string => (name === null ? '' : ` by ${escape(name)}`);
  const text = {
    'alert.new': `${wasClosed ? 'The problem is back' : 'Still there'}: ${escape(card.news)}`,
    'alert.escalated': `Now ${alert.severity}: ${escape(alert.title)}`,
    'alert.accepted': `Accepted${who(by ?? alert.owner)} in ${PRODUCT_NAME}.`,
    'alert.completed': by === null ? 'Resolved by its sender.' : `Completed${who(by)} in ${PRODUCT_NAME}.`,
    'alert.note': note ? `${escape(note.author)}: ${escape(note.text)}` : escape(card.news),
  }[payload.type];
  return cutUnits(text, limits.comment);
}

/** A text of at most so many units of UTF-16, as most systems count. */
const cutUnits = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;

/** Shows Markdown (https://github.github.com/gfm/) as it is written: no marks, no names that are notified, no links to other tickets. */
export const escapeMarkdown = (text: string): string =>
  outsideAddresses(text, (part) =>
    part
      .replaceAll(/[\\`*_{}[\]<>|~]/g, String.raw`\$&`)
      .replaceAll(/[@#!&%$](?=[\w"])/g, '$&\u200B')
      // A line that begins so is a command of GitLab, a heading, a list or a rule.
      .replaceAll(/^([ \t]*)([/#=+-])/gm, String.raw`$1\$2`),
  );

/** Words of a field that names several things, separated by commas. */
export const listOf = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** A member of a JSON object that is an object, too. */
export const memberOf = (
  body: Record<string, unknown> | undefined,
  name: string,
): Record<string, unknown> | undefined => {
  const value = body?.[name];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
};

/** The objects of a JSON array; none where a body is no array. */
export const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value)
    ? value.filter((one): one is Record<string, unknown> => typeof one === 'object' && one !== null)
    : [];

export const listIn = (body: string): Record<string, unknown>[] => objectsIn(objectOf(body));

/** A number or text of an answer as text; empty where it is neither. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** A request without a body. */
export const get = (url: string, headers: Record<string, string>, keepBytes?: number): RenderedRequest => ({
  via: 'http',
  method: 'GET',
  url,
  headers: { Accept: 'application/json', ...headers },
  body: '',
  ...(keepBytes !== undefined && { keepBytes }),
});

/** Of the answer to one ticket so much is read, in bytes: its description is in it. */
export const TICKET_BYTES = 512 * 1024;
/** Of an answer with many tickets or comments. */
export const PAGE_BYTES = 4 * 1024 * 1024;

/** A name in the way of HTTP Basic (RFC 7617), or a bearer token (RFC 6750) where there is no name. */
export const signIn = ({ account, secrets }: Target): Record<string, string> => ({
  Authorization:
    account === null || account === ''
      ? `Bearer ${secrets.token}`
      : `Basic ${Buffer.from(`${account}:${secrets.token}`).toString('base64')}`,
});
