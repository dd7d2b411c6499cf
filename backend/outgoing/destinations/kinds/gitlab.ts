import type { TicketState } from '#backend/contract/ticket.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { type RemoteTicket, type RenderedRequest, below, json, objectOf } from './kind.ts';
import { PAGE_BYTES, TICKET_BYTES, type TicketModule, escapeMarkdown, get, listIn, listOf, textOf } from './ticket.ts';
import { explainTicket, renderTicket } from './ticket-module.ts';

const headersOf = ({ secrets }: Target): Record<string, string> => ({ 'PRIVATE-TOKEN': secrets.token ?? '' });

const partsOf = (remote: string): { project: string; number: string } => {
  const at = remote.lastIndexOf('#');
  return { project: remote.slice(0, at), number: remote.slice(at + 1) };
};

/** "The ID or URL-encoded path of the project" (https://docs.gitlab.com/api/rest/#namespaced-paths). */
const issues = (target: Target, project: string, rest = ''): string =>
  below(target.url, `api/v4/projects/${encodeURIComponent(project)}/issues${rest}`);
const issue = (target: Target, remote: string, rest = ''): string => {
  const { project, number } = partsOf(remote);
  return issues(target, project, `/${number}${rest}`);
};

const write = (target: Target, url: string, body: object, method: 'POST' | 'PUT' = 'POST'): RenderedRequest => ({
  ...json(url, body, headersOf(target)),
  method,
  keepBytes: TICKET_BYTES,
});

function ticketIn(target: Target, found: Record<string, unknown> | undefined): RemoteTicket | undefined {
  const number = textOf(found?.['iid']);
  if (!/^\d+$/.test(number)) return undefined;
  const url = textOf(found?.['web_url']);
  return { remote: `${target.room}#${number}`, key: `#${number}`, url: url === '' ? null : url };
}

const stateOf = (found: Record<string, unknown> | undefined): 'open' | 'closed' =>
  found?.['state'] === 'closed' ? 'closed' : 'open';

/** Issues of a project on GitLab (https://docs.gitlab.com/api/issues/). */
export const gitlabKind: TicketModule = {
  label: 'GitLab issues',
  fieldNames: { room: 'project' },
  isForPeople: false,
  // "Notes on issues: 300 requests each minute for each user" is the tightest that GitLab.com has.
  pauseMs: 250,
  faultOf: (field, value) =>
    field === 'room' && !/^(\d+|[\w.-]+(\/[\w.-]+)+)$/.test(value)
      ? 'Enter the project as group/name, or its number.'
      : undefined,
  render: (target, message) => renderTicket(gitlabKind, target, message),
  explain: (status, body) => explainTicket('GitLab', 'the scope api, and the role Reporter or more', status, body),
  ticket: {
    limits: { summary: 255, description: 1_000_000, comment: 1_000_000 },
    priorities: { critical: 'critical', high: 'high', warning: 'medium', low: 'low', info: 'low', none: 'low' },
    escape: escapeMarkdown,
    markLine: (marker) => `<!-- ${marker} -->`,
    settleMs: 0,
    create(target, { summary, description, fields }) {
      const [labels, assignees] = [listOf(fields.labels), listOf(fields.assignees).filter((id) => /^\d+$/.test(id))];
      return write(target, issues(target, target.room ?? ''), {
        title: summary,
        description,
        ...(labels.length > 0 && { labels: labels.join(',') }),
        ...(assignees.length > 0 && { assignee_ids: assignees.map(Number) }),
      });
    },
    created: (target, body) => ticketIn(target, objectOf(body)),
    find: (target, marker) =>
      get(
        `${issues(target, target.room ?? '')}?${new URLSearchParams({ search: marker, in: 'description', sort: 'asc', per_page: '1' })}`,
        headersOf(target),
        PAGE_BYTES,
      ),
    found: (target, body) => ticketIn(target, listIn(body)[0]),
    comment: (target, remote, text) => write(target, issue(target, remote, '/notes'), { body: text }),
    comments: (target, remote) =>
      get(`${issue(target, remote, '/notes')}?sort=desc&per_page=20`, headersOf(target), PAGE_BYTES),
    commentsOf: (body) =>
      listIn(body).map((one) => ({ text: textOf(one['body']), at: Date.parse(textOf(one['created_at'])) })),
    look: (target, remote) => get(issue(target, remote), headersOf(target), TICKET_BYTES),
    stateOf: (_target, body) => stateOf(objectOf(body)),
    move: (target, remote, { to }) =>
      write(target, issue(target, remote), { state_event: to === 'closed' ? 'close' : 'reopen' }, 'PUT'),
    askedAtOnce: 50,
    // Some may be in the project to which the destination led before.
    placeOf: (remote) => partsOf(remote).project,
    ask(target, remotes) {
      const numbers = remotes.map((remote) => partsOf(remote).number);
      const query = new URLSearchParams([...numbers.map((number) => ['iids[]', number]), ['per_page', '100']]);
      return get(`${issues(target, partsOf(remotes[0] ?? '').project)}?${query}`, headersOf(target), PAGE_BYTES);
    },
    answered(_target, body, remotes) {
      const found = new Map(listIn(body).map((one) => [textOf(one['iid']), stateOf(one)]));
      return new Map<string, TicketState>(
        remotes.map((remote) => [remote, found.get(partsOf(remote).number) ?? 'gone']),
      );
    },
  },
};
