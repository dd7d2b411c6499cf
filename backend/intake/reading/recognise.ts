import type { Sender } from '#backend/contract/sender.ts';
import { mediaTypeOf } from './decode-body.ts';
import type { Delivery } from '#backend/intake/adapters/adapter.ts';
import { MAIL_TYPE } from '#backend/intake/adapters/email.ts';
import { isGridEvent } from '#backend/intake/adapters/cloudevents.ts';
import { headerOf } from '#backend/intake/json/found.ts';
import { type JsonValue, MAX_MEMBERS } from '#backend/intake/json/json-value.ts';
import { WantedNames } from '#backend/intake/json/wanted-names.ts';

/** A sender, and why a delivery is taken for its. */
export interface Recognition {
  sender: Sender;
  recognisedBy: string;
}

/** How the shape of a body gives its sender away. */
interface Shape {
  sender: Sender;
  /** Top-level members that are all there. */
  keys: readonly string[];
  /** What else must hold. */
  test?: (body: JsonValue, form: Delivery['form']) => boolean;
}

/** Headers that only one sender has, in the order in which they are looked at. */
export const HEADERS: readonly (readonly [header: string, sender: Sender])[] = [
  ['x-amz-sns-message-type', 'sns'],
  ['x-github-event', 'github'],
  ['sentry-hook-resource', 'sentry'],
  ['x-pagerduty-signature', 'pagerduty'],
  ['x-gitlab-event', 'gitlab'],
  ['stripe-signature', 'stripe'],
  ['x-shopify-topic', 'shopify'],
  ['x-twilio-email-event-webhook-signature', 'sendgrid'],
  ['ce-specversion', 'cloudevents'],
  ['aeg-event-type', 'cloudevents'],
  ['x-slack-signature', 'slack'],
  ['x-sonarqube-project', 'sonarqube'],
  ['circleci-event-type', 'circleci'],
];

/** All headers that say something: most requests have none of them. */
const KNOWN_HEADERS: ReadonlySet<string> = new Set([...HEADERS.map(([header]) => header), 'webhook-id', 'svix-id']);

/** An envelope that any sender may use: it counts when the body's shape names nobody. */
const ENVELOPE_HEADERS = ['webhook-id', 'svix-id'];

const text = (body: JsonValue, name: string): string => body.get(name)?.string ?? '';

/** The common schema, and those of the activity log and of logs before it. */
const AZURE_SCHEMAS = /^(?:azureMonitorCommonAlertSchema|Microsoft\.Insights\/(?:activityLogs|LogAlert))$/i;

/** In the template of the set-up, or with the whole application in it. */
const isArgoApplication = (body: JsonValue): boolean =>
  body.at(['app', 'status', 'sync']) !== undefined || (has(body, 'health_status') && has(body, 'sync_status'));

/**
 * Shapes in the order in which they are tried. Grafana comes before Alertmanager, whose shape it has, too. No other
 * two shapes overlap.
 */
const SHAPES: readonly Shape[] = [
  { sender: 'sns', keys: ['TopicArn', 'Type'], test: (body) => text(body, 'TopicArn').startsWith('arn:aws') },
  {
    sender: 'grafana',
    keys: ['alerts', 'groupKey'],
    test: (body) =>
      isList(body, 'alerts') && (has(body, 'orgId') || (has(body, 'title') && has(body, 'truncatedAlerts'))),
  },
  { sender: 'alertmanager', keys: ['alerts', 'groupLabels'], test: (body) => isList(body, 'alerts') },
  { sender: 'grafana-legacy', keys: ['ruleId', 'evalMatches'] },
  {
    sender: 'pagerduty',
    keys: ['event'],
    test: (body) => body.at(['event', 'event_type']) !== undefined && body.at(['event', 'resource_type']) !== undefined,
  },
  { sender: 'pagerduty-events', keys: ['routing_key', 'event_action'] },
  {
    sender: 'opsgenie',
    keys: ['integrationId', 'alert'],
    test: (body) => body.at(['alert', 'alertId']) !== undefined,
  },
  { sender: 'zabbix', keys: ['trigger', 'status', 'hostname'] },
  { sender: 'new-relic', keys: ['incident_id', 'condition_name'] },
  { sender: 'new-relic', keys: ['issueUrl', 'alertPolicyNames'] },
  {
    sender: 'azure-monitor',
    keys: ['schemaId'],
    test: (body) => AZURE_SCHEMAS.test(text(body, 'schemaId')),
  },
  {
    sender: 'google-cloud',
    keys: ['incident'],
    test: (body) => body.at(['incident', 'policy_name']) !== undefined,
  },
  { sender: 'jira', keys: ['webhookEvent'], test: (body) => /^(jira:|comment_)/.test(text(body, 'webhookEvent')) },
  { sender: 'gitlab', keys: ['object_kind', 'project'] },
  { sender: 'datadog', keys: ['alert_id', 'event_type'] },
  { sender: 'datadog', keys: ['alert_id', 'last_updated'] },
  { sender: 'datadog', keys: ['last_updated', 'event_type'] },
  { sender: 'uptime-kuma', keys: ['heartbeat', 'monitor'] },
  { sender: 'uptimerobot', keys: ['monitor_friendly_name', 'alert_type_friendly_name'] },
  { sender: 'pingdom', keys: ['check_id', 'current_state'] },
  {
    sender: 'stripe',
    keys: ['object', 'id'],
    test: (body) => text(body, 'object') === 'event' && text(body, 'id').startsWith('evt_'),
  },
  { sender: 'eventbridge', keys: ['detail-type', 'source', 'detail'] },
  { sender: 'azure-devops', keys: ['publisherId', 'eventType', 'resource'] },
  {
    sender: 'bitbucket',
    keys: ['repository', 'actor'],
    test: (body) =>
      body.at(['repository', 'full_name']) !== undefined && body.at(['actor', 'display_name']) !== undefined,
  },
  { sender: 'circleci', keys: ['workflow', 'pipeline', 'happened_at'] },
  { sender: 'jenkins', keys: ['build', 'url'], test: (body) => body.at(['build', 'phase']) !== undefined },
  { sender: 'argocd', keys: ['app'], test: isArgoApplication },
  { sender: 'flux', keys: ['involvedObject', 'reason', 'message'] },
  { sender: 'sonarqube', keys: ['qualityGate', 'project'] },
  { sender: 'netdata', keys: ['alert', 'chart', 'severity'] },
  { sender: 'netdata', keys: ['alarm', 'chart', 'severity'] },
  { sender: 'graylog', keys: ['event_definition_id', 'event'] },
  { sender: 'wazuh', keys: ['rule', 'agent'], test: (body) => body.at(['rule', 'level']) !== undefined },
  { sender: 'cloudevents', keys: ['specversion', 'source', 'id'] },
  { sender: 'slack', keys: ['team_domain'], test: (_body, form) => form === 'form' },
  { sender: 'slack', keys: ['challenge', 'type'], test: (body) => text(body, 'type') === 'url_verification' },
];

