import { z } from 'zod';
import { alertSeveritySchema, alertStatusSchema } from '#backend/contract/alert.ts';
import { liveEventSchema, updateReasonSchema } from '#backend/contract/live-event.ts';
import { roleSchema } from '#backend/contract/session.ts';
import { viewListSchema } from '#backend/contract/view.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { PLAIN_EVENTS } from '#backend/platform/feed/feed-facts.ts';
import type { DomainEvent, PublishedAlert } from '#backend/platform/live/event-bus.ts';

/**
 * An alert as it crosses from server to server, without its texts: its JSON follows the message's header, `length` UTF-16 units
 * long, and its payload is a part of that. So no payload is escaped, parsed or sent twice, and every digit stays.
 */
const crossingAlertSchema = z.object({
  id: z.string(),
  customer: z.string().nullable(),
  alertType: z.string().nullable(),
  sourceId: z.string().nullable(),
  ownerId: z.string().nullable(),
  status: alertStatusSchema,
  isSnoozed: z.boolean(),
  /** A server of the release before sends none. */
  isQuiet: z.boolean().default(false),
  folderId: z.string().nullable(),
  label: z.string().nullable().default(null),
  isTest: z.boolean().default(false),
  isFlapping: z.boolean().default(false),
  severity: alertSeveritySchema,
  title: z.string().nullable(),
  url: z.string(),
  length: z.int().nonnegative(),
  payloadAt: z.int().nonnegative(),
  payloadLength: z.int().nonnegative(),
});
type CrossingAlert = z.infer<typeof crossingAlertSchema>;

/** Every event that other servers receive. Choices of views and counts of sources are not among them: each server makes its own. */
const crossingEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('new_alert'),
    alert: crossingAlertSchema,
    quiet: z.boolean().optional(),
    /** Milliseconds since its webhook was read, by its server's clock, when the message was made. */
    ageMs: z.number().nonnegative().optional(),
  }),
  z.object({ type: z.literal('alert_unaccepted'), alert: crossingAlertSchema }),
  z.object({ type: z.literal('alert_updated'), alert: crossingAlertSchema, reason: z.optional(updateReasonSchema) }),
  ...PLAIN_EVENTS,
  z.object({
    type: z.literal('view_counted'),
    viewId: z.string(),
    alerts: z.int().nonnegative(),
    timeZone: z.string().nullable(),
    userId: z.string().nullable(),
    list: viewListSchema,
  }),
  z.object({
    type: z.literal('session_listening'),
    sessionId: z.string(),
    userId: z.string(),
    isListening: z.boolean(),
  }),
  z.object({
    type: z.literal('server_looking'),
    serverId: z.string(),
    looks: z.array(z.tuple([z.string(), z.string(), z.string(), roleSchema])),
  }),
]);
type CrossingEvent = z.infer<typeof crossingEventSchema>;

/** What other servers receive, although it is not written down. */
const PASSING: ReadonlySet<DomainEvent['type']> = new Set([
  'source_changed',
  'view_counted',
  'session_listening',
  'server_looking',
]);

/** Whether other servers receive events of this type that are in no row of the feed. */
export const isPassing = ({ type }: DomainEvent): boolean => PASSING.has(type);

/** How much an event takes of a message, about, in UTF-16 units. */
export const sizeOf = (event: DomainEvent): number =>
  'alert' in event
    ? event.alert.content.payload.length + 1_000
    : 200 + (event.type === 'server_looking' ? event.looks.length * 150 : 0);

const PAYLOAD = '"payload":';

/** The event for a message's header, and the text that follows it. */
export function encodeEvent(event: DomainEvent): { header: object; text: string } {
  if (!('alert' in event)) return { header: event, text: '' };
  const { alert } = event;
  const { json, id, customer, alertType, sourceId, ownerId, status, isSnoozed, isQuiet, content } = alert;
  const { folderId, label, isTest, isFlapping, severity, title, url, payload } = content;
  const crossing: CrossingAlert = {
    id,
    customer,
    alertType,
    sourceId,
    ownerId,
    status,
    isSnoozed,
    isQuiet,
    folderId,
    label,
    isTest,
    isFlapping,
    severity,
    title,
    url,
    length: json.length,
    // The first member that is called so: only the id comes before it.
    payloadAt: json.indexOf(PAYLOAD) + PAYLOAD.length,
    payloadLength: payload.length,
  };
  if (event.type !== 'new_alert' || event.readAt === undefined)
    return { header: { ...event, alert: crossing }, text: json };
  // A moment of this process's clock says nothing to another: what crosses is how long ago it was.
  const { readAt, ...sent } = event;
  return { header: { ...sent, alert: crossing, ageMs: performance.now() - readAt }, text: json };
}

/**
 * The event that another server sent, with the text that was left for it; undefined when this version does not know it.
 *
 * @param textOf takes the next so many UTF-16 units of the message's text.
 */
export function decodeEvent(sent: unknown, textOf: (length: number) => string): DomainEvent | undefined {
  const parsed = crossingEventSchema.safeParse(sent);
  if (!parsed.success) {
    // The texts of those behind it are to be found all the same.
    const { data } = z.object({ alert: z.object({ length: z.int().nonnegative() }) }).safeParse(sent);
    if (data) textOf(data.alert.length);
    return undefined;
  }
  const event: CrossingEvent = parsed.data;
  switch (event.type) {
    case 'new_alert': {
      const { ageMs, quiet } = event;
      const alert = alertOf(event.alert, textOf(event.alert.length));
      if (!alert) return undefined;
      const readAt = ageMs === undefined ? undefined : performance.now() - ageMs;
      return { type: event.type, alert, ...(quiet && { quiet }), ...(readAt !== undefined && { readAt }) };
    }
    case 'alert_unaccepted':
    case 'alert_updated': {
      const alert = alertOf(event.alert, textOf(event.alert.length));
      return alert && ({ ...event, alert } as DomainEvent);
    }
    case 'alerts_changed':
    case 'alerts_returned': {
      const { data } = liveEventSchema.safeParse(event);
      return data?.type === 'alerts_changed' || data?.type === 'alerts_returned' ? data : undefined;
    }
    default:
      return event as DomainEvent;
  }
}

function alertOf(crossing: CrossingAlert, text: string): PublishedAlert | undefined {
  const { folderId, label, isTest, isFlapping, severity, title, url, length, payloadAt, payloadLength, ...alert } =
    crossing;
  if (text.length !== length || !isJson(text)) return undefined;
  const payload = text.slice(payloadAt, payloadAt + payloadLength);
  const content = { folderId, label, isTest, isFlapping, severity, title, url, payload };
  return { ...alert, content, json: jsonText(text) };
}

/** Pages of this server would receive a broken text in the middle of a frame. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
