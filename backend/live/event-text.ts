import { type JsonText, jsonText } from '#backend/endpoint/json-text.ts';
import type { DomainEvent } from './event-bus.ts';

/** An event as it crosses the wire; undefined for what stays in the server. */
export function eventText(event: DomainEvent): JsonText | undefined {
  switch (event.type) {
    case 'new_alert':
    case 'alert_unaccepted':
    case 'alert_updated':
      return jsonText(`{"type":"${event.type}","alert":${event.alert.json}}`);
    case 'alert_accepted':
    case 'alert_deleted':
    case 'lists_changed':
      return jsonText(JSON.stringify(event));
    case 'notification_settings_changed':
    case 'folders_changed':
      return jsonText(JSON.stringify({ type: event.type }));
    case 'session_ended':
      return undefined;
  }
}
