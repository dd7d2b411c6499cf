import type { Alert } from '#backend/contract/alert.ts';
import { isEmptyValue, isNested, isHeadlineKey, summariseValue } from '#renderer/alerts/data/summarise-value.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';

/** Payload fields on a card: what fits at a glance. */
const CARD_FIELDS = 4;

/** Keys that a card never repeats, in lower case. */
const EXCLUDED = new Set(['customer', 'alerttype', 'alert type', 'alert_type', 'type', 'pk']);

/** Keys whose value the card shows as the customer or the alert type. */
const CUSTOMER_KEYS = new Set(['customer', 'Customer', 'customerName']);
const TYPE_KEYS = new Set(['alerttype', 'alert_type', 'alert type', 'type']);

/** Names of what machines need and people do not: ids, versions, hashes. */
const PLUMBING = /^(id|uuid|guid|hash|version|fingerprint|.*(_id|Id|ID|_ids|_key|Key|_version|version|contenttype))$/;

/** A text longer than this is cut on the card and given in full in Extra Information. */
const LONG_TEXT = 240;

/** A field of an alert: its key in the payload or extra data, its name as shown, its value as received. */
export interface AlertField {
  /** Unlike the key, the same for no other field of the alert. */
  id: string;
  key: string;
  name: string;
  value: unknown;
}

/** What a card shows of an alert, and what is left for Extra Information. */
interface CardFields {
  shown: AlertField[];
  extra: AlertField[];
}

/**
 * Chooses up to 4 payload fields for the card; the rest of payload and extra data is for Extra Information
 * (docs/decisions/0008-what-a-card-shows.md).
 *
 * A payload that begins with four plain values was written by someone who put what matters first: its order is kept,
 * only empty values go last. A payload with objects in it that begins otherwise is a machine's envelope, in which order
 * means little, so that what a person reads first comes first, within each of these in the payload's order: (1) what happened and how it stands (title,
 * message, status, severity, action …), (2) objects that have such a headline inside, shown as one line, (3) other
 * values, (4) ids, versions, hashes and long texts, (5) empty values.
 *
 * An object is only summarised on the card and a long text is cut, so both are in Extra Information too; nothing that
 * was received is out of reach.
 */
export function cardFields(alert: Alert): CardFields {
  const { extraData, customer, alertType } = alert;
  const payload = alert.latestPayload ?? alert.payload;
  const fields = Object.entries(payload)
    .filter(([key, value]) => !(key === 'extraData' && isNested(value) && !Array.isArray(value)))
    .map(([key, value]) => toField('payload', key, value));
  const eligible = fields.filter(
    ({ key, value }) => !key.startsWith('_') && !EXCLUDED.has(key.toLowerCase()) && !isTitle(value, alert.title),
  );
  const isEnvelope =
    eligible.some(({ value }) => isNested(value) && !isEmptyValue(value)) &&
    !eligible.slice(0, CARD_FIELDS).every((field) => !isNested(field.value) && envelopeRank(field) <= VALUE);
  const rank = isEnvelope ? envelopeRank : ({ value }: AlertField) => (isEmptyValue(value) ? 1 : 0);
  const shown = eligible
    .map((field) => ({ field, rank: rank(field) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, CARD_FIELDS)
    .map(({ field }) => field);
  const labels = labelFields(alert, payload);
  const isOnCard = (field: AlertField): boolean =>
    (labels.length === 0 && shown.includes(field) && isShownInFull(field.value)) ||
    isInLead(field, customer, alertType) ||
    isTitle(field.value, alert.title);
  return {
    shown: labels.length > 0 ? labels.slice(0, CARD_FIELDS) : shown,
    extra: [
      ...fields.filter((field) => !isOnCard(field)),
      ...Object.entries(extraData).map(([key, value]) => toField('extraData', key, value)),
    ],
  };
}

/**
 * The labels of an alert that was split from a delivery of Alertmanager or Grafana, without what its headline says
 * already. They are a card's fields; the payload's own fields are then in Extra Information, all of them.
 */
function labelFields(alert: Alert, payload: Record<string, unknown>): AlertField[] {
  const { labels } = payload;
  if (alert.title === null || typeof labels !== 'object' || labels === null || Array.isArray(labels)) return [];
  const said = new Set([alert.title, alert.customer, alert.alertType]);
  return Object.entries(labels)
    .filter(
      ([key, value]) => key !== 'severity' && !key.startsWith('_') && typeof value === 'string' && !said.has(value),
    )
    .map(([key, value]) => ({ id: `labels.${key}`, key, name: inertLine(key.replaceAll('_', ' ')) || key, value }));
}

/** Rank of a plain value of no special name; see {@link cardFields}. */
const VALUE = 3;

const toField = (source: 'payload' | 'extraData', key: string, value: unknown): AlertField => ({
  id: `${source}.${key}`,
  key,
  name: inertLine(key.replaceAll('_', ' ')) || key,
  value,
});

function envelopeRank({ key, value }: AlertField): number {
  if (isEmptyValue(value)) return 5;
  if (isNested(value)) return summariseValue(value).headline && !Array.isArray(value) ? 2 : nestedRank(value);
  if (isHeadlineKey(key)) return 1;
  return PLUMBING.test(key) || (typeof value === 'string' && value.length > LONG_TEXT) ? 4 : VALUE;
}

/** An object that holds nothing but ids says no more than an id. */
function nestedRank(value: object): number {
  return !Array.isArray(value) && Object.keys(value).every((key) => PLUMBING.test(key)) ? 4 : VALUE;
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
