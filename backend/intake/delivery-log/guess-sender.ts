import type { IncomingHttpHeaders } from 'node:http';
import type { Sender } from '#backend/contract/sender.ts';
import { HEADERS } from '#backend/intake/reading/recognise.ts';

/** Headers of any sender that name an envelope, not a product. */
const ENVELOPES: readonly (readonly [name: string, sender: Sender])[] = [
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
  ['amazon/eventbridge', 'eventbridge'],
  ['bitbucket-webhooks', 'bitbucket'],
  ['circleci', 'circleci'],
  ['jenkins', 'jenkins'],
  ['vsservices', 'azure-devops'],
];

/** What a sender seems to be by its headers alone: the body of a request that belongs to no source is not read. */
export function guessSender(headers: IncomingHttpHeaders): Sender | null {
  const named = [...HEADERS, ...ENVELOPES].find(([name]) => headers[name] !== undefined);
  if (named) return named[1];
  const agent = (headers['user-agent'] ?? '').toLowerCase();
  return AGENTS.find(([beginning]) => agent.startsWith(beginning))?.[1] ?? null;
}
