import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import type { TicketField } from '#backend/contract/ticket.ts';
import type { MessageWords } from '#backend/outgoing/destinations/message-content.ts';
import type { RenderedMessage, RenderedRequest } from './kind.ts';
import { objectOf } from './kind.ts';
import { type TicketModule, commentOf, memberOf, objectsIn, textOf, ticketOf } from './ticket.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';

/** Events by which a problem has a ticket: a note or an end of a problem without one makes none. */
export const MAKES_TICKET: ReadonlySet<string> = new Set(['new', 'escalated', 'accepted']);

/** What a message is sent as, for its preview: the ticket, or the comment that follows. */
export function renderTicket(kind: TicketModule, target: Target, message: RenderedMessage): RenderedRequest {
  const { payload } = message;
  return payload.type === 'alert.note' || payload.type === 'alert.completed'
    ? kind.ticket.comment(target, '0', commentOf(kind, payload))
    : kind.ticket.create(target, ticketOf(kind, target, payload));
}

/** What a field of a ticket is called in its preview. */
const FIELD_LABELS: Record<TicketField, string> = {
  summary: 'Summary',
  description: 'Description',
  issueType: 'Issue type',
  priority: 'Priority',
  labels: 'Labels',
  assignees: 'Assignees',
  urgency: 'Urgency',
  impact: 'Impact',
  group: 'Group',
  customer: 'Customer',
  closeAs: 'Closed as',
};

/** The ticket, or the comment that follows, as people read it there. */
export function previewOf(kind: TicketModule, target: Target, payload: OutgoingPayload): MessageWords {
  // People see no marks before what would be marks.
  const shown = { ...kind, ticket: { ...kind.ticket, escape: (text: string) => text, markLine: () => '' } };
  const ticket = ticketOf(shown, target, payload);
  const isComment = payload.type === 'alert.note' || payload.type === 'alert.completed';
  const text = isComment ? commentOf(shown, payload) : ticket.description;
  const fields = isComment ? [] : (Object.entries(ticket.fields) as [TicketField, string][]);
  return {
    title: ticket.summary,
    lines: [text.trim()],
    fields: fields.map(([field, value]) => ({ name: FIELD_LABELS[field], value })),
    link: payload.data.alert.link,
  };
}

/** What a ticket system's answer means and what can be done. @param rights what the token has to be allowed */
export function explainTicket(system: string, rights: string, status: number, body: string): string | undefined {
  const said = saidIn(body);
  const because = said === '' ? '' : ` ${system} says: ${said}`;
  if (status === 401) return `The token is wrong or has ended. Make another one and enter it.${because}`;
  if (status === 403) return `The token is not allowed this. It needs: ${rights}.${because}`;
  if (status === 404)
    return `${system} does not know the project or the ticket, or the token may not see it.${because}`;
  if (status === 410) return `The project takes no tickets.${because}`;
  if (status === 400 || status === 422) return `${system} does not take a field.${because || ' Check the templates.'}`;
  return undefined;
}

/** Most characters of what a system says of an error. */
const MAX_SAID = 200;

/** What went wrong, as the systems say it: of Jira, ServiceNow, GitHub, GitLab and Zammad each in another member. */
function saidIn(body: string): string {
  const answer = objectOf(body);
  const error = answer?.['error'];
  const said = [
    ...(Array.isArray(answer?.['errorMessages']) ? answer['errorMessages'] : []),
    ...named(answer?.['errors']),
    ...(typeof error === 'string' ? [error] : []),
    memberOf(answer, 'error')?.['message'],
    memberOf(answer, 'error')?.['detail'],
    ...(typeof answer?.['message'] === 'string' ? [answer['message']] : named(answer?.['message'])),
    ...objectsIn(answer?.['errors']).map((one) => one['message'] ?? `${textOf(one['field'])} ${textOf(one['code'])}`),
  ];
  const texts = said.map(textOf).filter((text) => text !== '');
  return texts.join(', ').replaceAll(/\s+/g, ' ').slice(0, MAX_SAID);
}

/** Errors by their field, as in `{"priority": "is not valid"}`. */
const named = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).map(([field, what]) => `${field}: ${Array.isArray(what) ? what.join(', ') : textOf(what)}`)
    : [];
