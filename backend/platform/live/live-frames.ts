import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import type { Audience, DomainEvent, EventOrigin } from './event-bus.ts';
import { type JsonText, jsonText, jsonArray } from '#backend/platform/endpoint/json-text.ts';
import { textFrame } from './text-frame.ts';

/** An event as it crosses the wire; undefined for what stays in the server. */
export function eventText(event: DomainEvent): JsonText | undefined {
  switch (event.type) {
    case 'new_alert':
      return jsonText(`{"type":"new_alert","alert":${event.alert.json}${event.quiet ? ',"quiet":true' : ''}}`);
    case 'alert_unaccepted':
      return jsonText(`{"type":"alert_unaccepted","alert":${event.alert.json}}`);
    case 'alert_updated':
      return jsonText(
        `{"type":"alert_updated","alert":${event.alert.json}${event.reason ? `,"reason":"${event.reason}"` : ''}}`,
      );
    case 'alert_accepted':
    case 'alert_deleted':
    case 'alerts_changed':
    case 'alerts_returned':
    case 'lists_changed':
    case 'maintenance_changed':
      return jsonText(JSON.stringify(event));
    case 'source_changed':
      // Of a log that has news, `source_counted` brings them; only unknown keys have no counts.
      if (!event.isEdited && event.sourceId !== null) return undefined;
      return jsonText(JSON.stringify({ type: event.type, sourceId: event.sourceId }));
    case 'source_counted': {
      const { sourceId, counts } = event;
      return jsonText(JSON.stringify({ type: 'source_changed', sourceId, counts }));
    }
    case 'notes_changed':
    case 'ladder_changed':
      return jsonText(JSON.stringify({ type: event.type, alertId: event.alertId }));
    case 'member_notified':
      return jsonText(JSON.stringify({ type: event.type, notice: event.notice }));
    case 'notices_changed': {
      const { type, noticeIds, isRead } = event;
      return jsonText(JSON.stringify({ type, noticeIds, isRead }));
    }
    case 'notification_settings_changed':
    case 'folders_changed':
    case 'profile_changed':
    case 'views_changed':
    case 'members_changed':
    case 'outgoing_changed':
    case 'rules_changed':
    case 'heartbeats_changed':
      return jsonText(JSON.stringify({ type: event.type }));
    case 'notice_chosen':
      return jsonText(JSON.stringify({ type: event.type, alertId: event.alertId, choice: event.choice }));
    case 'looking_changed': {
      const { type, alertId, people } = event;
      return jsonText(JSON.stringify({ type, alertId, people }));
    }
    case 'view_counted': {
      const { type, viewId, alerts, timeZone } = event;
      return jsonText(JSON.stringify({ type, viewId, alerts, timeZone }));
    }
    case 'alerts_given':
    case 'alerts_retitled':
    case 'member_disabled':
    case 'session_ended':
    case 'session_listening':
    case 'server_looking':
    case 'resync':
    case 'live_delayed':
      return undefined;
  }
}

/** The place in the feed up to which a client knows everything that was sent to it before. */
export const placeText = (place: string): JsonText => jsonText(JSON.stringify({ type: 'place', place }));

/** An event that is to be sent, a greeting to everybody or a place to those who follow the feed, with its JSON. */
export interface PendingEvent {
  event: DomainEvent | 'greeting' | 'place';
  origin: EventOrigin;
  text: JsonText;
}

/** To whom it is sent, and how. */
export interface Recipient {
  actor: Actor;
  /** Many events a frame. */
  isBatched: boolean;
  /** Is sent its place in the feed. */
  isPlaced: boolean;
}

/** What a client is sent at once. */
export interface Delivery {
  /** WebSocket frames, headers included. */
  frames: readonly Buffer[];
  events: number;
}

/**
 * Joined frames that are made of one window at most: one for each audience, in the order in which they are met. Further
 * audiences get a frame per event, which all share, so that memory is bounded by the window, whoever may receive what.
 */
const MAX_JOINED_FRAMES = 8;

/**
 * The frames of one window. Clients that may receive exactly the same events share the same buffers: with 800 clients and
 * an event of 1 MiB, a buffer each takes 800 MB.
 */
export function createWindowFrames(
  window: readonly PendingEvent[],
  { receives, isForEverybody }: Audience,
): (client: Recipient) => Delivery {
  // Most windows hold nothing but what everybody may receive, and then nobody is asked.
  const restricted = window.filter(({ event }) =>
    typeof event === 'string' ? event === 'place' : !isForEverybody(event),
  );
  const plain = new Map<PendingEvent, Buffer>();
  const alone = new Map<PendingEvent, Buffer>();
  const deliveries = new Map<string, Delivery>();
  let joined = 0;

  const shared = (made: Map<PendingEvent, Buffer>, pending: PendingEvent, textOf: (text: JsonText) => JsonText) => {
    const known = made.get(pending);
    if (known) return known;
    const buffer = textFrame(textOf(pending.text));
    made.set(pending, buffer);
    return buffer;
  };
  const framesOf = (received: readonly PendingEvent[], isBatched: boolean): Buffer[] => {
    if (!isBatched) return received.map((pending) => shared(plain, pending, (text) => text));
    if (received.length > 1 && joined < MAX_JOINED_FRAMES) {
      joined += 1;
      return [textFrame(jsonArray(received.map(({ text }) => text)))];
    }
    return received.map((pending) => shared(alone, pending, (text) => jsonArray([text])));
  };

  return ({ actor, isBatched, isPlaced }) => {
    const isReceived = restricted.map(({ event }) => (typeof event === 'string' ? isPlaced : receives(actor, event)));
    const key = `${isBatched}${isReceived.map(Number).join('')}`;
    const known = deliveries.get(key);
    if (known) return known;
    const withheld = new Set(restricted.filter((_, index) => !isReceived[index]));
    const received = window.filter((pending) => !withheld.has(pending));
    const delivery = { frames: framesOf(received, isBatched), events: received.length };
    deliveries.set(key, delivery);
    return delivery;
  };
}
