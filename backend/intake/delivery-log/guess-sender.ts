import type { IncomingHttpHeaders } from 'node:http';
import type { Sender } from '#backend/contract/sender.ts';

/** Headers that only one sender sends. */
const HEADERS: readonly (readonly [name: string, sender: Sender])[] = [
  ['x-github-event', 'github'],
  ['x-gitlab-event', 'gitlab'],
  ['sentry-hook-resource', 'sentry'],
  ['x-shopify-topic', 'shopify'],
  ['stripe-signature', 'stripe'],
  ['x-pagerduty-signature', 'pagerduty'],
  ['x-amz-sns-message-type', 'sns'],
  ['x-twilio-email-event-webhook-signature', 'sendgrid'],
  ['x-slack-signature', 'slack'],
  ['ce-specversion', 'cloudevents'],
  ['webhook-id', 'standard-webhooks'],
  ['svix-id', 'standard-webhooks'],
];

/** How senders begin their `User-Agent`. */
const AGENTS: readonly (readonly [beginning: string, sender: Sender])[] = [
  ['alertmanager/', 'alertmanager'],
  ['grafana', 'grafana'],
  ['github-hookshot', 'github'],
  ['gitlab', 'gitlab'],
  ['uptime-kuma', 'uptime-kuma'],
  ['uptimerobot', 'uptimerobot'],
  ['datadog', 'datadog'],
  ['zabbix', 'zabbix'],
  ['new relic', 'new-relic'],
  ['atlassian', 'jira'],
  ['opsgenie', 'opsgenie'],
  ['pagerduty', 'pagerduty'],
  ['pingdom', 'pingdom'],
  ['stripe', 'stripe'],
  ['shopify', 'shopify'],
  ['sendgrid', 'sendgrid'],
  ['amazon simple notification', 'sns'],
  ['google-alerts', 'google-cloud'],
  ['slackbot', 'slack'],
];

/** What a sender seems to be by its headers alone: the body of a request that belongs to no source is not read. */
export function guessSender(headers: IncomingHttpHeaders): Sender | null {
  const named = HEADERS.find(([name]) => headers[name] !== undefined);
  if (named) return named[1];
  const agent = (headers['user-agent'] ?? '').toLowerCase();
  return AGENTS.find(([beginning]) => agent.startsWith(beginning))?.[1] ?? null;
}
