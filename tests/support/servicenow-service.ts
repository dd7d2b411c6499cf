import * as z from 'zod';
import {
  type Answer,
  type KeptTicket,
  type Request,
  type TicketDouble,
  answer,
  jsonOf,
  keepTickets,
  partsOf,
} from './ticket-system.ts';

/**
 * A double of an instance of ServiceNow with its table of incidents, by the Table API
 * (https://www.servicenow.com/docs/r/api-reference/rest-apis/c_TableAPI.html) and the fields of an incident
 * (https://www.servicenow.com/docs/r/it-service-management/incident-management/c_IncidentManagement.html): a resolution needs
 * a code and notes.
 */

export const SERVICENOW_USER = 'alertdesk';
export const SERVICENOW_PASSWORD = 'sesame:1234';

const incident = z.strictObject({
  short_description: z.string().min(1).max(160),
  description: z.string().max(4_000),
  correlation_id: z.string().max(100),
  correlation_display: z.string().max(100),
  urgency: z.enum(['1', '2', '3']).optional(),
  impact: z.enum(['1', '2', '3']).optional(),
  assignment_group: z.string().optional(),
});
const change = z.union([
  z.strictObject({ work_notes: z.string().min(1) }),
  z.strictObject({ state: z.literal('2') }),
  z.strictObject({
    state: z.literal('6'),
    close_code: z.enum(['Solution provided', 'Workaround provided', 'Resolved by caller', 'Duplicate']),
    close_notes: z.string().min(1),
  }),
]);

const error = (status: number, message: string, detail: string): Answer =>
  answer(status, { error: { message, detail }, status: 'failure' });
const missing = (): Answer =>
  error(404, 'No Record found', "Record doesn't exist or ACL restricts the record retrieval");

const present = ({ id, key, state }: KeptTicket) => ({
  sys_id: id,
  number: key,
  state: state === 'closed' ? '6' : '1',
  active: 'true',
});

/** @param canReadJournal whether the user may read the table of comments, which the role itil alone may not */
export function servicenowService({ canReadJournal = true } = {}): TicketDouble {
  const { world, byId, make, comment } = keepTickets((number) => ({
    id: number.toString(16).padStart(32, '0'),
    key: `INC${String(10_000 + number).padStart(7, '0')}`,
  }));

  const list = (query: URLSearchParams): Answer => {
    const asked = query.get('sysparm_query') ?? '';
    const [, marker] = /^correlation_id=(\w+)\^ORDERBYsys_created_on$/.exec(asked) ?? [];
    const [, ids] = /^sys_idIN([0-9a-f]{32}(?:,[0-9a-f]{32})*)$/.exec(asked) ?? [];
    // A query that is not understood selects everything, as the real one does.
    const found = world.tickets.filter(
      ({ id, made }) =>
        (marker === undefined || made['correlation_id'] === marker) &&
        (ids === undefined || ids.split(',').includes(id)),
    );
    return answer(200, { result: found.slice(0, Number(query.get('sysparm_limit'))).map(present) });
  };

  const write = (request: Request, ticket: KeptTicket): Answer => {
    const read = change.safeParse(jsonOf(request));
    if (!read.success) {
      return error(403, 'Operation Failed', 'Data Policy Exception: Resolution code, Resolution notes are mandatory');
    }
    if ('work_notes' in read.data) comment(ticket, read.data.work_notes);
    else ticket.state = read.data.state === '6' ? 'closed' : 'open';
    return answer(200, { result: present(ticket) });
  };

  const journal = (query: URLSearchParams): Answer => {
    if (!canReadJournal) return error(403, 'Insufficient rights to query records', 'Field(s) present in the query');
    const [, id] = /^element_id=(\w+)\^element=work_notes\^/.exec(query.get('sysparm_query') ?? '') ?? [];
    const comments = byId(id)?.comments ?? [];
    return answer(200, {
      result: comments
        .map(({ text, at }) => ({ value: text, sys_created_on: at.slice(0, 19).replace('T', ' ') }))
        .toReversed(),
    });
  };

  return Object.assign(world, {
    rules(request: Request): Answer {
      const expected = `Basic ${Buffer.from(`${SERVICENOW_USER}:${SERVICENOW_PASSWORD}`).toString('base64')}`;
      if (request.headers.authorization !== expected) {
        return error(401, 'User is not authenticated', 'Required to provide Auth information');
      }
      const { path, query } = partsOf(request);
      const [, id] = /^\/api\/now\/table\/incident\/([0-9a-f]{32})$/.exec(path) ?? [];
      if (id !== undefined) {
        const ticket = byId(id);
        if (!ticket) return missing();
        return request.method === 'PATCH' ? write(request, ticket) : answer(200, { result: present(ticket) });
      }
      switch (`${request.method} ${path}`) {
        case 'POST /api/now/table/incident': {
          const read = incident.safeParse(jsonOf(request));
          if (!read.success) return error(400, 'Invalid request', z.prettifyError(read.error));
          const { short_description: summary, description } = read.data;
          return answer(201, { result: present(make(summary, description, read.data)) });
        }
        case 'GET /api/now/table/incident':
          return list(query);
        case 'GET /api/now/table/sys_journal_field':
          return journal(query);
        default:
          return error(400, 'Invalid table', path);
      }
    },
  });
}
