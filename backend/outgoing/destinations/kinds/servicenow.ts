import type { TicketState } from '#backend/contract/ticket.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { templateOf } from '#backend/outgoing/destinations/ticket-template.ts';
import { type RemoteTicket, type RenderedRequest, below, json, objectOf } from './kind.ts';
import { PAGE_BYTES, TICKET_BYTES, type TicketModule, get, memberOf, objectsIn, signIn, textOf } from './ticket.ts';
import { explainTicket, renderTicket } from './ticket-module.ts';

/** What is read of an incident. */
const FIELDS = 'sys_id,number,state,active';

/** Resolved, Closed and Canceled, as incidents of every instance count their states. */
const CLOSED = new Set(['6', '7', '8']);
const IN_PROGRESS = '2';
const RESOLVED = '6';

const table = (target: Target, path: string, query: Record<string, string>): string =>
  `${below(target.url, `api/now/table/${path}`)}?${new URLSearchParams(query)}`;

const write = (target: Target, id: string | null, body: object): RenderedRequest => ({
  ...json(table(target, id === null ? 'incident' : `incident/${id}`, { sysparm_fields: FIELDS }), body, {
    Accept: 'application/json',
    ...signIn(target),
  }),
  ...(id !== null && { method: 'PATCH' }),
  keepBytes: TICKET_BYTES,
});

function ticketIn(target: Target, record: Record<string, unknown> | undefined): RemoteTicket | undefined {
  const [id, number] = [textOf(record?.['sys_id']), textOf(record?.['number'])];
  if (!/^[0-9a-f]{32}$/.test(id)) return undefined;
  return { remote: id, key: number === '' ? id : number, url: below(target.url, `incident.do?sys_id=${id}`) };
}

const stateOf = (record: Record<string, unknown> | undefined): 'open' | 'closed' =>
  CLOSED.has(textOf(record?.['state'])) || record?.['active'] === 'false' ? 'closed' : 'open';

/** "YYYY-MM-DD hh:mm:ss" in UTC, as the Table API says times unless it is asked for what people see. */
const timeOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

/**
 * Incidents of ServiceNow, by the Table API
 * (https://www.servicenow.com/docs/r/api-reference/rest-apis/c_TableAPI.html).
 */
export const servicenowKind: TicketModule = {
  label: 'ServiceNow',
  fieldNames: { account: 'user name', token: 'password or token' },
  isForPeople: false,
  pauseMs: 0,
  render: (target, message) => renderTicket(servicenowKind, target, message),
  explain: (status, body) =>
    explainTicket('ServiceNow', 'the role itil, or rights to create, read and write incidents', status, body),
  ticket: {
    limits: { summary: 160, description: 4_000, comment: 4_000 },
    priorities: { critical: '1', high: '2', warning: '3', low: '4', info: '5', none: '5' },
    // What stands between [code] and [/code] in a journal is shown as HTML.
    escape: (text) => text.replaceAll(/\[(?=\/?code\])/gi, '[\u200B'),
    markLine: (marker) => `Alertdesk reference: ${marker}`,
    settleMs: 0,
    create: (target, { summary, description, fields, marker }) =>
      write(target, null, {
        short_description: summary,
        description,
        correlation_id: marker,
        correlation_display: PRODUCT_NAME,
        ...(fields.urgency !== undefined && { urgency: fields.urgency }),
        ...(fields.impact !== undefined && { impact: fields.impact }),
        ...(fields.group !== undefined && { assignment_group: fields.group }),
      }),
    created: (target, body) => ticketIn(target, memberOf(objectOf(body), 'result')),
    find: (target, marker) =>
      get(
        table(target, 'incident', {
          sysparm_query: `correlation_id=${marker}^ORDERBYsys_created_on`,
          sysparm_fields: FIELDS,
          sysparm_limit: '1',
        }),
        signIn(target),
        TICKET_BYTES,
      ),
    found: (target, body) => ticketIn(target, objectsIn(objectOf(body)?.['result'])[0]),
    comment: (target, remote, text) => write(target, remote, { work_notes: text }),
    comments: (target, remote) =>
      get(
        table(target, 'sys_journal_field', {
          sysparm_query: `element_id=${remote}^element=work_notes^ORDERBYDESCsys_created_on`,
          sysparm_fields: 'value,sys_created_on',
          sysparm_limit: '20',
        }),
        signIn(target),
        PAGE_BYTES,
      ),
    commentsOf: (body) =>
      objectsIn(objectOf(body)?.['result']).map((one) => ({
        text: textOf(one['value']),
        at: timeOf(textOf(one['sys_created_on'])),
      })),
    look: (target, remote) =>
      get(table(target, `incident/${remote}`, { sysparm_fields: FIELDS }), signIn(target), TICKET_BYTES),
    stateOf: (_target, body) => stateOf(memberOf(objectOf(body), 'result')),
    move: (target, remote, { to, text }) =>
      write(
        target,
        remote,
        to === 'open'
          ? { state: IN_PROGRESS }
          : {
              state: RESOLVED,
              close_code: templateOf('servicenow', target.ticketTemplates, 'closeAs'),
              close_notes: text,
            },
      ),
    askedAtOnce: 100,
    ask: (target, remotes) =>
      get(
        table(target, 'incident', {
          sysparm_query: `sys_idIN${remotes.join(',')}`,
          sysparm_fields: FIELDS,
          sysparm_limit: String(remotes.length),
        }),
        signIn(target),
        PAGE_BYTES,
      ),
    answered(_target, body, remotes) {
      const records = objectsIn(objectOf(body)?.['result']);
      const states = new Map<string, TicketState>(records.map((one) => [textOf(one['sys_id']), stateOf(one)]));
      for (const remote of remotes) if (!states.has(remote)) states.set(remote, 'gone');
      return states;
    },
  },
};
