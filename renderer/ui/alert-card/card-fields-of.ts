import type { Alert } from '#backend/contract/alert.ts';
import { type CardFields, cardFields } from './card-fields.ts';

const known = new WeakMap<Alert, CardFields>();

/** {@link cardFields}, worked out once for each alert as it stands: lists ask for it at every scroll. */
export function cardFieldsOf(alert: Alert): CardFields {
  const found = known.get(alert) ?? cardFields(alert);
  known.set(alert, found);
  return found;
}
