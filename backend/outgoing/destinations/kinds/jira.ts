import type { TicketState } from '#backend/contract/ticket.ts';
import { templateOf } from '#backend/outgoing/destinations/ticket-template.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { type RemoteTicket, type RenderedRequest, below, json, objectOf, outsideAddresses } from './kind.ts';
import {
  PAGE_BYTES,
  TICKET_BYTES,
  type TicketModule,
  get,
  listOf,
  memberOf,
  objectsIn,
  signIn,
  textOf,
} from './ticket.ts';
import { explainTicket, renderTicket } from './ticket-module.ts';

/** Jira Cloud signs in by an email and an API token, Jira Data Center by a personal access token alone. */
const isCloud = ({ account }: Target): boolean => account !== null && account !== '';

/** Version 2 of the API takes texts as they are; Jira Data Center has no other. */
const api = (target: Target, path: string): string => below(target.url, `rest/api/2/${path}`);

const call = (target: Target, path: string, body: object, keepBytes = TICKET_BYTES): RenderedRequest => ({
  ...json(api(target, path), body, { Accept: 'application/json', ...signIn(target) }),
  keepBytes,
});

/** Marks of Jira's notation (https://jira.atlassian.com/secure/WikiRendererHelpAction.jspa) show as they are after a backslash. */
const escape = (text: string): string =>
  outsideAddresses(text, (part) =>
    part.replaceAll(/[\\[\]{}*_?^~+!|#]|(?<!\w)-|(?<=^|\n)h(?=\d\.)|(?<=^|\n)bq(?=\.)/g, String.raw`\$&`),
  );

const statusOf = (issue: Record<string, unknown> | undefined): Record<string, unknown> | undefined =>
  memberOf(memberOf(issue, 'fields'), 'status');
const stateOf = (issue: Record<string, unknown> | undefined): 'open' | 'closed' =>
  memberOf(statusOf(issue), 'statusCategory')?.['key'] === 'done' ? 'closed' : 'open';

function ticketIn(target: Target, issue: Record<string, unknown> | undefined): RemoteTicket | undefined {
  const [id, key] = [textOf(issue?.['id']), textOf(issue?.['key'])];
  if (!/^\d+$/.test(id) || key === '') return undefined;
  return { remote: id, key, url: below(target.url, `browse/${encodeURIComponent(key)}`) };
}

/**
 * A project of Jira Cloud (https://developer.atlassian.com/cloud/jira/platform/rest/v2/) or Jira Data Center
 * (https://docs.atlassian.com/software/jira/docs/api/REST/latest/).
 */
export const jiraKind: TicketModule = {
  label: 'Jira',
  fieldNames: { room: 'project key', account: 'email', token: 'API token' },
  isForPeople: false,
  pauseMs: 0,
  faultOf(field, value) {
    if (field === 'room' && !/^[A-Z][A-Z0-9_]*$/.test(value))
      return 'The project key has capital letters and digits, such as OPS.';
    if (field === 'account' && value !== '' && !value.includes('@'))
      return 'Enter the email that goes with the API token. Leave it empty for Jira Data Center.';
    return undefined;
  },
  render: (target, message) => renderTicket(jiraKind, target, message),
  explain: (status, body) =>
    explainTicket('Jira', 'Browse Projects, Create Issues, Add Comments and Transition Issues', status, body),
  ticket: {
    limits: { summary: 255, description: 32_767, comment: 32_767 },
    priorities: { critical: 'Highest', high: 'High', warning: 'Medium', low: 'Low', info: 'Lowest', none: 'Medium' },
    escape,
    markLine: (marker) => `Alertdesk reference: ${marker}`,
    // "The delay might vary from a few seconds to minutes" (https://developer.atlassian.com/cloud/jira/platform/search-and-reconcile).
    settleMs: 60_000,
    create: (target, { summary, description, fields }) => {
      const labels = listOf(fields.labels).map((label) => label.replaceAll(/\s+/g, '-'));
      return call(target, 'issue', {
        fields: {
          project: { key: target.room },
          issuetype: { name: fields.issueType ?? 'Task' },
          summary,
          description,
          ...(fields.priority !== undefined && { priority: { name: fields.priority } }),
          ...(labels.length > 0 && { labels }),
        },
      });
    },
    created: (target, body) => ticketIn(target, objectOf(body)),
    find: (target, marker) =>
      search(target, `project = "${target.room}" AND description ~ "${marker}" ORDER BY created ASC`, 5),
    found: (target, body) => ticketIn(target, objectsIn(objectOf(body)?.['issues'])[0]),
    comment: (target, remote, text) => call(target, `issue/${remote}/comment`, { body: text }),
    comments: (target, remote) =>
      get(api(target, `issue/${remote}/comment?orderBy=-created&maxResults=20`), signIn(target), PAGE_BYTES),
    commentsOf: (body) =>
      objectsIn(objectOf(body)?.['comments']).map((one) => ({
        text: textOf(one['body']),
        at: Date.parse(textOf(one['created'])),
      })),
    look: (target, remote) =>
      get(api(target, `issue/${remote}?fields=status&expand=transitions`), signIn(target), TICKET_BYTES),
    stateOf: (_target, body) => stateOf(objectOf(body)),
    move(target, remote, { to, looked }) {
      const wanted = templateOf('jira', target.ticketTemplates, 'closeAs').trim().toLowerCase();
      const all = objectsIn(objectOf(looked)?.['transitions']).map((one) => ({
        id: textOf(one['id']),
        status: textOf(memberOf(one, 'to')?.['name']),
        isDone: memberOf(memberOf(one, 'to'), 'statusCategory')?.['key'] === 'done',
      }));
      const fitting = all.filter(({ isDone }) => isDone === (to === 'closed'));
      const named =
        to === 'closed' && wanted !== '' ? all.filter(({ status }) => status.toLowerCase() === wanted) : fitting;
      const [transition] = named;
      if (transition) return call(target, `issue/${remote}/transitions`, { transition: { id: transition.id } });
      const statuses = all.map(({ status }) => status).join(', ') || 'none';
      return {
        fault: `The workflow has no transition that ${to === 'closed' ? 'closes' : 'opens'} the ticket${named === fitting ? '' : ` as ${wanted}`}. It can become: ${statuses}.`,
      };
    },
    askedAtOnce: 100,
    // Cloud names what is not there beside what is; Data Center takes ids that are gone where it is not to check them.
    ask: (target, remotes) =>
      isCloud(target)
        ? call(target, 'issue/bulkfetch', { issueIdsOrKeys: remotes, fields: ['status'] }, PAGE_BYTES)
        : call(
            target,
            'search',
            {
              jql: `id in (${remotes.join(', ')})`,
              fields: ['status'],
              maxResults: remotes.length,
              validateQuery: false,
            },
            PAGE_BYTES,
          ),
    answered(_target, body, remotes) {
      const issues = objectsIn(objectOf(body)?.['issues']);
      const states = new Map<string, TicketState>(issues.map((issue) => [textOf(issue['id']), stateOf(issue)]));
      for (const remote of remotes) if (!states.has(remote)) states.set(remote, 'gone');
      return states;
    },
  },
};

/** Cloud has the search of its own address since the one that both had was removed there. */
const search = (target: Target, jql: string, maxResults: number): RenderedRequest =>
  call(target, isCloud(target) ? 'search/jql' : 'search', { jql, fields: ['status'], maxResults }, PAGE_BYTES);
