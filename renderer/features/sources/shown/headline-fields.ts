import type { ReadEvent } from '#backend/contract/delivery.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { type AlertField, cardFields } from '#renderer/alerts/card/card-fields.ts';
import { parseJson } from '#renderer/lib/parse-json.ts';

/** Most fields in the line of a headline card. */
const MOST = 3;

type Values = Pick<ReadEvent, 'title' | 'customer' | 'alertType' | 'severity' | 'payload'>;

/** The fields that a headline card shows of what was read, and how many more there are. */
export function headlineFields(event: Values): { shown: AlertField[]; more: number } {
  const payload = payloadOf(event.payload);
  const { labels } = payload;
  const isLabelled = typeof labels === 'object' && labels !== null && !Array.isArray(labels);
  const fields = isLabelled
    ? Object.entries(labels as Record<string, unknown>).map(([key, value]) => ({
        id: `labels ${key}`,
        key,
        name: key,
        value,
      }))
    : cardFields(asAlert(event, payload)).shown;
  const said = new Set([event.title, event.customer, event.alertType].map((text) => text?.trim().toLowerCase()));
  const shown = fields
    .filter(({ key, value }) => key !== 'severity' && !said.has(String(value).trim().toLowerCase()))
    .slice(0, MOST);
  const all = isLabelled ? Object.keys(payload).length - 1 + fields.length : Object.keys(payload).length;
  return { shown, more: Math.max(0, all - shown.length) };
}

/** What was read, as an alert that is not stored yet. */
const asAlert = ({ title, customer, alertType, severity }: Values, payload: Record<string, unknown>): Alert => ({
  id: '',
  version: 1,
  payload,
  extraData: {},
  customer,
  alertType,
  timestamp: '',
  status: 'pending',
  url: '',
  title,
  severity,
  state: 'event',
  occurrences: 1,
  lastSeenAt: '',
});

function payloadOf(text: string): Record<string, unknown> {
  try {
    const value = parseJson(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : { value };
  } catch {
    return {};
  }
}
