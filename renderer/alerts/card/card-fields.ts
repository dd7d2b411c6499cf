import type { Alert } from '#backend/contract/alert.ts';
import { TECHNICAL_KEY } from '#backend/contract/problem-words.ts';
import { isEmptyValue, isNested, plainKey, plainText } from '#renderer/alerts/data/summarise-value.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatValue } from './format-value.ts';
import { repeatsOf } from './repeats.ts';

/** Payload fields on a card: what fits at a glance. */
const CARD_FIELDS = 4;

/** Keys that a card never repeats, in lower case. */
const EXCLUDED = new Set(['customer', 'alerttype', 'alert type', 'alert_type', 'type', 'pk']);

/** Keys whose value the card shows as the customer or the alert type. */
const CUSTOMER_KEYS = new Set(['customer', 'Customer', 'customerName']);
const TYPE_KEYS = new Set(['alerttype', 'alert_type', 'alert type', 'type']);

/**
 * What is read first, the best first: where it happens, what is concerned, how much. Names without case, underscores and a
 * "name" at their end.
 */
const FIRST = [
  'host server node machine device computer vm',
  'service app application component repository repo project job workload deployment container monitor culprit',
  'instance pod target endpoint resource database queue',
  'value currentvalue amount total',
  'environment env stage',
  'region zone cluster datacenter location site namespace',
].map((names) => names.split(' '));

/** Ranks of what follows. */
const SHORT = FIRST.length;
const LONG = SHORT + 1;
const MINOR = SHORT + 2;
const TECHNICAL = SHORT + 3;

/** A longer value is a sentence rather than a value, in characters. */
const SHORT_TEXT = 40;

/** A text longer than this is cut on the card and given in full in Extra Information. */
const LONG_TEXT = 240;

/** Values that only a machine reads: ids with a prefix, hexadecimal numbers, UUIDs, resource names, long numbers. */
const IDENTIFIER =
  /^([a-z]{1,8}_[\da-zA-Z]{8,}|(0x)?[\da-f]{12,}|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|arn:.*|urn:.*|\d{9,}|(?=\S*\d)(?=\S*[a-zA-Z])[\w+=-]{24,})$/i;

/** Names of a thing inside of it: the thing's own name says more. */
const NAMING =
  /^(name|title|summary|fullname|displayname|label|login|username|value|slug|text|shortname|friendlyname)$/;

/** Moments that are no moments to {@link formatValue}: those without a time zone, and the zero of a clock. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?$/;

/** Objects that hold fields and are no thing. */
const HOLDER =
  /^(data|object|payload|event|alert|alerts|labels|commonlabels|grouplabels|annotations|commonannotations|attributes|details|customdetails|body|fields|properties|context|essentials|alertcontext|tags|metadata|message|content|extra|params|info)$/;

/** The zero of Go's clock, which senders written in Go use for "never". */
const NEVER = '0001-01-01T00:00:00Z';

/** A secret that was masked before it was stored. */
const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes('••••');

/** How deep values are looked for, and at how many of them. */
const DEEPEST = 4;
const MOST_LEAVES = 300;

/** A field of an alert: its key in the payload or extra data, its name as shown, its value as received. */
export interface AlertField {
  /** Unlike the key, the same for no other field of the alert: the path in what was received. */
  id: string;
  key: string;
  name: string;
  value: unknown;
}

/** What a card shows of an alert, and what is left for Extra Information. */
export interface CardFields {
  shown: AlertField[];
  extra: AlertField[];
  /** The first one is what was looked for: it is shown, cut or not. */
  isFirstFound?: true;
}

/**
 * Chooses up to 4 fields for the card; the rest of payload and extra data is for Extra Information
 * (docs/decisions/0008-what-a-card-shows.md).
 *
 * A field is a plain value, wherever in the payload it stands. None repeats what the card says otherwise, or another field.
 * First come host, service, instance, value, environment and region, then short values, those of the payload's upper levels
 * first, then texts, then moments and yes or no, and last ids and technical names. Empty values are left out.
 */
export function cardFields(alert: Alert): CardFields {
  const { extraData, customer, alertType } = alert;
  const payload = alert.latestPayload ?? alert.payload;
  const fields = Object.entries(payload)
    .filter(([key, value]) => !(key === 'extraData' && isNested(value) && !Array.isArray(value)))
    .map(([key, value]) => toField('payload', key, value));
  const shown = bestOf(candidatesIn(fields), alert);
  const isOnCard = (field: AlertField): boolean =>
    (shown.some(({ id }) => id === field.id) && isShownInFull(field.value)) ||
    isInLead(field, customer, alertType) ||
    isTitle(field.value, alert.title);
  return {
    shown,
    extra: [
      ...fields.filter((field) => !isOnCard(field)),
      ...Object.entries(extraData).map(([key, value]) => toField('extraData', key, value)),
    ],
  };
}

