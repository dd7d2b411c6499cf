import {
  type Found,
  choice,
  choose,
  find,
  join,
  joinFound,
  linkOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import type { Draft } from './adapter.ts';
import { readRun } from './ci-run.ts';

const BRANCH = choice('head_branch', 'check_suite.head_branch', 'deployment.ref', 'ref');
const TIME = choice('updated_at', 'completed_at', 'created_at');
const CUSTOMER = choice('repository.full_name', 'organization.login');

/** What runs, by event: the names that make it the same thing in the next run. */
const NAMES: Readonly<Record<string, (object: JsonValue, body: JsonValue) => (Found | undefined)[]>> = {
  workflow_run: (object, body) => [find(object.get('name')) ?? find(body.get('workflow')?.get('name'))],
  workflow_job: (object) => [find(object.get('workflow_name')), find(object.get('name'))],
  check_run: (object) => [find(object.get('name'))],
  check_suite: (object) => [find(object.get('app')?.get('name'))],
  deployment_status: (object, body) => [
    find(object.get('environment')) ?? find(body.get('deployment')?.get('environment')),
  ],
  status: (object) => [find(object.get('context'))],
};

/** The events of GitHub that are about runs: of workflows, jobs, checks, deployments and of the CI systems beside it. */
export function readGithubRun(body: JsonValue, event: Found): Draft | undefined {
  const names = Object.hasOwn(NAMES, event.value) ? NAMES[event.value] : undefined;
  const object = event.value === 'status' ? body : body.get(event.value);
  if (names === undefined || !object?.isObject) return undefined;
  const repository = body.get('repository');
  const parts = names(object, body).filter((part) => part !== undefined);
  const ref =
    choose(object, BRANCH) ??
    find(body.get('deployment')?.get('ref')) ??
    find(body.get('branches')?.items(1)[0]?.get('name'));
  const branch = ref && joinFound(':', forkOf(repository, object), ref);
  // What is deployed next to the same environment replaces it, whatever its branch.
  const isDeployment = event.value === 'deployment_status';
  const place = isDeployment ? undefined : (branch ?? find(object.get('head_sha')) ?? find(object.get('sha')));
  const id = find(object.get('workflow_id'));
  return readRun({
    element: body,
    name: parts.at(-1),
    branch,
    outcome: outcomeOf(object, find(body.get('action'))),
    customer: choose(body, CUSTOMER),
    alertType: joinFound('.', event, find(body.get('action'))),
    dedupKey: join(':', event, find(repository?.get('id')), joinFound(':', id ?? joinFound(':', ...parts), place)),
    link: linkOf(
      find(object.get('html_url')),
      find(object.get('log_url')),
      find(object.get('target_url')),
      checksOf(repository, object),
      find(object.get('commit')?.get('html_url')),
      find(repository?.get('html_url')),
    ),
    at: timeOf(choose(object, TIME)),
  });
}

/** The fork that a run's commit comes from: its branches are called like those of the repository itself. */
function forkOf(repository: JsonValue | undefined, object: JsonValue): Found | undefined {
  const head = object.get('head_repository');
  const id = find(head?.get('id'))?.value;
  return id === undefined || id === find(repository?.get('id'))?.value ? undefined : find(head?.get('full_name'));
}

/** How it ended, or what it does until then: a workflow's job that waits has neither conclusion nor state. */
const outcomeOf = (object: JsonValue, action: Found | undefined): Found | undefined =>
  find(object.get('conclusion')) ?? find(object.get('state')) ?? find(object.get('status')) ?? action;

/** The page of a suite's checks, which has no address of its own. */
function checksOf(repository: JsonValue | undefined, object: JsonValue): Found | undefined {
  const page = find(repository?.get('html_url'));
  const sha = object.get('app') ? find(object.get('head_sha')) : undefined;
  return (
    page &&
    sha &&
    withValue(
      page,
      `${page.value}/commit/${encodeURIComponent(sha.value.toWellFormed())}/checks`,
      'the checks of the commit',
    )
  );
}
