import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  findHeader,
  joinFound,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

const CUSTOMER = choice('issue.fields.project.name', 'issue.fields.project.key', 'project.name', 'project.key');
const TITLE = choice('version.name', 'sprint.name', 'project.name', 'board.name', 'comment.body');
const STATUS = choice('fields.status.statusCategory.key');
const PRIORITY = choice('fields.priority.name');

/** The ends of Jira's two scales, the newer and the older one; the priorities between are common words. */
const PRIORITIES: Readonly<Record<string, AlertSeverity>> = {
  highest: 'critical',
  lowest: 'info',
  blocker: 'critical',
  trivial: 'low',
};

/** Jira's webhooks of issues and comments. */
export const jira: Adapter = {
  sender: 'jira',
  read({ headers, body }) {
    const event = find(body.get('webhookEvent'));
    if (event === undefined) return { drafts: [] };
    const issue = body.get('issue');
    const key = find(issue?.get('key'));
    return {
      drafts: [
        {
          element: body,
          title: joinFound(' ', key, find(issue?.get('fields')?.get('summary'))) ?? choose(body, TITLE) ?? event,
          customer: choose(body, CUSTOMER),
          alertType: event,
          severity: severity(choose(issue, PRIORITY)),
          state: key ? stateOf(event, issue) : rule<AlertState>('event', 'there is no issue'),
          dedupKey: key,
          deliveryId: findHeader(headers, 'x-atlassian-webhook-identifier'),
          link: linkOf(pageOf(find(issue?.get('self')), key)),
          at: timeOf(find(body.get('timestamp'))),
        },
      ],
    };
  },
};

function severity(priority: Found | undefined): Found<AlertSeverity> | undefined {
  const name = priority?.value.toLowerCase() ?? '';
  if (priority && Object.hasOwn(PRIORITIES, name)) return withValue(priority, PRIORITIES[name]!);
  return severityOf(priority);
}

function stateOf(event: Found, issue: JsonValue | undefined): Found<AlertState> {
  if (event.value === 'jira:issue_deleted') return withValue(event, 'resolved', 'the issue was deleted');
  const status = choose(issue, STATUS);
  if (status?.value.toLowerCase() === 'done') return withValue(status, 'resolved');
  return rule('firing', 'the status is not done', status?.path);
}

/** The page that people open, on the site that answers the issue's own address. */
function pageOf(self: Found | undefined, key: Found | undefined): Found | undefined {
  const address = self && URL.parse(self.value);
  if (!self || !address || !key) return undefined;
  // A site below a path answers its API below the same path.
  const site = address.origin + address.pathname.replace(/\/rest\/.*$/, '');
  return withValue(
    self,
    `${site.replace(/\/$/, '')}/browse/${encodeURIComponent(key.value.toWellFormed())}`,
    'the site and the key',
  );
}
