import type { ReadEvent } from '#backend/contract/delivery.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { type AlertField, cardFields } from '#renderer/alerts/card/card-fields.ts';
import { parseJson } from '#renderer/lib/parse-json.ts';

/** Most fields in the line of a headline card. */
const MOST = 3;

type Values = Pick<ReadEvent, 'title' | 'customer' | 'alertType' | 'severity' | 'state' | 'payload'>;

/** The fields that a headline card shows of what was read, and how many more there are. */
export function headlineFields(event: Values): { shown: AlertField[]; more: number } {
  const { shown, extra } = cardFields(asAlert(event, payloadOf(event.payload)));
  const isInExtra = ({ id }: AlertField): boolean => extra.some((one) => id.startsWith(`${one.id}.`));
  return {
    shown: shown.slice(0, MOST),
    more: extra.length + shown.slice(MOST).filter((one) => !isInExtra(one)).length,
  };
}

/** What was read, as an alert that is not stored yet. */
const asAlert = ({ title, customer, alertType, severity, state }: Values, payload: Record<string, unknown>): Alert => ({
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
  state,
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
