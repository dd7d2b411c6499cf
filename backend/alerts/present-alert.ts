import type { PublishedAlert } from '#backend/live/event-bus.ts';
import { type JsonText, jsonText } from '#backend/endpoint/json-text.ts';
import type { StoredAlert } from './alert-entity.ts';

/** What of an alert leaves the server. */
type PresentableAlert = Omit<StoredAlert, 'sourceName'>;

/**
 * An alert as it leaves the server. Payload and extra data are put in as the texts they
 * are stored as: parsing them would lose digits and key order.
 */
export function presentAlert(alert: PresentableAlert, ownerName: string | null): JsonText {
  const owner = alert.ownerId
    ? `,"ownerId":${JSON.stringify(alert.ownerId)}${ownerName === null ? '' : `,"ownerName":${JSON.stringify(ownerName)}`}`
    : '';
  const folder = alert.folderId ? `,"folderId":${JSON.stringify(alert.folderId)}` : '';
  return jsonText(
    `{"id":${JSON.stringify(alert.id)},"payload":${alert.payload},"extraData":${alert.extraData},` +
      `"customer":${JSON.stringify(alert.customer)},"alertType":${JSON.stringify(alert.alertType)},` +
      `"timestamp":"${new Date(alert.receivedAt).toISOString()}","status":"${alert.status}",` +
      `"url":${JSON.stringify(alert.url)}${owner}${folder}}`,
  );
}

/** An alert as events carry it. Its JSON is made when somebody listens, and then once. */
export function publishedAlert(alert: PresentableAlert, ownerName: string | null): PublishedAlert {
  let json: JsonText | undefined;
  return {
    id: alert.id,
    customer: alert.customer,
    alertType: alert.alertType,
    ownerId: alert.ownerId,
    get json() {
      return (json ??= presentAlert(alert, ownerName));
    },
  };
}
