import * as z from 'zod';
import {
  type Answer,
  type KeptTicket,
  type Request,
  type TicketDouble,
  answer,
  createLimit,
  jsonOf,
  keepTickets,
  partsOf,
} from './ticket-system.ts';

/**
 * A double of Jira with one project, OPS, of one workflow: by version 2 of the Cloud API
 * (https://developer.atlassian.com/cloud/jira/platform/rest/v2/api-group-issues/) and of Data Center's
 * (https://docs.atlassian.com/software/jira/docs/api/REST/latest/).
 */

export const JIRA_EMAIL = 'desk@example.com';
export const JIRA_TOKEN = 'ATATT3xFfGF0abcdefgh';

/** Basic authentication with an email on Cloud, a personal access token on Data Center. */
export const jiraSignIn = (isCloud: boolean): string =>
  isCloud ? `Basic ${Buffer.from(`${JIRA_EMAIL}:${JIRA_TOKEN}`).toString('base64')}` : `Bearer ${JIRA_TOKEN}`;

/** "You can specify a string of up to 255 characters" and no new line; a label has no spaces. */
const newIssue = z.strictObject({
  fields: z.strictObject({
    project: z.strictObject({ key: z.string() }),
    issuetype: z.strictObject({ name: z.string() }),
    summary: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\r\n]*$/),
    description: z.string().max(32_767),
    priority: z.strictObject({ name: z.string() }).optional(),
    labels: z.array(z.string().regex(/^\S{1,255}$/)).optional(),
  }),
});
const newComment = z.strictObject({ body: z.string().min(1).max(32_767) });
const newTransition = z.strictObject({ transition: z.strictObject({ id: z.string() }) });
const bulkFetch = z.strictObject({
  issueIdsOrKeys: z.array(z.string()).min(1).max(100),
  fields: z.array(z.string()),
});
const cloudSearch = z.strictObject({ jql: z.string(), fields: z.array(z.string()), maxResults: z.int().max(5_000) });
const search = z.strictObject({ ...cloudSearch.shape, validateQuery: z.boolean().optional() });

const ISSUE_TYPES = new Set(['Task', 'Bug', 'Incident']);
const PRIORITIES = new Set(['Highest', 'High', 'Medium', 'Low', 'Lowest']);

const STATUSES = {
  open: { name: 'To Do', statusCategory: { key: 'new' } },
  closed: { name: 'Done', statusCategory: { key: 'done' } },
};
const TRANSITIONS = [
  { id: '11', name: 'Reopen', to: STATUSES.open, from: 'closed' },
  { id: '21', name: 'Start', to: { name: 'In Progress', statusCategory: { key: 'indeterminate' } }, from: 'open' },
  { id: '31', name: 'Done', to: STATUSES.closed, from: 'open' },
] as const;

const refused = (errors: Record<string, string>, errorMessages: string[] = []): Answer =>
  answer(400, { errorMessages, errors });
const missing = (): Answer =>
  answer(404, { errorMessages: ['Issue does not exist or you do not have permission to see it.'], errors: {} });

const present = ({ id, key, state, ...rest }: KeptTicket) => ({
  id,
  key,
  self: `https://example.atlassian.net/rest/api/2/issue/${id}`,
  fields: { status: STATUSES[state], description: rest.description },
  transitions: TRANSITIONS.filter(({ from }) => from === state),
});

