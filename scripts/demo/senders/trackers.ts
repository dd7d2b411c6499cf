import { type Problem, type ProblemPlay, byState } from '#scripts/demo/problems.ts';
import { json, secondsOf, uuid } from '#scripts/demo/webhook-request.ts';
import { COMPANY, SERVICES, TASKS } from '#scripts/demo/world.ts';

const PRIORITIES = ['Highest', 'High', 'Medium', 'Low'] as const;

const status = (id: number, key: string, name: string) => ({ name, statusCategory: { id, key, name } });
const NEW = status(2, 'new', 'To Do');
const STEPS = { firing: status(4, 'indeterminate', 'In Progress'), resolved: status(3, 'done', 'Done') };

/** Jira's webhooks: an issue is created, changed and done. */
export const jira: ProblemPlay = {
  nameOf: ({ number }) => `OPS-${number % 1_000}`,
  write(problem, random) {
    const { number, person, at, startedAt, reports } = problem;
    const key = `OPS-${number % 1_000}`;
    const isNew = reports === 1;
    const site = `https://${COMPANY.slug}.atlassian.net`;
    const user = { accountId: `5b10${number}`, displayName: person, active: true, accountType: 'atlassian' };
    return json(
      {
        timestamp: at.getTime(),
        webhookEvent: isNew ? 'jira:issue_created' : 'jira:issue_updated',
        issue_event_type_name: isNew ? 'issue_created' : 'issue_generic',
        user,
        issue: {
          id: String(10_000 + (number % 1_000)),
          self: `${site}/rest/api/2/${10_000 + (number % 1_000)}`,
          key,
          fields: {
            summary: TASKS[number % TASKS.length],
            priority: { name: PRIORITIES[number % PRIORITIES.length], id: String(1 + (number % PRIORITIES.length)) },
            project: { id: '10000', key: 'OPS', name: 'Operations' },
            status: isNew ? NEW : byState(problem, STEPS),
            issuetype: { name: 'Bug', subtask: false },
            assignee: isNew ? null : user,
            created: startedAt.toISOString(),
          },
        },
        ...(isNew ? {} : { changelog: { id: String(number + reports), items: [{ field: 'status' }] } }),
      },
      { 'user-agent': 'Atlassian Webhook HTTP Client', 'x-atlassian-webhook-identifier': uuid(random) },
    );
  },
};

const FAILURES = [
  { type: 'TypeError', value: "Cannot read properties of null (reading 'total')", file: 'cart/summary.tsx' },
  { type: 'TimeoutError', value: 'The payment provider did not answer within 8000 ms', file: 'payments/charge.ts' },
  { type: 'RangeError', value: 'Invalid time value', file: 'reports/period.ts' },
  { type: 'DatabaseError', value: 'Deadlock found when trying to get lock', file: 'orders/store.ts' },
] as const;

/** What went wrong in the code, the same for the whole life of an issue. */
const failureOf = ({ number }: Problem) => FAILURES[number % FAILURES.length] ?? FAILURES[0];

const levelOf = ({ number }: Problem) => (['error', 'error', 'fatal', 'warning'] as const)[number % 4];

/** An alert rule of Sentry that an event of a known issue triggered. */
function ruleAlert(problem: Problem, id: string, site: string) {
  const { type, value, file } = failureOf(problem);
  const { service, at, id: hex } = problem;
  return {
    event: {
      event_id: hex,
      issue_id: id,
      project: SERVICES.indexOf(service) + 1,
      url: `https://sentry.io/api/0/projects/${COMPANY.slug}/${service}/events/${hex}/`,
      web_url: `${site}/issues/${id}/events/${hex}/`,
      issue_url: `https://sentry.io/api/0/issues/${id}/`,
      title: `${type}: ${value}`,
      culprit: file,
      level: levelOf(problem),
      platform: 'javascript',
      datetime: at.toISOString(),
      metadata: { filename: file, type, value },
    },
    triggered_rule: 'More than 10 events in an hour',
  };
}

function issueOf(problem: Problem, id: string, site: string) {
  const { type, value, file } = failureOf(problem);
  const { service, at, startedAt, number } = problem;
  return {
    annotations: [],
    assignedTo: null,
    count: String(1 + (number % 400)),
    culprit: file,
    firstSeen: startedAt.toISOString(),
    id,
    isPublic: false,
    lastSeen: at.toISOString(),
    level: levelOf(problem),
    logger: null,
    metadata: { filename: file, type, value },
    permalink: `${site}/issues/${id}/`,
    platform: 'javascript',
    project: {
      id: String(SERVICES.indexOf(service) + 1),
      name: service,
      platform: 'javascript-react',
      slug: service,
    },
    shortId: `${service.toUpperCase()}-${number % 1_000}`,
    status: byState(problem, { firing: 'unresolved', resolved: 'resolved' }),
    title: `${type}: ${value}`,
    type: 'error',
    userCount: 1 + (number % 60),
  };
}

/** Sentry's integration: an issue is created and resolved, and an alert rule reports it again in between. */
export const sentry: ProblemPlay = {
  nameOf: (problem) => `${problem.service} ${failureOf(problem).type}`,
  write(problem, random) {
    const { number, at, reports, state } = problem;
    const id = String(4_000_000_000 + number);
    const site = `https://${COMPANY.slug}.sentry.io`;
    const isRepeated = reports > 1 && state === 'firing';
    const action = reports === 1 ? 'created' : 'resolved';
    const payload = isRepeated
      ? { action: 'triggered', data: ruleAlert(problem, id, site) }
      : { action, data: { issue: issueOf(problem, id, site) } };
    return json(
      {
        ...payload,
        actor: { id: 'sentry', name: 'Sentry', type: 'application' },
        installation: { uuid: 'a8e5d37a-696c-4c54-adb5-b3f28d64c7de' },
      },
      {
        'sentry-hook-resource': isRepeated ? 'event_alert' : 'issue',
        'sentry-hook-timestamp': String(secondsOf(at)),
        'request-id': random.hex(32),
      },
    );
  },
};
