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
} from './ticket-system.ts';

/**
 * A double of GitLab with one project, by https://docs.gitlab.com/api/issues/ and https://docs.gitlab.com/api/notes/; limits by
 * https://docs.gitlab.com/administration/settings/user_and_ip_rate_limits/ ("429" with `Retry-After`). Lines that begin with a
 * slash are commands (https://docs.gitlab.com/user/project/quick_actions/), which it carries out.
 */

export const GITLAB_TOKEN = 'glpat-abcdefghij0123456789';
export const GITLAB_PROJECT = 'acme/ops';

const newIssue = z.strictObject({
  title: z.string().min(1).max(255),
  description: z.string().max(1_048_576),
  labels: z.string().optional(),
  assignee_ids: z.array(z.int().positive()).optional(),
});
const newNote = z.strictObject({ body: z.string().min(1).max(1_000_000) });
const change = z.strictObject({ state_event: z.enum(['close', 'reopen']) });

const refused = (message: unknown): Answer => answer(400, { message });
const missing = (what: string): Answer => answer(404, { message: `404 ${what} Not Found` });

const present = ({ id, summary, description, state }: KeptTicket) => ({
  id: 1_000 + Number(id),
  iid: Number(id),
  title: summary,
  description,
  state: state === 'open' ? 'opened' : 'closed',
  web_url: `https://gitlab.example.com/${GITLAB_PROJECT}/-/issues/${id}`,
});

const obey = (ticket: KeptTicket, text: string): void => {
  if (/^\/close\b/m.test(text)) ticket.state = 'closed';
};

export function gitlabService({ perMinute = 1_000 } = {}): TicketDouble {
  const { world, byId, make, comment } = keepTickets((number) => ({ id: String(number), key: `#${number}` }));
  const limit = createLimit(perMinute, 60_000);

  const ofIssue = (request: Request, ticket: KeptTicket, rest: string): Answer => {
    switch (`${request.method} ${rest}`) {
      case 'GET ':
        return answer(200, present(ticket));
      case 'PUT ': {
        const read = change.safeParse(jsonOf(request));
        if (!read.success) return refused('state_event is invalid');
        ticket.state = read.data.state_event === 'close' ? 'closed' : 'open';
        return answer(200, present(ticket));
      }
      case 'GET /notes':
        return answer(200, ticket.comments.map(({ text, at }) => ({ body: text, created_at: at })).toReversed());
      case 'POST /notes': {
        const read = newNote.safeParse(jsonOf(request));
        if (!read.success) return refused({ note: ["can't be blank"] });
        comment(ticket, read.data.body);
        obey(ticket, read.data.body);
        return answer(201, { id: ticket.comments.length });
      }
      default:
        return missing('Route');
    }
  };

  const list = (query: URLSearchParams): Answer => {
    const [search, iids] = [query.get('search'), query.getAll('iids[]')];
    if (search !== null && query.get('in') !== 'description') return refused('in is missing');
    const found = world.tickets.filter(
      ({ id, description }) =>
        (search === null || description.includes(search)) && (iids.length === 0 || iids.includes(id)),
    );
    return answer(200, found.map(present).slice(0, Number(query.get('per_page'))));
  };

  return Object.assign(world, {
    rules(request: Request): Answer {
      if (request.headers['private-token'] !== GITLAB_TOKEN) return answer(401, { message: '401 Unauthorized' });
      const waits = limit();
      if (waits > 0) return answer(429, 'Retry later', { 'Retry-After': String(waits), 'RateLimit-Remaining': '0' });
      const { pathname, searchParams } = new URL(request.path, 'http://x');
      const [, project, number, rest = ''] =
        /^\/api\/v4\/projects\/([^/]+)\/issues(?:\/(\d+))?(\/.*)?$/.exec(pathname) ?? [];
      if (project !== encodeURIComponent(GITLAB_PROJECT)) return missing('Project');
      if (number !== undefined) {
        const ticket = byId(number);
        return ticket ? ofIssue(request, ticket, rest) : missing('Issue');
      }
      if (request.method === 'GET') return list(searchParams);
      const read = newIssue.safeParse(jsonOf(request));
      if (!read.success) return refused({ title: [z.prettifyError(read.error)] });
      const ticket = make(read.data.title, read.data.description, read.data);
      obey(ticket, read.data.description);
      return answer(201, present(ticket));
    },
  });
}