/** @param isCloud otherwise Data Center @param perMinute requests that it takes in a minute */
export function jiraService({ isCloud = true, perMinute = 1_000 } = {}): TicketDouble {
  const { world, byId, make, known, comment } = keepTickets((number) => ({
    id: String(10_000 + number),
    key: `OPS-${number}`,
  }));
  const limit = createLimit(perMinute, 60_000);

  const create = (request: Request): Answer => {
    const read = newIssue.safeParse(jsonOf(request));
    if (!read.success) return refused({}, [z.prettifyError(read.error)]);
    const { project, issuetype, summary, description, priority } = read.data.fields;
    if (project.key !== 'OPS') return refused({ project: 'valid project is required' });
    if (!ISSUE_TYPES.has(issuetype.name)) return refused({ issuetype: 'Specify a valid issue type' });
    if (priority && !PRIORITIES.has(priority.name)) return refused({ priority: 'Priority name is not valid' });
    const { id, key } = make(summary, description, read.data.fields);
    return answer(201, { id, key, self: `https://example.atlassian.net/rest/api/2/issue/${id}` });
  };

  /** The two kinds of JQL that are asked. */
  const run = (jql: string): Answer => {
    const [, word] = /^project = "OPS" AND description ~ "(\w+)" ORDER BY created ASC$/.exec(jql) ?? [];
    const [, ids] = /^id in \((\d+(?:, \d+)*)\)$/.exec(jql) ?? [];
    if (word !== undefined) {
      return answer(200, {
        issues: known()
          .filter(({ description }) => description.includes(word))
          .map(present),
      });
    }
    // With `validateQuery: false` an id that is not there is a warning.
    if (ids !== undefined)
      return answer(200, {
        issues: ids
          .split(', ')
          .flatMap((id) => byId(id) ?? [])
          .map(present),
      });
    return refused({}, [`Error in the JQL Query: ${jql}`]);
  };

  const ofIssue = (request: Request, ticket: KeptTicket, rest: string, query: URLSearchParams): Answer | undefined => {
    switch (`${request.method} ${rest}`) {
      case 'GET ':
        return query.get('expand') === 'transitions' ? answer(200, present(ticket)) : undefined;
      case 'GET /comment':
        return answer(200, {
          comments: ticket.comments.map(({ text, at }) => ({ body: text, created: at })).toReversed(),
        });
      case 'POST /comment': {
        const read = newComment.safeParse(jsonOf(request));
        if (!read.success) return refused({ comment: 'Comment body can not be empty!' });
        comment(ticket, read.data.body);
        return answer(201, { id: String(ticket.comments.length) });
      }
      case 'POST /transitions': {
        const read = newTransition.safeParse(jsonOf(request));
        const found = TRANSITIONS.find(({ id, from }) => id === read.data?.transition.id && from === ticket.state);
        if (!found) return refused({}, ['It seems that you have tried to perform an illegal workflow operation.']);
        ticket.state = found.to === STATUSES.closed ? 'closed' : 'open';
        return answer(204, '');
      }
      default:
        return undefined;
    }
  };

  return Object.assign(world, {
    rules(request: Request): Answer {
      if (request.headers.authorization !== jiraSignIn(isCloud)) {
        return answer(401, 'Client must be authenticated to access this resource.');
      }
      // https://developer.atlassian.com/cloud/jira/platform/rate-limiting/
      const waits = limit();
      if (waits > 0) return answer(429, 'Rate limit exceeded.', { 'Retry-After': String(waits) });
      const { path, query } = partsOf(request);
      const [, id, rest = ''] = /^\/rest\/api\/2\/issue\/(\d+)(\/.*)?$/.exec(path) ?? [];
      if (id !== undefined) {
        const ticket = byId(id);
        return (ticket && ofIssue(request, ticket, rest, query)) ?? missing();
      }
      switch (`${request.method} ${path}`) {
        case 'POST /rest/api/2/issue':
          return create(request);
        case 'POST /rest/api/2/issue/bulkfetch': {
          const read = bulkFetch.safeParse(jsonOf(request));
          if (!isCloud || !read.success) return missing();
          return answer(200, { issues: read.data.issueIdsOrKeys.flatMap((one) => byId(one) ?? []).map(present) });
        }
        case 'POST /rest/api/2/search/jql': {
          const read = cloudSearch.safeParse(jsonOf(request));
          return isCloud && read.success ? run(read.data.jql) : missing();
        }
        case 'POST /rest/api/2/search': {
          // Removed from Cloud: https://developer.atlassian.com/changelog/#CHANGE-2046.
          if (isCloud) return answer(410, { errorMessages: ['The requested API has been removed.'], errors: {} });
          const read = search.safeParse(jsonOf(request));
          return read.success ? run(read.data.jql) : refused({}, ['Invalid request payload.']);
        }
        default:
          return answer(404, { errorMessages: ['null for uri'], errors: {} });
      }
    },
  });
}
