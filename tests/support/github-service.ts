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
 * A double of GitHub with one repository, by https://docs.github.com/en/rest/issues/issues,
 * https://docs.github.com/en/rest/issues/comments and https://docs.github.com/en/graphql/reference/objects#issue; its limits by
 * https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api.
 */

export const GITHUB_TOKEN = 'github_pat_11ABCDEFG0123456789';
export const GITHUB_REPOSITORY = 'acme/ops';

const newIssue = z.strictObject({
  title: z.string().min(1).max(256),
  body: z.string().max(65_536),
  labels: z.array(z.string().max(50)).optional(),
  assignees: z.array(z.string()).max(10).optional(),
});
const newComment = z.strictObject({ body: z.string().min(1).max(65_536) });
const change = z.union([
  z.strictObject({ state: z.literal('closed'), state_reason: z.enum(['completed', 'not_planned', 'duplicate']) }),
  z.strictObject({ state: z.literal('open') }),
]);

const ASKED = /^t(\d+): repository\(owner: "acme", name: "ops"\) \{ issue\(number: (\d+)\) \{ state \} \}$/;

const invalid = (read: z.ZodSafeParseError<unknown>): Answer =>
  answer(422, { message: 'Validation Failed', errors: [{ message: z.prettifyError(read.error) }] });
const missing = (): Answer => answer(404, { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' });

const present = ({ id, summary, description, state, createdAt }: KeptTicket) => ({
  number: Number(id),
  title: summary,
  body: description,
  state,
  html_url: `https://github.com/${GITHUB_REPOSITORY}/issues/${id}`,
  created_at: createdAt,
});

/** @param perHour requests that it takes in an hour @param writesPerSecond what the secondary limit lets through */
export function githubService({ perHour = 5_000, writesPerSecond = 5 } = {}): TicketDouble {
  const { world, byId, make, comment } = keepTickets((number) => ({ id: String(number), key: `#${number}` }));
  const limit = createLimit(perHour, 3_600_000);
  const secondary = createLimit(writesPerSecond, 1_000);

  const refusal = (request: Request): Answer | undefined => {
    const { headers, method } = request;
    if (headers.authorization !== `Bearer ${GITHUB_TOKEN}`) return answer(401, { message: 'Bad credentials' });
    if (headers['user-agent'] === undefined)
      return answer(403, { message: 'Request forbidden by administrative rules.' });
    if (limit() > 0) {
      const reset = String(Math.floor(Date.now() / 1000) + 3);
      return answer(
        403,
        { message: 'API rate limit exceeded for user ID 1.' },
        { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
      );
    }
    if (method !== 'GET' && secondary() > 0) {
      return answer(403, { message: 'You have exceeded a secondary rate limit.' }, { 'retry-after': '1' });
    }
    return undefined;
  };

  const graphql = (request: Request): Answer => {
    const read = z.strictObject({ query: z.string() }).safeParse(jsonOf(request));
    const inner = /^query \{ (.*) \}$/.exec(read.data?.query ?? '')?.[1]?.split(/ (?=t\d+:)/) ?? [];
    const asked = inner.map((one) => ASKED.exec(one));
    if (asked.length === 0 || asked.includes(null)) return answer(200, { errors: [{ message: 'Parse error' }] });
    const data = asked.map((one) => {
      const ticket = byId(one?.[2]);
      return [`t${one?.[1]}`, { issue: ticket ? { state: ticket.state.toUpperCase() } : null }];
    });
    const errors = asked
      .filter((one) => byId(one?.[2]) === undefined)
      .map((one) => ({
        type: 'NOT_FOUND',
        path: [`t${one?.[1]}`, 'issue'],
        message: `Could not resolve to an Issue with the number of ${one?.[2]}.`,
      }));
    return answer(200, { data: Object.fromEntries(data), ...(errors.length > 0 && { errors }) });
  };

  const ofIssue = (request: Request, ticket: KeptTicket, rest: string): Answer => {
    switch (`${request.method} ${rest}`) {
      case 'GET ':
        return answer(200, present(ticket));
      case 'PATCH ': {
        const read = change.safeParse(jsonOf(request));
        if (!read.success) return invalid(read);
        ticket.state = read.data.state;
        return answer(200, present(ticket));
      }
      case 'GET /comments':
        return answer(
          200,
          ticket.comments.map(({ text, at }) => ({ body: text, created_at: at })),
        );
      case 'POST /comments': {
        const read = newComment.safeParse(jsonOf(request));
        if (!read.success) return invalid(read);
        comment(ticket, read.data.body);
        return answer(201, { id: ticket.comments.length });
      }
      default:
        return missing();
    }
  };

  return Object.assign(world, {
    rules(request: Request): Answer {
      const refused = refusal(request);
      if (refused) return refused;
      const { path, query } = partsOf(request);
      if (path === '/graphql') return graphql(request);
      const [, number, rest = ''] = /^\/repos\/acme\/ops\/issues\/(\d+)(\/.*)?$/.exec(path) ?? [];
      if (number !== undefined) {
        const ticket = byId(number);
        return ticket ? ofIssue(request, ticket, rest) : missing();
      }
      if (path !== `/repos/${GITHUB_REPOSITORY}/issues`) return missing();
      if (request.method === 'GET') {
        const since = Date.parse(query.get('since') ?? '');
        const found = world.tickets.filter(({ createdAt }) => Date.parse(createdAt) >= since).toReversed();
        const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))];
        return answer(200, found.slice((page - 1) * size, page * size).map(present));
      }
      const read = newIssue.safeParse(jsonOf(request));
      if (!read.success) return invalid(read);
      return answer(201, present(make(read.data.title, read.data.body, read.data)));
    },
  });
}
