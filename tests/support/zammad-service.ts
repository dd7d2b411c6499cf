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
 * A double of Zammad with one group, Users, by https://docs.zammad.org/en/latest/api/ticket/index.html and
 * https://docs.zammad.org/en/latest/api/ticket/articles.html.
 */

export const ZAMMAD_TOKEN = 'zammad-token-0123456789';

const article = z.strictObject({
  subject: z.string().optional(),
  body: z.string().min(1),
  type: z.literal('note'),
  internal: z.boolean(),
  content_type: z.enum(['text/plain', 'text/html']),
});
/** A title and a note have 250 characters. */
const newTicket = z.strictObject({
  title: z.string().min(1).max(250),
  group: z.string(),
  customer_id: z.string().startsWith('guess:').optional(),
  priority: z.enum(['1 low', '2 normal', '3 high']).optional(),
  note: z.string().max(250),
  article,
});
const newArticle = z.strictObject({ ticket_id: z.int(), ...article.shape });
const change = z.strictObject({ state: z.enum(['new', 'open', 'closed']) });

const refused = (error: string, status = 422): Answer => answer(status, { error, error_human: error });
const missing = (): Answer => refused("Couldn't find Ticket", 404);

const present = ({ id, key, summary, state, made }: KeptTicket) => ({
  id: Number(id),
  number: key.slice(1),
  title: summary,
  state: state === 'open' ? 'new' : 'closed',
  note: made['note'],
});

export function zammadService(): TicketDouble {
  const { world, byId, make, known, comment } = keepTickets((number) => ({
    id: String(number),
    key: `#${22_000 + number}`,
  }));

  return Object.assign(world, {
    rules(request: Request): Answer {
      if (request.headers.authorization !== `Token token=${ZAMMAD_TOKEN}`) return refused('Invalid token!', 401);
      const { path, query } = partsOf(request);
      const [, id] = /^\/api\/v1\/tickets\/(\d+)$/.exec(path) ?? [];
      const [, articlesOf] = /^\/api\/v1\/ticket_articles\/by_ticket\/(\d+)$/.exec(path) ?? [];
      if (id !== undefined) {
        const ticket = byId(id);
        if (!ticket) return missing();
        if (request.method === 'GET') return answer(200, present(ticket));
        const read = change.safeParse(jsonOf(request));
        if (!read.success) return refused("No lookup value found for 'state'");
        ticket.state = read.data.state === 'closed' ? 'closed' : 'open';
        return answer(200, present(ticket));
      }
      if (articlesOf !== undefined) {
        return answer(
          200,
          (byId(articlesOf)?.comments ?? []).map(({ text, at }) => ({ body: text, created_at: at })),
        );
      }
      switch (`${request.method} ${path}`) {
        case 'POST /api/v1/tickets': {
          const read = newTicket.safeParse(jsonOf(request));
          if (!read.success) return refused(z.prettifyError(read.error));
          if (read.data.group !== 'Users')
            return refused("No lookup value found for 'group': " + JSON.stringify(read.data.group));
          return answer(201, present(make(read.data.title, read.data.article.body, read.data)));
        }
        case 'GET /api/v1/tickets/search': {
          const word = query.get('query') ?? '';
          if (query.get('expand') !== 'true') return answer(200, { tickets: [], tickets_count: 0, assets: {} });
          return answer(
            200,
            known()
              .filter(({ description }) => description.includes(word))
              .map(present),
          );
        }
        case 'POST /api/v1/ticket_articles': {
          const read = newArticle.safeParse(jsonOf(request));
          const ticket = byId(String(read.data?.ticket_id));
          if (!read.success) return refused('Need at least article: { body: "some text" }');
          if (!ticket) return missing();
          comment(ticket, read.data.body);
          return answer(201, { id: ticket.comments.length });
        }
        default:
          return refused('No route matches', 404);
      }
    },
  });
}
