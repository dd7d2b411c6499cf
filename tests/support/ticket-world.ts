import type { NewDestination } from '#backend/contract/outgoing.ts';
import { GITHUB_REPOSITORY, GITHUB_TOKEN, githubService } from './github-service.ts';
import { GITLAB_PROJECT, GITLAB_TOKEN, gitlabService } from './gitlab-service.ts';
import { JIRA_EMAIL, JIRA_TOKEN, jiraService } from './jira-service.ts';
import { SERVICENOW_PASSWORD, SERVICENOW_USER, servicenowService } from './servicenow-service.ts';
import type { KeptTicket, TicketDouble } from './ticket-system.ts';
import { ZAMMAD_TOKEN, zammadService } from './zammad-service.ts';

type Fields = Omit<NewDestination, 'name' | 'url'>;

/** A ticket system, the destination that leads to it, and the report of it about one of its tickets. */
export interface KnownSystem {
  name: string;
  start: () => TicketDouble;
  fields: Fields;
  /** What a webhook of it sends when a ticket changes, by the public description of each. */
  report: (ticket: KeptTicket) => object;
}

const jiraReport = ({ id, key, summary, description }: KeptTicket) => ({
  webhookEvent: 'jira:issue_updated',
  issue: { id, key, fields: { summary, description, status: { statusCategory: { key: 'done' } } } },
});

export const TICKET_SYSTEMS: readonly KnownSystem[] = [
  {
    name: 'Jira Cloud',
    start: () => jiraService(),
    fields: {
      kind: 'jira',
      account: JIRA_EMAIL,
      token: JIRA_TOKEN,
      room: 'OPS',
      ticketTemplates: { priority: '{{priority}}', labels: 'alertdesk, {{type}}' },
    },
    // https://developer.atlassian.com/server/jira/platform/webhooks/
    report: jiraReport,
  },
  {
    name: 'Jira Data Center',
    start: () => jiraService({ isCloud: false }),
    fields: { kind: 'jira', token: JIRA_TOKEN, room: 'OPS' },
    report: jiraReport,
  },
  {
    name: 'ServiceNow',
    start: () => servicenowService(),
    fields: { kind: 'servicenow', account: SERVICENOW_USER, token: SERVICENOW_PASSWORD },
    // A business rule of the instance sends what it is written to send: docs/operations.md has this one.
    report: ({ key, made }) => ({ number: key, state: '6', correlation_id: made['correlation_id'] }),
  },
  {
    name: 'GitHub',
    start: () => githubService(),
    fields: {
      kind: 'github',
      token: GITHUB_TOKEN,
      room: GITHUB_REPOSITORY,
      ticketTemplates: { labels: '{{severity}}' },
    },
    // https://docs.github.com/en/webhooks/webhook-events-and-payloads#issues
    report: ({ id, summary, description }) => ({
      action: 'closed',
      issue: { number: Number(id), title: summary, body: description, state: 'closed' },
      repository: { full_name: GITHUB_REPOSITORY },
    }),
  },
  {
    name: 'GitLab',
    start: () => gitlabService(),
    fields: { kind: 'gitlab', token: GITLAB_TOKEN, room: GITLAB_PROJECT, ticketTemplates: { assignees: '4, 7' } },
    // https://docs.gitlab.com/user/project/integrations/webhook_events/#work-item-events
    report: ({ id, summary, description }) => ({
      object_kind: 'issue',
      object_attributes: { iid: Number(id), title: summary, description, state: 'closed', action: 'close' },
      project: { path_with_namespace: GITLAB_PROJECT },
    }),
  },
  {
    name: 'Zammad',
    start: () => zammadService(),
    fields: { kind: 'zammad', token: ZAMMAD_TOKEN },
    // https://admin-docs.zammad.org/en/latest/manage/webhook/payload.html
    report: ({ id, key, summary, made }) => ({
      ticket: { id: Number(id), number: key.slice(1), title: summary, note: made['note'], state: { name: 'closed' } },
    }),
  },
];

/** Takes the next ticket that is made, and loses the answer, as where a server is killed before it knows. */
export function losingFirst({ rules, tickets }: TicketDouble): TicketDouble['rules'] {
  let isLost = false;
  return (request) => {
    const answer = rules(request);
    if (isLost || tickets.length === 0) return answer;
    isLost = true;
    return { status: 502, body: 'lost' };
  };
}
