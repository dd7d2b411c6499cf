import type { TicketState } from '#backend/contract/ticket.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { type RemoteTicket, type RenderedRequest, below, json, objectOf } from './kind.ts';
import {
  PAGE_BYTES,
  TICKET_BYTES,
  type TicketModule,
  escapeMarkdown,
  get,
  listIn,
  listOf,
  memberOf,
  objectsIn,
  textOf,
} from './ticket.ts';
import { explainTicket, renderTicket } from './ticket-module.ts';

const headersOf = ({ secrets }: Target): Record<string, string> => ({
  Accept: 'application/vnd.github+json',
  Authorization: `Bearer ${secrets.token}`,
  'X-GitHub-Api-Version': '2022-11-28',
});

/** Issues of one answer, at most. */
const PER_PAGE = 100;

const REPOSITORY = /^[A-Za-z0-9][\w.-]*\/[\w.-]+$/;

/** `owner/repository#12`: a ticket stays where it is when the destination leads to another repository. */
const nameOf = (repository: string, number: string): string => `${repository}#${number}`;
const partsOf = (remote: string): { repository: string; number: string } => {
  const [repository = '', number = ''] = remote.split('#');
  return { repository, number };
};

const issues = (target: Target, repository: string, rest = ''): string =>
  below(target.url, `repos/${repository}/issues${rest}`);
const issue = (target: Target, remote: string, rest = ''): string => {
  const { repository, number } = partsOf(remote);
  return issues(target, repository, `/${number}${rest}`);
};

const write = (target: Target, url: string, body: object, method: 'POST' | 'PATCH' = 'POST'): RenderedRequest => ({
  ...json(url, body, headersOf(target)),
  method,
  keepBytes: TICKET_BYTES,
});

function ticketIn(target: Target, found: Record<string, unknown> | undefined): RemoteTicket | undefined {
  const number = textOf(found?.['number']);
  if (!/^\d+$/.test(number)) return undefined;
  const url = textOf(found?.['html_url']);
  return { remote: nameOf(target.room ?? '', number), key: `#${number}`, url: url === '' ? null : url };
}

const stateOf = (state: unknown): 'open' | 'closed' => (textOf(state).toLowerCase() === 'closed' ? 'closed' : 'open');

/** The GraphQL API stands beside version 3 on GitHub Enterprise Server, and below the same host otherwise. */
const graphql = (target: Target): string => below((target.url ?? '').replace(/\/v3\/*$/, ''), 'graphql');

/** Issues of a repository on GitHub (https://docs.github.com/en/rest/issues/issues) or GitHub Enterprise Server. */
export const githubKind: TicketModule = {
  label: 'GitHub issues',
  fieldNames: { room: 'repository' },
  isForPeople: false,
  // "Make requests serially", and "at least one second between each" that writes
  // (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api).
  pauseMs: 1_000,
  faultOf: (field, value) =>
    field === 'room' && !REPOSITORY.test(value) ? 'Enter the repository as owner/name.' : undefined,
  render: (target, message) => renderTicket(githubKind, target, message),
  // Limits are said by 403 or 429 (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api).
  statusOf: (status, body) =>
    status === 403 && /rate limit|abuse detection/i.test(textOf(objectOf(body)?.['message'])) ? 429 : status,
  explain: (status, body) => explainTicket('GitHub', 'Issues: Read and write, for this repository', status, body),
  ticket: {
    limits: { summary: 256, description: 65_536, comment: 65_536 },
    priorities: { critical: 'critical', high: 'high', warning: 'medium', low: 'low', info: 'low', none: 'low' },
    escape: escapeMarkdown,
    markLine: (marker) => `<!-- ${marker} -->`,
    settleMs: 0,
    create(target, { summary, description, fields }) {
      const [labels, assignees] = [listOf(fields.labels), listOf(fields.assignees)];
      return write(target, issues(target, target.room ?? ''), {
        title: summary,
        body: description,
        ...(labels.length > 0 && { labels }),
        ...(assignees.length > 0 && { assignees }),
      });
    },
    created: (target, body) => ticketIn(target, objectOf(body)),
    // The list knows at once what was made, which the search does not.
    find(target, _marker, since, page) {
      const query = new URLSearchParams({
        state: 'all',
        sort: 'created',
        direction: 'desc',
        per_page: String(PER_PAGE),
        page: String(page),
        since: new Date(since).toISOString(),
      });
      return get(`${issues(target, target.room ?? '')}?${query}`, headersOf(target), PAGE_BYTES);
    },
    // Older issues that changed since are in the list, too.
    hasMore: (body, since) => {
      const found = listIn(body);
      return found.length === PER_PAGE && Date.parse(textOf(found.at(-1)?.['created_at'])) >= since;
    },
    found: (target, body, marker) =>
      ticketIn(
        target,
        listIn(body).find((one) => textOf(one['body']).includes(marker)),
      ),
    comment: (target, remote, text) => write(target, issue(target, remote, '/comments'), { body: text }),
    comments: (target, remote, since) =>
      get(
        `${issue(target, remote, '/comments')}?per_page=100&since=${new Date(since).toISOString()}`,
        headersOf(target),
        PAGE_BYTES,
      ),
    commentsOf: (body) =>
      listIn(body).map((one) => ({ text: textOf(one['body']), at: Date.parse(textOf(one['created_at'])) })),
    look: (target, remote) => get(issue(target, remote), headersOf(target), TICKET_BYTES),
    stateOf: (_target, body) => stateOf(objectOf(body)?.['state']),
    move: (target, remote, { to }) =>
      write(
        target,
        issue(target, remote),
        to === 'closed' ? { state: 'closed', state_reason: 'completed' } : { state: 'open' },
        'PATCH',
      ),
    askedAtOnce: 50,
    // One request for all of them, by https://docs.github.com/en/graphql/reference/objects#issue.
    ask(target, remotes) {
      const asked = remotes.map((remote, index) => {
        const { repository, number } = partsOf(remote);
        const [owner, name] = repository.split('/');
        return `t${index}: repository(owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}) { issue(number: ${number}) { state } }`;
      });
      return {
        ...json(graphql(target), { query: `query { ${asked.join(' ')} }` }, headersOf(target)),
        keepBytes: TICKET_BYTES,
      };
    },
    answered(_target, body, remotes) {
      const said = objectOf(body);
      const data = memberOf(said, 'data');
      // An issue may also be missing by an error of another type, which says nothing of it.
      const gone = new Set(
        objectsIn(said?.['errors'])
          .filter(({ type }) => type === 'NOT_FOUND')
          .map(({ path }) => textOf(Array.isArray(path) ? path[0] : undefined)),
      );
      return new Map<string, TicketState>(
        remotes.flatMap((remote, index): [string, TicketState][] => {
          const found = memberOf(memberOf(data, `t${index}`), 'issue');
          if (found) return [[remote, stateOf(found['state'])]];
          return gone.has(`t${index}`) ? [[remote, 'gone']] : [];
        }),
      );
    },
  },
};
