import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter, Delivery, Reading } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  findHeader,
  firstSeverity,
  joinFound,
  join,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { readGithubRun } from './github-runs.ts';

/** Names under which an event's object stands where it is not the event's own name. */
const OBJECT_NAMES = ['alert', 'issue', 'pull_request', 'discussion', 'deployment', 'advisory'];

const CUSTOMER = choice('repository.full_name', 'organization.login', 'installation.account.login', 'enterprise.slug');
const TITLE = choice('title', 'display_title');
const ADVISORY_TITLE = choice('security_advisory.summary', 'summary', 'rule.description', 'rule.name');
const SECRET_TITLE = choice('secret_type_display_name', 'secret_type', 'affected_package_name');
const NAME = choice('name', 'tag_name', 'context', 'environment', 'app.name', 'label', 'login');
const PUSH_TITLE = choice('head_commit.message', 'description', 'comment.body');
const ADVISORY_SEVERITY = choice(
  'security_advisory.severity',
  'security_vulnerability.severity',
  'severity',
  'rule.security_severity_level',
  'rule.severity',
);
const TIME = choice('updated_at', 'completed_at', 'created_at', 'published_at');

/** Actions by which a problem ends, and states of what has ended. */
const ENDS = new Set([
  'closed',
  'fixed',
  'resolved',
  'dismissed',
  'auto_dismissed',
  'closed_by_user',
  'resolve',
  'dismiss',
  'deleted',
  'transferred',
]);

/** Events about something with a number that themselves have no end. */
const REMARK = /_(?:comment|review|thread|location)$|^sub_issues$/;

const EVENT = rule<AlertState>('event', 'nothing of it can end');

/** GitHub's webhooks: the header names the event, the body holds the object under the event's name. */
export const github: Adapter = {
  sender: 'github',
  read(delivery: Delivery): Reading {
    const event = findHeader(delivery.headers, 'x-github-event');
    if (!delivery.body.isObject || event === undefined) return { drafts: [] };
    if (event.value === 'ping') return ping(delivery.body);
    return { drafts: [readGithubRun(delivery.body, event) ?? readEvent(delivery.body, event)] };
  },
};

function ping(body: JsonValue): Reading {
  const zen = body.get('zen')?.string;
  return {
    drafts: [],
    handshake: {
      kind: 'ping',
      summary: zen ? `GitHub's ping: ${zen.slice(0, 200)}` : "GitHub's ping",
      answer: { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: 'pong' },
    },
  };
}

function readEvent(body: JsonValue, event: Found): Reading['drafts'][number] {
  const action = find(body.get('action'));
  const object = objectOf(body, event.value);
  const repository = body.get('repository');
  const key = find(object?.get('number'));
  return {
    element: body,
    title: titleOf(body, object, event),
    customer: choose(body, CUSTOMER),
    alertType: joinFound('.', event, action),
    severity: firstSeverity(choose(object, ADVISORY_SEVERITY)),
    state: key && !REMARK.test(event.value) ? stateOf(action, find(object?.get('state'))) : EVENT,
    dedupKey: join(':', event, find(repository?.get('id')), key),
    link: linkOf(find(object?.get('html_url')), find(body.get('compare')), find(repository?.get('html_url'))),
    at: timeOf(choose(object, TIME)),
  };
}

/** The event's own object; an event such as `issue_comment` is about the issue. */
function objectOf(body: JsonValue, event: string): JsonValue | undefined {
  for (const name of [event, ...OBJECT_NAMES, event.replace(/s$/, '')]) {
    const object = body.get(name);
    if (object?.isObject) return object;
  }
  return undefined;
}

/** A label on a closed issue does not open it again. */
function stateOf(action: Found | undefined, state: Found | undefined): Found<AlertState> {
  for (const word of [action, state]) {
    if (word && ENDS.has(word.value)) return withValue(word, 'resolved', `${word.value} ends it`);
  }
  return rule('firing', 'nothing ends it', action?.path);
}

function titleOf(body: JsonValue, object: JsonValue | undefined, event: Found): Found | undefined {
  const named = choose(object, TITLE) ?? choose(object, ADVISORY_TITLE) ?? choose(object, SECRET_TITLE);
  if (named) return named;
  const text = choose(object, NAME) ?? choose(body, PUSH_TITLE);
  if (text) return withValue(text, text.value.split('\n', 1)[0] ?? '');
  const place = find(body.get('repository')?.get('full_name')) ?? find(body.get('organization')?.get('login'));
  return joinFound(' · ', event, place);
}
