import type { TicketState } from '#backend/contract/ticket.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { templateOf } from '#backend/outgoing/destinations/ticket-template.ts';
import { type RemoteTicket, type RenderedRequest, below, json, objectOf } from './kind.ts';
import { PAGE_BYTES, TICKET_BYTES, type TicketModule, get, listIn, textOf } from './ticket.ts';
import { explainTicket, renderTicket } from './ticket-module.ts';

/** https://docs.zammad.org/en/latest/api/intro.html#authentication */
const headersOf = ({ secrets }: Target): Record<string, string> => ({
  Authorization: `Token token=${secrets.token}`,
});

const api = (target: Target, path: string): string => below(target.url, `api/v1/${path}`);

const write = (target: Target, path: string, body: object, method: 'POST' | 'PUT' = 'POST'): RenderedRequest => ({
  ...json(api(target, path), body, headersOf(target)),
  method,
  keepBytes: TICKET_BYTES,
});

function ticketIn(target: Target, found: Record<string, unknown> | undefined): RemoteTicket | undefined {
  const [id, number] = [textOf(found?.['id']), textOf(found?.['number'])];
  if (!/^\d+$/.test(id)) return undefined;
  return { remote: id, key: `#${number === '' ? id : number}`, url: below(target.url, `#ticket/zoom/${id}`) };
}

const closedAs = (target: Target): string => templateOf('zammad', target.ticketTemplates, 'closeAs') || 'closed';

/** With `expand` states are said by their names (https://docs.zammad.org/en/latest/api/intro.html#response-payloads-expand). */
const stateOf = (target: Target, found: Record<string, unknown> | undefined): 'open' | 'closed' =>
  ['closed', 'merged', 'removed', closedAs(target)].includes(textOf(found?.['state'])) ? 'closed' : 'open';

/** Articles are plain text. */
const article = (body: string) => ({ body, type: 'note', internal: true, content_type: 'text/plain' });

/** Tickets of Zammad (https://docs.zammad.org/en/latest/api/ticket/index.html). */
export const zammadKind: TicketModule = {
  label: 'Zammad',
  isForPeople: false,
  pauseMs: 0,
  render: (target, message) => renderTicket(zammadKind, target, message),
  explain: (status, body) =>
    explainTicket('Zammad', 'the permission ticket.agent, and create, change and read in the group', status, body),
  ticket: {
    limits: { summary: 250, description: 100_000, comment: 100_000 },
    priorities: {
      critical: '3 high',
      high: '3 high',
      warning: '2 normal',
      low: '1 low',
      info: '1 low',
      none: '2 normal',
    },
    escape: (text) => text,
    markLine: (marker) => `Alertdesk reference: ${marker}`,
    // The search goes by Elasticsearch, which is written to by a background job.
    settleMs: 30_000,
    create: (target, { summary, description, fields, marker }) =>
      write(target, 'tickets?expand=true', {
        title: summary,
        group: fields.group ?? 'Users',
        // Without one the ticket is of whom the token is of.
        ...(fields.customer !== undefined && { customer_id: `guess:${fields.customer}` }),
        ...(fields.priority !== undefined && { priority: fields.priority }),
        note: marker,
        article: { subject: summary, ...article(description) },
      }),
    created: (target, body) => ticketIn(target, objectOf(body)),
    find: (target, marker) =>
      get(
        api(target, `tickets/search?${new URLSearchParams({ query: marker, limit: '10', expand: 'true' })}`),
        headersOf(target),
        PAGE_BYTES,
      ),
    found: (target, body, marker) =>
      ticketIn(
        target,
        listIn(body).find((one) => one['note'] === marker),
      ),
    comment: (target, remote, text) =>
      write(target, 'ticket_articles', { ticket_id: Number(remote), ...article(text) }),
    comments: (target, remote) =>
      get(api(target, `ticket_articles/by_ticket/${remote}`), headersOf(target), PAGE_BYTES),
    commentsOf: (body) =>
      listIn(body).map((one) => ({ text: textOf(one['body']), at: Date.parse(textOf(one['created_at'])) })),
    look: (target, remote) => get(api(target, `tickets/${remote}?expand=true`), headersOf(target), TICKET_BYTES),
    stateOf: (target, body) => stateOf(target, objectOf(body)),
    move: (target, remote, { to }) =>
      write(target, `tickets/${remote}`, { state: to === 'closed' ? closedAs(target) : 'open' }, 'PUT'),
    askedAtOnce: 1,
    ask: (target, [remote = '']) => get(api(target, `tickets/${remote}?expand=true`), headersOf(target), TICKET_BYTES),
    answered: (target, body, [remote = '']) =>
      new Map<string, TicketState>([[remote, stateOf(target, objectOf(body))]]),
  },
};
