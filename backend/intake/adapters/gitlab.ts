import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  findHeader,
  join,
  joinFound,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

const KIND = choice('object_kind', 'event_type', 'event_name');
const STATUS = choice('object_attributes.status', 'build_status', 'status', 'object_attributes.action', 'action');
const CUSTOMER = choice('project.path_with_namespace', 'project_name', 'group.full_path', 'group_path');
const TITLE = choice('object_attributes.title', 'issue.title', 'merge_request.title', 'name');
const REF = choice('object_attributes.ref', 'ref', 'environment');
const COMMIT = choice('commit.title', 'commit.message', 'commit_title');
const PROJECT_ID = choice('project.id', 'project_id');
const NUMBER = choice(
  'object_attributes.iid',
  'issue.iid',
  'merge_request.iid',
  'object_attributes.id',
  'build_id',
  'deployment_id',
);
const LINK = choice('object_attributes.url', 'url', 'deployable_url');
const TIME = choice(
  'object_attributes.updated_at',
  'object_attributes.created_at',
  'build_finished_at',
  'build_started_at',
);

const ENDS = new Set(['success', 'closed', 'merged', 'close', 'merge']);

/** Kinds that have a state which can end. */
const LIFECYCLES = new Set(['pipeline', 'build', 'issue', 'merge_request', 'deployment', 'work_item', 'incident']);

/** GitLab's webhooks. */
export const gitlab: Adapter = {
  sender: 'gitlab',
  read({ headers, body }) {
    const kind = choose(body, KIND);
    if (kind === undefined) return { drafts: [] };
    const status = choose(body, STATUS);
    const number = choose(body, NUMBER);
    return {
      drafts: [
        {
          element: body,
          title: titleOf(body, kind, status),
          customer: choose(body, CUSTOMER),
          alertType: joinFound('.', kind, status),
          severity: status?.value === 'failed' ? withValue(status, 'high', 'failed is high') : undefined,
          state: number && LIFECYCLES.has(kind.value) ? stateOf(body, status) : NO_LIFECYCLE,
          dedupKey: join(':', kind, choose(body, PROJECT_ID), number),
          deliveryId: findHeader(headers, 'x-gitlab-event-uuid'),
          link: linkOf(choose(body, LINK), pageOf(body, kind, number), find(body.get('project')?.get('web_url'))),
          at: timeOf(iso(choose(body, TIME))),
        },
      ],
    };
  },
};

const NO_LIFECYCLE = rule<AlertState>('event', 'nothing of it can end');

function titleOf(body: JsonValue, kind: Found, status: Found | undefined): Found | undefined {
  const title = choose(body, TITLE);
  if (title && kind.value !== 'build') return title;
  const ref = choose(body, REF);
  const what = joinFound(' ', kind, ref && withValue(ref, ref.value.replace(/^refs\/(heads|tags)\//, '')), status);
  const commits = body.get('commits')?.items() ?? [];
  const commit = choose(body, COMMIT) ?? find(commits.at(-1)?.get('title')) ?? find(commits.at(-1)?.get('message'));
  return joinFound(': ', what, commit && withValue(commit, commit.value.split('\n', 1)[0] ?? ''));
}

function stateOf(body: JsonValue, status: Found | undefined): Found<AlertState> {
  const state = find(body.get('object_attributes')?.get('state'));
  for (const word of [status, state]) {
    if (word && ENDS.has(word.value)) return withValue(word, 'resolved', `${word.value} ends it`);
  }
  return rule('firing', 'nothing ends it', (status ?? state)?.path);
}

const PLACES: ReadonlyMap<string, string> = new Map([
  ['pipeline', 'pipelines'],
  ['build', 'jobs'],
]);

/** The page of a pipeline or a job, which have no address of their own in older versions. */
function pageOf(body: JsonValue, kind: Found, number: Found | undefined): Found | undefined {
  const project = find(body.get('project')?.get('web_url')) ?? find(body.get('repository')?.get('homepage'));
  const id = kind.value === 'pipeline' ? find(body.get('object_attributes')?.get('id')) : number;
  if (!project || !id) return undefined;
  const place = PLACES.get(kind.value);
  if (place === undefined) return undefined;
  return withValue(project, `${project.value}/-/${place}/${id.value}`, `the page of the ${kind.value}`);
}

/** GitLab writes `2016-08-12 15:23:28 UTC`. */
const iso = (time: Found | undefined): Found | undefined =>
  time && withValue(time, time.value.replace(/^(\d{4}-\d\d-\d\d) (\S+) UTC$/, '$1T$2Z'));
