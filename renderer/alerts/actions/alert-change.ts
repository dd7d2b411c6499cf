import { type Alert, alertSchema } from '#backend/contract/alert.ts';
import type { BulkChange, BulkResult } from '#backend/contract/bulk.ts';
import { apiSend } from '#renderer/lib/api-client.ts';

type Without<Request> = Request extends unknown
  ? Omit<Request, 'ids' | 'filter' | 'expectedCount' | 'expectsMore' | 'upTo' | 'before'>
  : never;

/** The body of `POST /api/alerts/bulk` without which alerts it is about. */
export type ChangeRequest = Without<BulkChange>;

/** How an alert stood before a change, by which the change is taken back. */
export type AlertStanding = BulkResult['changed'][number];

/** A change of alerts: of one, of many, and what undo is made of. */
export interface AlertChange {
  /** What is asked for of many. */
  request: ChangeRequest;
  /** Asks for it of one. Throws an ApiError. */
  send: (alert: Alert) => Promise<Alert>;
  /** The alert as it will be, which is shown at once. It reads nothing of the alert but its {@link AlertStanding}. */
  apply: (alert: Alert) => Alert;
  /** The result for one alert: "Alert accepted". */
  title: string;
  description?: string;
  /** The result after a number: "accepted". */
  done: string;
  /** What is said under that; `description` by default. */
  doneDescription?: string | undefined;
  /** Why nothing came of it: "Could not accept the alert". */
  failed: string;
  /** Several members try the same, and all but one fail: no list is read again for that. */
  isRace?: boolean;
  /** That something was not found (404) may be said of a folder, not of the alert. */
  isOfFolder?: boolean;
}

/** Calls `{method} {path}/{id}/{call}`, which answers with the alert. */
export const callOf =
  (method: 'POST' | 'PATCH', path: '/api/alerts' | '/api/webhooks', call: string, body?: object) =>
  ({ id }: Pick<Alert, 'id'>): Promise<Alert> =>
    apiSend(method, `${path}/${encodeURIComponent(id)}/${call}`, { ...(body && { body }), schema: alertSchema });
