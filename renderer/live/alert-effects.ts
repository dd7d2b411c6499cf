import type { Alert } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { type AlertListChange, dropAlert, putAlert } from '#renderer/lib/alerts/alert-pages.ts';

/** What an event means for the lists on this screen. */
export interface AlertEffects {
  /** The alert in question; absent when the event is about none. */
  alertId?: string;
  inbox?: AlertListChange;
  mine?: AlertListChange;
  /** My queue has an alert that is nowhere at hand. */
  mineIsMissingAlert?: true;
  /** Somebody else accepted the alert. */
  acceptedBy?: string;
}

type Event<Type extends LiveEvent['type']> = Extract<LiveEvent, { type: Type }>;

export const onNewAlert = ({ alert }: Event<'new_alert'>): AlertEffects => ({
  alertId: alert.id,
  inbox: putAlert(alert),
});

/** Accepted by me, here or in another tab, the alert moves to my queue; else it just leaves the inbox. */
export function onAlertAccepted(
  { alertId, ownerId, ownerName }: Event<'alert_accepted'>,
  me: string | undefined,
  atHand: { inInbox: Alert | undefined; inMine: Alert | undefined },
): AlertEffects {
  const leaves = { alertId, inbox: dropAlert(alertId) };
  if (ownerId !== me) return { ...leaves, acceptedBy: ownerName };
  if (atHand.inMine) return leaves;
  if (!atHand.inInbox) return { ...leaves, mineIsMissingAlert: true };
  return { ...leaves, mine: putAlert({ ...atHand.inInbox, status: 'accepted', ownerId, ownerName }) };
}

export const onAlertUnaccepted = ({ alert }: Event<'alert_unaccepted'>): AlertEffects => ({
  alertId: alert.id,
  inbox: putAlert(alert),
  mine: dropAlert(alert.id),
});

/** My Alerts holds what I own and have not filed in a folder (contract.md section 4). */
export const onAlertUpdated = ({ alert }: Event<'alert_updated'>, me: string | undefined): AlertEffects => ({
  alertId: alert.id,
  mine: alert.ownerId === me && alert.folderId === undefined ? putAlert(alert) : dropAlert(alert.id),
});

export const onAlertDeleted = ({ alertId }: Event<'alert_deleted'>): AlertEffects => ({
  alertId,
  inbox: dropAlert(alertId),
  mine: dropAlert(alertId),
});
