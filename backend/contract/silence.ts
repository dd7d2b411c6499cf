import * as z from 'zod/mini';

/** What stands before the mark in all that is written at senders, and by which its echo is recognised. */
export const SENDER_MARK = '[alertdesk:';

/** For how long a silence is asked for, in minutes; it is renewed while its alert stays accepted. */
export const MIN_SILENCE_MINUTES = 15;
export const MAX_SILENCE_MINUTES = 24 * 60;
export const DEFAULT_SILENCE_MINUTES = 4 * 60;

/** Which API a sender is asked by. `alertmanager` is Grafana's, too. */
export const senderApiKindSchema = z.enum(['alertmanager', 'zabbix', 'pagerduty', 'sentry', 'opsgenie']);
export type SenderApiKind = z.infer<typeof senderApiKindSchema>;

/** How requests to a sender's API are signed in. All but Alertmanager and Grafana take a token alone. */
export const senderAuthSchema = z.enum(['none', 'basic', 'bearer']);
export type SenderAuth = z.infer<typeof senderAuthSchema>;

/** Text that JSON can hold and no database can is replaced. */
const text = (most: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(most),
    z.overwrite((value) => value.toWellFormed()),
  );

/** Body of `PUT /api/sources/{id}/silencing`: the whole setting. The secret that is stored stays where none is written. */
export const silencingChangeSchema = z.object({
  kind: senderApiKindSchema,
  isOn: z.boolean(),
  /** Where the API is, without its path: for Alertmanager without `/api/v2`. */
  url: text(1_000).check(
    z.minLength(1),
    z.refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
      message: 'must be an address that begins with https:// or http://',
    }),
  ),
  auth: senderAuthSchema,
  /** The user name; for PagerDuty the email of the user who acknowledges, for Sentry the organization. */
  user: z.optional(text(200)),
  /** The password or the token. */
  secret: z.optional(text(2_000)),
  minutes: z.int().check(z.minimum(MIN_SILENCE_MINUTES), z.maximum(MAX_SILENCE_MINUTES)),
  /** What is completed here is resolved there. PagerDuty alone; absent is false. */
  resolvesCompleted: z.optional(z.boolean()),
});
export type SilencingChange = z.infer<typeof silencingChangeSchema>;

/** Query of `PUT /api/sources/{id}/silencing`: the version that the change was decided on, 0 where there was none. */
export const silencingVersionQuerySchema = z.object({
  ifVersion: z.optional(z.coerce.number().check(z.int(), z.minimum(0))),
});

/** How what is accepted here is silenced at a source's sender. */
export const silencingSettingsSchema = z.object({
  kind: senderApiKindSchema,
  isOn: z.boolean(),
  url: z.string(),
  auth: senderAuthSchema,
  user: z.string(),
  /** The last four characters of the secret; null without one. */
  secretHint: z.nullable(z.string()),
  minutes: z.int(),
  resolvesCompleted: z.boolean(),
  /** Why the sender cannot be silenced, after several attempts in a row; null while it can. */
  failing: z.nullable(z.string()),
  version: z.int(),
});
export type SilencingSettings = z.infer<typeof silencingSettingsSchema>;

/**
 * `waiting`: it is about to be made. `active`: the sender keeps quiet. `held`: it keeps quiet by what somebody did there.
 * `ending`: it is about to be ended. `ended`: it is over. `impossible`: the alert names nothing by which its sender would know it,
 * or the sender does not know it.
 */
export const silenceStateSchema = z.enum(['waiting', 'active', 'held', 'ending', 'ended', 'impossible']);
export type SilenceState = z.infer<typeof silenceStateSchema>;

/** Why a silence was ended. */
export const silenceEndSchema = z.enum([
  'released',
  'completed',
  'ended-here',
  'ended-there',
  'resolved',
  'switched-off',
]);
export type SilenceEnd = z.infer<typeof silenceEndSchema>;

/** A silence at the sender of an alert. */
export const silenceSchema = z.object({
  id: z.string(),
  alertId: z.string(),
  /** What the alert says in one line; null for an alert that is gone. */
  alertTitle: z.nullable(z.string()),
  sourceId: z.string(),
  sourceName: z.nullable(z.string()),
  kind: senderApiKindSchema,
  /** For whom the sender keeps quiet: the owner of the alert. */
  ownerName: z.nullable(z.string()),
  state: silenceStateSchema,
  /** Why it ended, or is about to; null before. */
  end: z.nullable(silenceEndSchema),
  /** Until when the sender keeps quiet unless it is renewed; null before it is made. */
  endsAt: z.nullable(z.iso.datetime()),
  /** What went wrong with the last attempt; null when nothing did. */
  fault: z.nullable(z.string()),
  /** When the next attempt is made after one that failed. */
  nextAt: z.nullable(z.iso.datetime()),
});
export type Silence = z.infer<typeof silenceSchema>;

/** Answer of `GET /api/sources/{id}/silencing`. */
export const silencingSchema = z.object({
  /** Null where nobody has set it up. */
  settings: z.nullable(silencingSettingsSchema),
  /** Silences that are not over, the newest first, 200 at most. */
  silences: z.array(silenceSchema),
});
export type Silencing = z.infer<typeof silencingSchema>;

/** Answer of `POST /api/sources/{id}/silencing/try`. */
export const silencingTrySchema = z.object({
  isReached: z.boolean(),
  /** One sentence for people. */
  message: z.string(),
});
export type SilencingTry = z.infer<typeof silencingTrySchema>;

/** Answer of `GET /api/alerts/{id}/silence`; null where its sender was never asked to keep quiet. */
export const alertSilenceSchema = z.object({ silence: z.nullable(silenceSchema) });
