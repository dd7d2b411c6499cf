import { type Random, createRandom } from './random.ts';
import { alertmanager } from './senders/alertmanager.ts';
import { datadog } from './senders/datadog.ts';
import { github } from './senders/github.ts';
import { grafana } from './senders/grafana.ts';
import { sentry } from './senders/sentry.ts';
import { shop } from './senders/shop.ts';
import { uptimeKuma } from './senders/uptime-kuma.ts';
import type { Sender, WebhookRequest } from './webhook-request.ts';

/** Every sender that the demo plays. */
export const SENDERS = [alertmanager, grafana, github, sentry, uptimeKuma, datadog, shop] as const;

/** As often as in a team's day: its own shop most, the pipeline seldom. */
const MIX: readonly [Sender, ...Sender[]] = [
  shop,
  shop,
  shop,
  datadog,
  datadog,
  alertmanager,
  grafana,
  sentry,
  uptimeKuma,
  github,
];

const BY_NAME = { alertmanager, datadog, github, grafana, sentry, shop, 'uptime-kuma': uptimeKuma } as const;
export type SenderName = keyof typeof BY_NAME;

/** The senders that can be played alone. */
export const SENDER_NAMES = Object.keys(BY_NAME) as SenderName[];

/** The next request of a realistic stream, or of one sender; the same `random` gives the same stream. */
export const nextRequest = (random: Random, now: Date, only?: SenderName): WebhookRequest =>
  (only === undefined ? random.pick(MIX) : BY_NAME[only])(random, now);

/** How requests name their senders: all that the demo plays, or the only one. */
export const sendersOf = (only?: SenderName): string[] =>
  (only === undefined ? SENDERS : [BY_NAME[only]]).map((send) => send(createRandom(1), new Date(0)).sender);
