import type { AlertsReturned, MemberNotice } from '#backend/contract/live-event.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatHours } from '#renderer/lib/times.ts';
import type { Notice } from './notice-state.ts';

/** Where several alerts that came to the member are, and several that came back to everybody. */
const QUEUE = '/my-alerts';
const INBOX = '/';

export const pathOfAlert = (id: string): string => `/alert/${encodeURIComponent(id)}`;

/** The notification of what a colleague did that concerns the member. */
export function noticeOfMember({ kind, alertId, alerts = 1, alertTitle, text, ...names }: MemberNotice): Notice {
  const title = titleOf(kind, inertLine(names.byName), alerts, names.toName && inertLine(names.toName));
  const about = [alertTitle, text].flatMap((part) => (part ? [inertLine(part)] : [])).join(': ');
  const isTheirs = kind !== 'reassigned';
  return {
    title,
    body: about,
    tag: `${kind} ${alertId}`,
    path: alerts === 1 && isTheirs ? pathOfAlert(alertId) : QUEUE,
  };
}

function titleOf(kind: MemberNotice['kind'], by: string, alerts: number, to = ''): string {
  const what = alerts === 1 ? 'an alert' : `${alerts.toLocaleString('en')} alerts`;
  switch (kind) {
    case 'mentioned':
      return `${by} mentioned you`;
    case 'assigned':
      return `${by} assigned ${what} to you`;
    case 'handed_over':
      return `${by} handed over ${what} to you`;
    case 'reassigned':
      return by === to ? `${by} took ${what} of yours` : `${by} gave ${what} of yours to ${to}`;
  }
}

/** The notification of alerts that the server put back into the inbox, as the member `me` reads it. */
export function noticeOfReturn(event: AlertsReturned, me: string): Notice {
  const { alerts, alertId, ownerId, ownerName, untouchedHours } = event;
  const title =
    alerts === 1 ? 'An alert is back in the inbox' : `${alerts.toLocaleString('en')} alerts are back in the inbox`;
  const owner = ownerId === me ? 'You' : inertLine(ownerName);
  const body =
    untouchedHours === null
      ? `The account of ${owner} is disabled`
      : `${owner} had not touched ${alerts === 1 ? 'it' : 'them'} for ${formatHours(untouchedHours)}`;
  return { title, body, tag: `returned ${alertId}`, path: alerts === 1 ? pathOfAlert(alertId) : INBOX };
}
