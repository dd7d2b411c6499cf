import { type Sender as AnySender, senderSchema } from '#backend/contract/sender.ts';
import { type ProblemPlay, playProblems } from './problems.ts';
import type { Random } from './random.ts';
import { azureMonitor, cloudevents, googleCloud, sns } from './senders/clouds.ts';
import { github, gitlab } from './senders/code.ts';
import { sendgrid, shop, shopify, standardWebhooks, stripe } from './senders/commerce.ts';
import { alertmanager, datadog, grafana, grafanaLegacy } from './senders/metrics.ts';
import { newRelic, pingdom, uptimeKuma, uptimerobot, zabbix } from './senders/monitors.ts';
import { opsgenie, pagerduty, pagerdutyEvents, slack } from './senders/paging.ts';
import {
  argocd,
  azureDevops,
  bitbucket,
  circleci,
  eventbridge,
  flux,
  graylog,
  jenkins,
  netdata,
  sonarqube,
  wazuh,
} from './senders/runs.ts';
import { jira, sentry } from './senders/trackers.ts';
import type { WebhookRequest, Writer } from './webhook-request.ts';

/** Senders whose requests the demo writes: emails are sent by a mail server. */
export type Sender = Exclude<AnySender, 'email'>;

/** What each sender says: of problems while they last, or of what just happened. */
export const PLAYS: Readonly<Record<Sender, ProblemPlay | Writer>> = {
  sns,
  grafana,
  alertmanager,
  'grafana-legacy': grafanaLegacy,
  github,
  sentry,
  pagerduty,
  'pagerduty-events': pagerdutyEvents,
  opsgenie,
  zabbix,
  'new-relic': newRelic,
  'azure-monitor': azureMonitor,
  'google-cloud': googleCloud,
  jira,
  gitlab,
  datadog,
  'uptime-kuma': uptimeKuma,
  uptimerobot,
  pingdom,
  stripe,
  shopify,
  sendgrid,
  eventbridge,
  'azure-devops': azureDevops,
  bitbucket,
  circleci,
  jenkins,
  argocd,
  flux,
  sonarqube,
  netdata,
  graylog,
  wazuh,
  cloudevents,
  slack,
  'standard-webhooks': standardWebhooks,
  generic: shop,
};

/** Every sender of the product that posts requests, by name: the demo plays all of them. */
export const SENDER_NAMES: readonly Sender[] = senderSchema.options.filter((sender) => sender !== 'email').toSorted();

/** As often as in a team's day: its own shop and its monitoring most. */
const MIX: readonly [Sender, ...Sender[]] = [
  'generic',
  'generic',
  'generic',
  'alertmanager',
  'grafana',
  'datadog',
  'github',
  ...SENDER_NAMES,
];

/**
 * A realistic stream of all senders, or of one; the same `random` gives the same stream. Senders remember the problems
 * that they reported.
 */
export function createStream(random: Random, only?: Sender): (now: Date) => WebhookRequest {
  const writers = new Map<Sender, Writer>();
  const writerOf = (sender: Sender): Writer => {
    const play = PLAYS[sender];
    const writer = writers.get(sender) ?? (typeof play === 'function' ? play : playProblems(play));
    writers.set(sender, writer);
    return writer;
  };
  return (now) => {
    const sender = only ?? random.pick(MIX);
    return { sender, method: 'POST', path: '/webhook', ...writerOf(sender)(random, now) };
  };
}
