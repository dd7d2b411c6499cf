import * as z from 'zod/mini';

/** Most push subscriptions of one member, over all browsers and devices. It bounds the work for one alert. */
export const MAX_PUSH_SUBSCRIPTIONS = 10;

/** Answer of `GET /api/push/vapid-public-key`: the key that a browser subscribes with, base64url of 65 bytes. */
export const vapidPublicKeySchema = z.object({ publicKey: z.string() });
export type VapidPublicKey = z.infer<typeof vapidPublicKeySchema>;

/** Browsers give keys in base64url, some clients send base64: both are accepted, base64url without padding is kept. */
const toBase64Url = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** A browser's public key: a point on P-256, uncompressed, so 65 bytes of which the first is 4 (RFC 8291 section 3.1). */
const p256dhSchema = z
  .string()
  .check(
    z.regex(/^B[A-P][\w+/-]{85}=?$/, 'must be an uncompressed P-256 public key of 65 bytes, in base64url'),
    z.overwrite(toBase64Url),
  );

/** A browser's authentication secret: 16 bytes (RFC 8291 section 3.2). */
const authSchema = z
  .string()
  .check(z.regex(/^[\w+/-]{22}={0,2}$/, 'must be a secret of 16 bytes, in base64url'), z.overwrite(toBase64Url));

/** Where a browser's push service takes messages for it: https, and secret like a key. */
export const pushEndpointSchema = z
  .url({ protocol: /^https$/, error: 'must be an https address' })
  .check(z.maxLength(2048));

/**
 * Body of `POST /api/push/subscribe`: a browser's `PushSubscription` as its `toJSON()` gives it. The
 * same endpoint again takes the new keys, and the member who sends it as its owner.
 */
export const newPushSubscriptionSchema = z.object({
  endpoint: pushEndpointSchema,
  keys: z.object({ p256dh: p256dhSchema, auth: authSchema }),
  /** Nobody asked for it: the browser replaced a subscription that was sent in the session. */
  isRenewal: z.optional(z.boolean()),
});
export type NewPushSubscription = z.infer<typeof newPushSubscriptionSchema>;

/** Answer of `POST /api/push/subscribe`. The endpoint and the keys are secrets that leave the server no more. */
export const pushSubscriptionSchema = z.object({ id: z.string(), createdAt: z.iso.datetime() });
export type PushSubscriptionReceipt = z.infer<typeof pushSubscriptionSchema>;

/** Body of `DELETE /api/push/subscribe`. */
export const endedPushSubscriptionSchema = z.object({ endpoint: pushEndpointSchema });

/**
 * One row of `GET /api/push/subscriptions`: a browser of the member's that is notified of alerts. `device` is made of what the
 * browser called itself ("Chrome on Windows"); `lastSuccessAt`, absent before the first, is written at most once an hour.
 */
export const pushDeviceSchema = z.object({
  id: z.string(),
  device: z.string(),
  createdAt: z.iso.datetime(),
  lastSuccessAt: z.optional(z.iso.datetime()),
  /** It is the browser, or shares the session of the browser, that asks. */
  isThisSession: z.boolean(),
});
export type PushDevice = z.infer<typeof pushDeviceSchema>;

/** Path parameter of `DELETE /api/push/subscriptions/{id}`. */
export const pushSubscriptionIdParamsSchema = z.object({ id: z.uuid() });

/** Body of `POST /api/push/test`: the browser's own endpoint. */
export const pushTestSchema = z.object({ endpoint: pushEndpointSchema });

/**
 * How far a test message came: `sent`, the push service took it and what is missing is between it and the browser; `gone`,
 * the push service knows the subscription no more, and neither does the server now; `refused`, it said no; `unreachable`,
 * no connection; `timeout`, no answer in time.
 */
export const pushTestOutcomeSchema = z.enum(['sent', 'gone', 'refused', 'unreachable', 'timeout']);
export type PushTestOutcome = z.infer<typeof pushTestOutcomeSchema>;

/** Answer of `POST /api/push/test`: the step that failed, if one did, and one plain sentence about it. */
export const pushTestResultSchema = z.object({
  outcome: pushTestOutcomeSchema,
  /** What the push service answered, if it did. */
  status: z.optional(z.int()),
  detail: z.string(),
});
export type PushTestResult = z.infer<typeof pushTestResultSchema>;

/** Most alerts that one message withdraws. */
export const MAX_WITHDRAWN = 50;

/** What every push message has for people. */
const shown = { title: z.string(), body: z.string(), tag: z.string(), url: z.string() };

/**
 * What a service worker finds in a push message. `title` and `body` are for people; `tag` is the notification's, so
 * that a repeated message replaces the one on screen; `url` is where a click leads, a path of this server.
 *
 * - `new_alert` is one alert.
 * - `new_alerts` is sent when more came at once than a person wants to be notified one by one: it counts them, and `isMore`
 *   says that there may have been more. It counts what came since the message before: whoever shows it in the place of
 *   another adds the two.
 * - `alert_withdrawn`: these alerts, of which this browser was notified one by one a short time ago, were accepted by somebody,
 *   completed or deleted. The worker closes their notifications (their tags: `tagOfAlert`). It is not sent to a session whose page is
 *   connected: that one receives `alert_accepted` and closes them itself. With `several` everything is over that `new_alerts` has
 *   counted, so many, of which `alertIds` may name a part: the worker closes that notification, too, where it counts no more than
 *   that. No page closes it.
 * - `notice` is no news of one alert (`isUrgent`: also in quiet hours and pauses): what a colleague did that concerns the member (mentioned them, gave them alerts), or
 *   alerts that came back into the inbox. A window that announced it names `noticeId`. With `untakenAlertId` it says that nobody
 *   has taken that alert: it is closed with the alert's own notification.
 * - `test` was asked for in Settings, and is shown whatever else was decided.
 *
 * Browsers count pushes for which nothing is shown; Safari ends a subscription after three, even with a window in front. A
 * worker that leaves the news to a window, or has nothing to close, is safe when it shows `title` and `body`, silent, under
 * `tag`, and closes that before its event ends.
 */
export const pushMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('new_alert'), alertId: z.string(), ...shown }),
  z.object({ type: z.literal('new_alerts'), count: z.int().check(z.minimum(2)), isMore: z.boolean(), ...shown }),
  z.object({
    type: z.literal('alert_withdrawn'),
    alertIds: z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_WITHDRAWN)),
    several: z.optional(z.int().check(z.positive())),
    ...shown,
  }),
  z.object({
    type: z.literal('notice'),
    noticeId: z.string(),
    isUrgent: z.optional(z.literal(true)),
    untakenAlertId: z.optional(z.string()),
    ...shown,
  }),
  z.object({ type: z.literal('test'), ...shown }),
]);
export type PushMessage = z.infer<typeof pushMessageSchema>;
