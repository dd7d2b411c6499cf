import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

const ALERT_TYPE = choice('alert_type', 'event_type');
const TITLE = choice('title', 'event_title', 'alert_title');
const SEVERITY = choice('alert_priority', 'priority');
const KEY = choice('alert_id', 'aggreg_key');
const TRANSITION = choice('alert_transition', 'transition');
const LINK = ['link', 'url', 'event_url'];
const TIME = choice('last_updated', 'date');
const ORGANIZATION = choice('org.name', 'org_name');

const CUSTOMER_TAGS = ['customer', 'tenant', 'client', 'cluster', 'environment', 'env', 'namespace'];

/** Datadog's webhook: a template that people edit, so each field is looked for under its usual names. */
export const datadog: Adapter = {
  sender: 'datadog',
  read({ body }) {
    if (!body.isObject) return { drafts: [] };
    const title = choose(body, TITLE);
    return {
      drafts: [
        {
          element: body,
          title,
          customer: customerTag(body.get('tags')) ?? choose(body, ORGANIZATION),
          alertType: choose(body, ALERT_TYPE),
          severity: severityOf(choose(body, SEVERITY)),
          state: stateOf(choose(body, TRANSITION), title),
          dedupKey: choose(body, KEY),
          link: linkOf(...LINK.map((name) => find(body.get(name)))),
          at: timeOf(choose(body, TIME)),
        },
      ],
    };
  },
};

/** `tags` is a list or a text with commas: `env:prod,customer:acme`. */
function customerTag(tags: JsonValue | undefined): Found | undefined {
  if (tags === undefined) return undefined;
  const all = tags.isArray ? tags.items(MAX_TAGS).map((tag) => tag.string ?? '') : (tags.string ?? '').split(',');
  for (const name of CUSTOMER_TAGS) {
    const tag = all.find((one) => one.trim().startsWith(`${name}:`));
    const value = tag?.slice(tag.indexOf(':') + 1).trim();
    if (value) return { value, path: tags.path, note: `the tag ${name}` };
  }
  return undefined;
}

const MAX_TAGS = 1_000;

/** Without a transition the title says it: `[Triggered] …`, `[Recovered on {host:a}] …`. */
function stateOf(transition: Found | undefined, title: Found | undefined): Found<AlertState> {
  const word = transition ?? title;
  if (word === undefined) return rule('firing', 'there is no transition');
  const isRecovered = transition ? /recovered/i.test(transition.value) : /^\[recovered/i.test(word.value);
  return withValue(word, isRecovered ? 'resolved' : 'firing');
}