/** Shapes of an array's first item. */
const ITEM_SHAPES: readonly Shape[] = [
  { sender: 'sendgrid', keys: ['sg_event_id'] },
  { sender: 'cloudevents', keys: ['specversion', 'source', 'id'] },
  { sender: 'cloudevents', keys: ['eventType', 'data'], test: isGridEvent },
];

const has = (body: JsonValue, name: string): boolean => body.get(name) !== undefined;
const isList = (body: JsonValue, name: string): boolean => body.get(name)?.isArray ?? false;

/** Shapes by their first key, each with its place in the list. */
const byFirstKey = (shapes: readonly Shape[]): ReadonlyMap<string, readonly (readonly [number, Shape])[]> =>
  Map.groupBy(
    shapes.map((shape, at) => [at, shape] as const),
    ([, { keys }]) => keys[0]!,
  );
const SHAPES_BY_KEY = byFirstKey(SHAPES);
const ITEM_SHAPES_BY_KEY = byFirstKey(ITEM_SHAPES);

/** The first key of each shape: a body that has none of them is nobody's, which most bodies show at one look. */
const FIRST_KEYS = new WantedNames([...SHAPES_BY_KEY.keys(), ...ITEM_SHAPES_BY_KEY.keys()], []);

/** The sender of a delivery: by a header of its own, then by the shape of the body; `generic` when it is nobody's. */
export function recognise(delivery: Recognisable, contentType: string): Recognition {
  const { headers, body, form } = delivery;
  // Of most requests neither a header nor the type says anything.
  if (!hasKnownHeader(headers) && contentType !== MAIL_TYPE && !isCloudEventType(contentType)) {
    return shapeClaims(body, form)[0] ?? NOBODY;
  }
  return claims(delivery, contentType)[0] ?? NOBODY;
}

/** What a sender is recognised by. */
type Recognisable = Pick<Delivery, 'headers' | 'body' | 'form'>;

const NOBODY: Recognition = { sender: 'generic', recognisedBy: '' };

function hasKnownHeader(headers: Delivery['headers']): boolean {
  for (const header in headers) if (KNOWN_HEADERS.has(header)) return true;
  return false;
}

/** Everyone who claims a delivery, in the order that decides. */
export function claims({ headers, body, form }: Recognisable, contentType: string): Recognition[] {
  const found: Recognition[] = HEADERS.filter(([header]) => headers[header] !== undefined).map(([header, sender]) => ({
    sender,
    recognisedBy: `header: ${header}`,
  }));
  if (isCloudEventType(contentType)) found.push({ sender: 'cloudevents', recognisedBy: 'header: content-type' });
  if (contentType === MAIL_TYPE) found.push({ sender: 'email', recognisedBy: 'received as an email' });
  found.push(...shapeClaims(body, form));
  for (const header of ENVELOPE_HEADERS) {
    if (headerOf(headers, header) !== '')
      found.push({ sender: 'standard-webhooks', recognisedBy: `header: ${header}` });
  }
  return found;
}

function shapeClaims(body: JsonValue, form: Delivery['form']): Recognition[] {
  const item = body.isArray && form !== 'lines' ? body.items(1)[0] : undefined;
  const value = item ?? body;
  const claiming: [number, Recognition][] = [];
  for (const key of value.pick(FIRST_KEYS, MAX_MEMBERS).keys()) {
    for (const [at, { sender, keys, test }] of (item ? ITEM_SHAPES_BY_KEY : SHAPES_BY_KEY).get(key) ?? []) {
      if (!keys.every((one) => has(value, one)) || (test && !test(value, form))) continue;
      claiming.push([at, { sender, recognisedBy: `${item ? 'keys of the first item' : 'keys'}: ${keys.join(', ')}` }]);
    }
  }
  return claiming.toSorted(([one], [other]) => one - other).map(([, claim]) => claim);
}

const isCloudEventType = (contentType: string): boolean =>
  contentType.length > 22 && mediaTypeOf(contentType).startsWith('application/cloudevents');
