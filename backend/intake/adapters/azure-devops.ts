import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import {
  choice,
  choose,
  find,
  joinFound,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import type { Adapter, Draft } from './adapter.ts';
import { readRun } from './ci-run.ts';

const NAME = choice('definition.name', 'pipeline.name', 'environment.releaseDefinition.name', 'run.pipeline.name');
/** Ids count within a project. The addresses beside them have the definition's revision. */
const DEFINITION = choice('definition.id', 'pipeline.id', 'run.pipeline.id', 'environment.releaseDefinition.id');
const OUTCOME = choice('run.result', 'result', 'environment.status', 'run.state', 'status');
/** How a part of a run ended, or what it does until then. */
const PART_OUTCOME = choice('result', 'state');
const BRANCH = choice('sourceBranch', 'run.resources.repositories.self.refName');
const PROJECT = choice('project.name', 'teamProject', 'definition.project.name');
const LINK = ['_links.web.href', 'run._links.web.href', 'environment.release._links.web.href'];
const TIME = choice('finishTime', 'run.finishedDate');

const RUN =
  /^(?:build\.complete|ms\.vss-pipelines\.(?:run|stage|job)-state-changed-event|ms\.vss-release\.deployment-completed-event)$/;

/** Service hooks of Azure DevOps: builds, pipelines and releases are runs. */
export const azureDevops: Adapter = {
  sender: 'azure-devops',
  read({ body }) {
    const type = find(body.get('eventType'));
    const resource = body.get('resource');
    if (type === undefined || !resource?.isObject) return { drafts: [] };
    return { drafts: [RUN.test(type.value) ? runOf(body, resource) : otherOf(body, resource)] };
  },
};

function runOf(body: JsonValue, resource: JsonValue): Draft {
  const release = resource.get('environment');
  const stage = find(release?.get('name')) ?? find(resource.at(['stage', 'name']));
  const job = find(resource.at(['job', 'name']));
  const part = [resource.get('job'), resource.get('stage')].find((value) => value?.isObject);
  const project = choose(resource, PROJECT);
  const place =
    find(body.at(['resourceContainers', 'project', 'id'])) ?? find(resource.at(['project', 'id'])) ?? project;
  const name = choose(resource, NAME);
  const branch = choose(resource, BRANCH);
  const type = find(body.get('eventType'));
  return readRun({
    element: body,
    name: joinFound(' ', name, stage, job),
    branch,
    outcome: choose(part, PART_OUTCOME) ?? choose(resource, OUTCOME),
    customer: project,
    alertType: type,
    // The build and the run of one pipeline are reported by events of their own, and are one problem.
    dedupKey: joinFound(
      ':',
      rule(release ? 'release' : 'pipeline', 'what it is a run of'),
      place,
      choose(resource, DEFINITION) ?? name,
      stage,
      job,
      branch,
    ),
    deliveryId: find(body.get('id')),
    link: linkOf(...LINK.map((path) => find(resource.at(path.split('.'))))),
    at: timeOf(choose(resource, TIME) ?? find(body.get('createdDate'))),
  });
}

const FIELDS = ['Microsoft.VSTS.Common.Severity', 'Microsoft.VSTS.Common.Priority'];
/** Priorities of work items (https://learn.microsoft.com/azure/devops/boards/queries/planning-ranking-priorities). */
const PRIORITIES: readonly AlertSeverity[] = ['none', 'critical', 'high', 'warning', 'low'];

const EVENT = rule<AlertState>('event', 'nothing of it can end');

/** A work item is a problem until it is closed, a push or a pull request an event: its text is the sender's sentence. */
function otherOf(body: JsonValue, resource: JsonValue): Draft {
  const text = find(body.at(['message', 'text']));
  const fields = resource.at(['revision', 'fields']) ?? resource.get('fields');
  const word = FIELDS.map((name) => find(fields?.get(name))).find((value) => value !== undefined);
  const level = word && PRIORITIES[Number(word.value.charAt(0))];
  const item = fields && (find(resource.get('workItemId')) ?? find(resource.get('id')));
  const standing = find(fields?.get('System.State'));
  const isOver = standing !== undefined && /^(?:closed|done|resolved|removed)$/i.test(standing.value);
  return {
    element: body,
    title: text && withValue(text, text.value.split('\n', 1)[0]!.trim()),
    customer: find(fields?.get('System.TeamProject')) ?? find(resource.at(['repository', 'project', 'name'])),
    alertType: find(body.get('eventType')),
    severity: word && (level ? withValue(word, level) : severityOf(word)),
    state: item ? withValue(standing ?? item, isOver ? 'resolved' : 'firing') : EVENT,
    dedupKey: item && withValue(item, `work item ${item.value}`),
    deliveryId: find(body.get('id')),
    link: linkOf(...PAGES.map((path) => find(resource.at(path)))),
    at: timeOf(find(body.get('createdDate'))),
  };
}
const PAGES = [
  ['_links', 'html', 'href'],
  ['_links', 'web', 'href'],
  ['repository', 'remoteUrl'],
];
