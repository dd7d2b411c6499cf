import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import type { RenderedMessage } from './kind.ts';

/** What people do with an alert by the buttons of its message in a chat. */
export const CHAT_ACTIONS = ['accept', 'start', 'complete', 'snooze'] as const;
export type ChatAction = (typeof CHAT_ACTIONS)[number];

export const CHAT_ACTION_LABELS: Record<ChatAction, string> = {
  accept: 'Accept',
  start: 'Start',
  complete: 'Complete',
  snooze: 'Snooze 1 hour',
};

/** A press of Snooze lasts so long, in milliseconds. */
export const CHAT_SNOOZE_MS = 60 * 60 * 1000;

/** Buttons that a message has while its alert is so. None about several alerts: a press would act on one of them. */
export function actionsFor({ alert, group }: OutgoingPayload['data']): readonly ChatAction[] {
  if (group) return [];
  switch (alert.status) {
    case 'pending':
      return CHAT_ACTIONS;
    case 'accepted':
      return ['start', 'complete', 'snooze'];
    case 'in-progress':
      return ['complete', 'snooze'];
    case 'completed':
      return [];
  }
}

/**
 * Names what Alertdesk posted among a chat's messages: by its message, and by the alert whose message it is. One about several
 * alerts is no alert's own.
 */
export const marksOf = ({ id, payload: { data } }: RenderedMessage) => ({
  message_id: id,
  ...(data.group === undefined && { alert_id: data.alert.id }),
});

/** Says which alert a button is about, and by which destination it was posted. */
export const actionValue = (destinationId: string, alertId: string): string => `${destinationId}:${alertId}`;

const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const VALUE = new RegExp(`^(${ID}):(${ID})$`);

/** Reads {@link actionValue}; undefined for what is none. */
export function readActionValue(value: unknown): { destinationId: string; alertId: string } | undefined {
  const [, destinationId, alertId] = VALUE.exec(typeof value === 'string' ? value : '') ?? [];
  return destinationId === undefined || alertId === undefined ? undefined : { destinationId, alertId };
}

export const isChatAction = (text: unknown): text is ChatAction => CHAT_ACTIONS.includes(text as ChatAction);
