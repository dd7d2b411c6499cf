import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter, Draft } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  join,
  joinFound,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { wordsOf } from '#backend/intake/understanding/field-names.ts';
import { readRun } from './ci-run.ts';

const KIND = choice('object_kind', 'event_type', 'event_name');
const STATUS = choice('object_attributes.status', 'build_status', 'status', 'object_attributes.action', 'action');
const CUSTOMER = choice('project.path_with_namespace', 'project_name', 'group.full_path', 'group_path');
const TITLE = choice('object_attributes.title', 'issue.title', 'merge_request.title', 'name');
const REF = choice('object_attributes.ref', 'ref', 'environment');
const COMMIT = choice('commit.title', 'commit.message', 'commit_title');
const PROJECT_ID = choice('project.id', 'project_id', 'object_attributes.project_id');
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

const ENDS = new Set(['success', 'closed', 'merged', 'close', 'merge', 'resolved', 'dismissed']);

/** Kinds that have a state which can end. */
const LIFECYCLES = new Set(['issue', 'merge_request', 'work_item', 'incident', 'vulnerability']);

/** Kinds of what runs, with what names it beside the branch. */
const RUNS: ReadonlyMap<string, string | undefined> = new Map([
  ['pipeline', undefined],
  ['build', 'build_name'],
  ['deployment', 'environment'],
]);

/** GitLab's webhooks. */
export const gitlab: Adapter = {
  sender: 'gitlab',
  read({ body }) {
    const kind = choose(body, KIND);
    if (kind === undefined) return { drafts: [] };
    const status = choose(body, STATUS);
    const page = choose(body, LINK);
    // A vulnerability has no other number than that in its address.
    const isVulnerability = kind.value === 'vulnerability';
    const number = isVulnerability ? page : choose(body, NUMBER);
    if (RUNS.has(kind.value)) return { drafts: [readPipeline(body, kind, status, number)] };
    return {
      drafts: [
        {
          element: body,
          title: titleOf(body, kind, status),
          customer: choose(body, CUSTOMER) ?? projectIn(page),
          alertType: joinFound('.', kind, status),
          severity: severityOf(find(body.at(['object_attributes', 'severity']))),
          state: number && LIFECYCLES.has(kind.value) ? stateOf(body, status) : NO_LIFECYCLE,
          dedupKey: join(':', kind, choose(body, PROJECT_ID), number),
          link: linkOf(page, pageOf(body, kind, number), find(body.get('project')?.get('web_url'))),
          at: timeOf(iso(choose(body, TIME))),
        },
      ],
    };
  },
};

const NO_LIFECYCLE = rule<AlertState>('event', 'nothing of it can end');

/** A run of a pipeline, a job or a deployment. A job that may fail has not failed; of an environment the next deployment counts. */
function readPipeline(body: JsonValue, kind: Found, status: Found | undefined, number: Found | undefined): Draft {
  const isAllowed = body.get('build_allow_failure')?.boolean === true && status?.value === 'failed';
  const field = RUNS.get(kind.value);
  const name = field === undefined ? undefined : find(body.get(field));
  const ref = choose(body, choice('object_attributes.ref', 'ref'));
  return readRun({
    element: body,
    name,
    outcome: isAllowed ? withValue(status, 'failed, which is allowed') : status,
    title: runTitleOf(body, kind, name, ref, status),
    customer: choose(body, CUSTOMER),
    alertType: joinFound('.', kind, status),
    dedupKey: join(
      ':',
      kind,
      choose(body, PROJECT_ID),
      kind.value === 'deployment' && name ? name : joinFound(':', name, ref),
    ),
    link: linkOf(choose(body, LINK), pageOf(body, kind, number), find(body.get('project')?.get('web_url'))),
    at: timeOf(iso(choose(body, TIME))),
  });
}

function titleOf(body: JsonValue, kind: Found, status: Found | undefined): Found | undefined {
  const title = choose(body, TITLE);
  const name = find(body.at(['object_attributes', 'name']));
  const end = find(body.at(['object_attributes', 'expires_at']));
  // The events of tokens that expire.
  if (name && end) return joinFound(' ', sentenceOf(kind), name, withValue(end, `expires on ${end.value}`));
  if (title) return body.get('object_kind') === undefined ? joinFound(': ', sentenceOf(kind), title) : title;
  return runTitleOf(body, kind, undefined, choose(body, REF), status);
}

/** System hooks name what happened and to whom: `user_failed_login` is "User failed login". */
function sentenceOf(kind: Found): Found {
  const words = wordsOf(kind.value).join(' ');
  return withValue(kind, words.charAt(0).toUpperCase() + words.slice(1));
}

function runTitleOf(
  body: JsonValue,
  kind: Found,
  name: Found | undefined,
  ref: Found | undefined,
  status: Found | undefined,
): Found | undefined {
  const branch = ref && withValue(ref, ref.value.replace(/^refs\/(heads|tags)\//, ''));
  const what = joinFound(' ', kind, name, branch, status);
  const commits = body.get('commits')?.items() ?? [];
  const commit = choose(body, COMMIT) ?? find(commits.at(-1)?.get('title')) ?? find(commits.at(-1)?.get('message'));
  return joinFound(': ', what, commit && withValue(commit, commit.value.split('\n', 1)[0] ?? ''));
}

/** The project whose page an address is, such as `nordwind/shop`. */
function projectIn(page: Found | undefined): Found | undefined {
  const path = page && /^(.+?)\/-\//.exec(URL.parse(page.value)?.pathname.slice(1) ?? '')?.[1];
  return path ? withValue(page, path, 'the project in the address') : undefined;
}

function stateOf(body: JsonValue, status: Found | undefined): Found<AlertState> {
  const state = find(body.get('object_attributes')?.get('state'));
  // An incident is resolved, or somebody has it, while its issue is open.
  const incident = find(body.get('object_attributes')?.get('escalation_status'));
  for (const word of [status, state, incident]) {
    if (word && ENDS.has(word.value)) return withValue(word, 'resolved', `${word.value} ends it`);
  }
  if (incident?.value === 'acknowledged') return withValue(incident, 'acknowledged');
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
