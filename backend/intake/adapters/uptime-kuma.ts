import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import { type JsonValue, readJson } from '#backend/intake/json/json-value.ts';
import type { Adapter } from './adapter.ts';
import { type Found, find, linkOf, rule, timeOf, withValue } from '#backend/intake/json/found.ts';

const STATUSES = ['down', 'up', 'pending', 'maintenance'];

/** Uptime Kuma's webhook. Its test has neither heartbeat nor monitor, and neither has a certificate that will expire. */
export const uptimeKuma: Adapter = {
  sender: 'uptime-kuma',
  read({ body }) {
    if (!body.isObject) return { drafts: [] };
    const monitor = parsed(body.get('monitor'));
    const heartbeat = parsed(body.get('heartbeat'));
    const status = find(heartbeat?.get('status'));
    const word = status && STATUSES[Number(status.value)];
    const key = find(monitor?.get('id'));
    const text = find(body.get('msg'));
    return {
      drafts: [
        {
          element: body,
          title: text,
          customer: find(monitor?.get('name')) ?? nameIn(text),
          alertType: status && word ? withValue(status, `monitor.${word}`, `${status.value} is ${word}`) : undefined,
          severity: severityOfWord(status, word) ?? (status ? undefined : expiryOf(text)),
          state: stateOf(key && status),
          dedupKey: key,
          link: linkOf(find(monitor?.get('url'))),
          at: timeOf(utc(find(heartbeat?.get('time')))),
        },
      ],
      facts: { isTest: status === undefined && (text?.value.endsWith(' Testing') ?? false) },
    };
  },
};

/** With the method GET the objects come as texts in the address. */
function parsed(value: JsonValue | undefined): JsonValue | undefined {
  const text = value?.isString ? value.string : undefined;
  if (value === undefined || text === undefined) return value;
  const object = readJson(text, WEBHOOK_MAX_DEPTH, value.path);
  return typeof object === 'string' ? value : object;
}

/** The monitor that a text begins with: `[Portal][https://portal.example] …`. */
function nameIn(text: Found | undefined): Found | undefined {
  const name = /^\[([^\]]+)\]/.exec(text?.value ?? '')?.[1];
  return text && name ? withValue(text, name, 'the name in brackets') : undefined;
}

const severityOfWord = (status: Found | undefined, word: string | undefined): Found<AlertSeverity> | undefined =>
  status && word === 'down' ? withValue(status, 'high', 'down is high') : undefined;

const expiryOf = (text: Found | undefined): Found<AlertSeverity> | undefined =>
  text && /\bwill (?:be )?expired?\b/.test(text.value)
    ? withValue(text, 'warning', 'what will expire warns')
    : undefined;

function stateOf(status: Found | undefined): Found<AlertState> {
  if (status === undefined) return rule('event', 'there is no monitor');
  return withValue(status, status.value === '1' ? 'resolved' : 'firing');
}

/** Its times are UTC without saying so: `2023-07-31 18:56:15.374`. */
const utc = (time: Found | undefined): Found | undefined =>
  time && withValue(time, time.value.replace(/^(\d{4}-\d\d-\d\d) ([\d:.]+)$/, '$1T$2Z'));