const nameOf = (key: string): string => inertLine(key.replaceAll('_', ' ')) || key;

const toField = (source: string, key: string, value: unknown): AlertField => ({
  id: `${source}.${key}`,
  key,
  name: nameOf(key),
  value,
});

/** A plain value with its depth. */
type Candidate = AlertField & { depth: number };

/** Every plain value among fields that a card may show. */
function candidatesIn(fields: readonly AlertField[]): Candidate[] {
  const found: Candidate[] = [];
  const visit = (field: AlertField, parent: string, depth: number): void => {
    const { id, key, value } = field;
    if (found.length >= MOST_LEAVES || key.startsWith('_') || isEmptyValue(value) || value === NEVER || isMasked(value))
      return;
    if (EXCLUDED.has(key.toLowerCase()) && (depth === 1 || !isNested(value))) return;
    if (!isNested(value)) {
      const isNaming = NAMING.test(plainKey(key)) && parent !== '' && !HOLDER.test(plainKey(parent));
      found.push({ ...field, ...(isNaming && { key: parent, name: nameOf(parent) }), depth });
    } else if (Array.isArray(value)) {
      if (depth < DEEPEST && value.every((item) => !isNested(item))) found.push({ ...field, depth });
    } else if (depth < DEEPEST) {
      for (const [inner, one] of Object.entries(value)) visit(toField(id, inner, one), key, depth + 1);
    }
  };
  for (const field of fields) visit(field, '', 1);
  return found;
}

/** The best of them, each saying something that neither the card nor a better one says. */
function bestOf(candidates: readonly Candidate[], alert: Alert): AlertField[] {
  const repeats = repeatsOf(alert);
  const ranked = candidates
    .map((candidate) => ({ candidate, rank: rankOf(candidate), depth: candidate.depth }))
    .sort((one, other) => one.rank - other.rank || one.depth - other.depth);
  const best: AlertField[] = [];
  const said = new Set<string>();
  for (const { candidate } of ranked) {
    const { id, key, name, value } = candidate;
    const text = plainText(Array.isArray(value) ? value.join(', ') : String(value));
    if (said.has(text) || said.has(`${plainKey(key)}:`) || repeats(key, text) || isArrival(candidate, alert)) continue;
    said.add(text).add(`${plainKey(key)}:`);
    best.push({ id, key, name, value });
    if (best.length === CARD_FIELDS) break;
  }
  return best;
}

/** Whether a value is a moment does not depend on the present one. */
const EPOCH = new Date(0);

/** A sender's clock, and what lies between it and the server, in milliseconds. */
const ON_THE_WAY_MS = 120_000;

/** Whether a field is the moment at which the alert came, which its card shows. */
function isArrival({ key, value }: Candidate, { timestamp, lastSeenAt }: Alert): boolean {
  const formatted = formatValue(key, value, EPOCH);
  if (formatted.kind !== 'time') return false;
  const moment = Date.parse(formatted.dateTime);
  return [timestamp, lastSeenAt].some((at) => Math.abs(Date.parse(at) - moment) <= ON_THE_WAY_MS);
}

function rankOf({ key, value }: Candidate): number {
  if (Array.isArray(value)) return MINOR;
  const text = String(value).trim();
  const { kind } = formatValue(key, value, EPOCH);
  if (kind === 'time' || LOCAL_TIME.test(text) || text === '0' || typeof value === 'boolean') return MINOR;
  if (kind === 'link' || IDENTIFIER.test(text) || text.length > LONG_TEXT) return TECHNICAL;
  const first = FIRST.findIndex((names) => names.includes(plainKey(key).replace(/(?<=.)name$/, '')));
  if (first !== -1 && text.length <= SHORT_TEXT * 2) return first;
  if (TECHNICAL_KEY.test(key)) return TECHNICAL;
  return text.length > SHORT_TEXT || text.includes('\n') ? LONG : SHORT;
}

function isShownInFull(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= LONG_TEXT && value.trim().split('\n').length <= 3;
  return !isNested(value) || isEmptyValue(value);
}

/** Whether a value is what the headline says. */
const isTitle = (value: unknown, title: string | null): boolean =>
  title !== null && typeof value === 'string' && value.trim() === title;

/** Whether the card already shows this value as the customer or the alert type, uncut. */
function isInLead({ key, value }: AlertField, customer: string | null, alertType: string | null): boolean {
  if (isNested(value) || value === null) return false;
  const text = String(value).trim();
  if (CUSTOMER_KEYS.has(key)) return text === customer;
  return TYPE_KEYS.has(key.toLowerCase()) && text === alertType;
}

const known = new WeakMap<Alert, CardFields>();

/** {@link cardFields}, worked out once for each alert as it stands: lists ask for it at every scroll. */
export function cardFieldsOf(alert: Alert): CardFields {
  const found = known.get(alert) ?? cardFields(alert);
  known.set(alert, found);
  return found;
}
