import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  firstSeverity,
  joinFound,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

const ALERT_TYPE = choice('alert_type', 'event_type');
const TITLE = choice('title', 'event_title', 'alert_title');
const PRIORITY = choice('alert_priority', 'priority');
/** The cycle is of one group of a monitor, from its alert until it resolves; what names the monitor alone needs the group. */
const CYCLE = choice('alert_cycle_key', 'cycle_key');
const MONITOR = choice('aggreg_key', 'alert_id', 'monitor_id');
const SCOPE = choice('alert_scope', 'scope', 'hostname', 'host');
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
          severity: severityIn(body, title),
          state: stateOf(choose(body, TRANSITION), title),
          dedupKey: keyOf(body, title),
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

/** `[P2] [Triggered on {host:a}] Disk full`: priority, transition, the group of the monitor, and its name. */
const TITLE_FORM = /^(?:\[(P[1-5])\]\s*)?\[([\w -]+?)(?:\s+on\s+(\{.*?\}))?\]\s*(.+)$/i;

/** Titles are short: a text of any length would take long. */
const formOf = (title: Found | undefined) => TITLE_FORM.exec((title?.value ?? '').slice(0, MAX_TITLE));
const MAX_TITLE = 500;

/** Without a transition the title says it: `[Triggered] …`, `[Recovered on {host:a}] …`. */
function stateOf(transition: Found | undefined, title: Found | undefined): Found<AlertState> {
  const word = transition ?? title;
  if (word === undefined) return rule('firing', 'there is no transition');
  const said = transition ? transition.value : (formOf(word)?.[2] ?? '');
  return withValue(word, /^recovered|^ok$/i.test(said) ? 'resolved' : 'firing');
}

/** What names the problem: the cycle of an alert, else the monitor and its group, which the default payload has in its title. */
function keyOf(body: JsonValue, title: Found | undefined): Found | undefined {
  const own = choose(body, CYCLE);
  if (own) return own;
  const [, , , group = '', name] = formOf(title) ?? [];
  const monitor = choose(body, MONITOR);
  const inTitle = title && withValue(title, group, 'the group in the title');
  if (monitor) return joinFound(' ', monitor, choose(body, SCOPE) ?? (group === '' ? undefined : inTitle));
  return title && name !== undefined
    ? withValue(title, `${group} ${name}`.trim(), 'group and monitor in the title')
    : undefined;
}

/** The monitor's priority, else that in the title, else what the transition or the kind of alert says. */
function severityIn(body: JsonValue, title: Found | undefined): Found<AlertSeverity> | undefined {
  const [, priority, said = ''] = formOf(title) ?? [];
  const transition = choose(body, TRANSITION)?.value ?? said;
  const isWarning = /^(?:re-)?warn/i.test(transition);
  return firstSeverity(
    choose(body, PRIORITY),
    title && priority ? withValue(title, priority, 'the priority in the title') : undefined,
    find(body.get('alert_type')),
    title && isWarning ? withValue(title, 'warning', 'Warn is a warning') : undefined,
  );
}
