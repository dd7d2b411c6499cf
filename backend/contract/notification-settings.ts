import * as z from 'zod/mini';

/** The days of the week as people name them, Monday first. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export const weekdaySchema = z.enum(WEEKDAYS);
export type Weekday = z.infer<typeof weekdaySchema>;

/**
 * How much a member is notified of, the loudest first: of every alert (`always`), of those that are at least that severe and
 * of what is theirs, of what is theirs alone, of nothing.
 */
export const NOTICE_LEVELS = ['always', 'high', 'critical', 'mine', 'never'] as const;
export const noticeLevelSchema = z.enum(NOTICE_LEVELS);
export type NoticeLevel = z.infer<typeof noticeLevelSchema>;

/** The sounds that come with the web app. */
export const SOUND_NAMES = ['chime', 'ping', 'knock', 'alarm'] as const;
export const soundNameSchema = z.enum(SOUND_NAMES);
export type SoundName = z.infer<typeof soundNameSchema>;

/** The longest pause that may be asked for: what is meant to last longer is a mute. */
export const MAX_PAUSE_MS = 31 * 24 * 60 * 60 * 1000;

/** When a pause until tomorrow morning ends: the hour at which a working day begins. */
export const MORNING_HOUR = 8;

/** In how many days that morning is, by the hour of the clock. Who pauses after midnight means the morning that comes. */
export const daysUntilMorning = (hours: number): 0 | 1 => (hours < 4 ? 0 : 1);

const clockSchema = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time from 00:00 to 23:59'));

/** Names only: an offset does not know when clocks change. */
export const timeZoneSchema = z
  .string()
  .check(
    z.maxLength(64),
    z.regex(/^[A-Za-z]/, 'must be the name of a time zone, such as Europe/Berlin'),
    z.refine(isTimeZone, 'is not a time zone that this server knows'),
  );

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * A member's quiet hours: on each of `days` from `from` until `to`, by the clock of `timeZone`. A period over
 * midnight (22:00 to 07:00) belongs to the day on which it begins; the same time twice is the whole day, from that time
 * to the same time on the next. `isOn: false` keeps the hours for another time.
 */
export const quietHoursSchema = z.object({
  isOn: z.boolean(),
  days: z.array(weekdaySchema).check(z.maxLength(50), z.overwrite(inOrder)),
  from: clockSchema,
  to: clockSchema,
  timeZone: timeZoneSchema,
});
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** Each day once, in the order of the week. */
function inOrder(days: Weekday[]): Weekday[] {
  return WEEKDAYS.filter((day) => days.includes(day));
}

/**
 * What is proposed to members who never set any. The time zone is for the browser to say: `Etc/UTC` stands for none,
 * since people choose `UTC`.
 */
export const DEFAULT_QUIET_HOURS: QuietHours = {
  isOn: false,
  days: [...WEEKDAYS],
  from: '22:00',
  to: '07:00',
  timeZone: 'Etc/UTC',
};

/** The sound of one alert type. A type that is not listed makes none. */
export const alertSoundSchema = z.object({ alertType: z.string(), sound: soundNameSchema });
export type AlertSound = z.infer<typeof alertSoundSchema>;

/**
 * What a member is mailed: notes that mention them while they have no page open, and a digest each day at `digestAt`
 * (`HH:MM`; null: none). That is a time of the account's time zone; of `timeZone` where the account has none.
 */
export const mailChoiceSchema = z.object({
  mentions: z.boolean(),
  digestAt: z.nullable(clockSchema),
  timeZone: z.nullable(timeZoneSchema),
});
export type MailChoice = z.infer<typeof mailChoiceSchema>;

/**
 * Answer of `GET` and `PATCH /api/notification-settings` and of `PUT /api/notification-settings/sounds`: what a member has
 * decided about being notified, beside the exceptions. `pausedUntil` is null when nothing is paused, and once the time is over.
 */
export const notificationSettingsSchema = z.object({
  level: noticeLevelSchema,
  quietHours: quietHoursSchema,
  pausedUntil: z.nullable(z.iso.datetime()),
  sounds: z.array(alertSoundSchema),
  mail: mailChoiceSchema,
});
export type NotificationSettings = z.infer<typeof notificationSettingsSchema>;

/**
 * Body of `PATCH /api/notification-settings`: what is absent stays. A pause of the past ends the pause, as null does;
 * `pausedMinutes` pauses for so many minutes by the server's clock.
 */
export const notificationSettingsChangeSchema = z
  .object({
    level: z.optional(noticeLevelSchema),
    quietHours: z.optional(quietHoursSchema),
    pausedUntil: z.optional(z.nullable(z.iso.datetime({ offset: true }))),
    pausedMinutes: z.optional(z.int().check(z.minimum(1), z.maximum(MAX_PAUSE_MS / 60_000))),
    mail: z.optional(mailChoiceSchema),
  })
  .check(
    z.refine(({ pausedUntil, pausedMinutes }) => pausedUntil === undefined || pausedMinutes === undefined, {
      path: ['pausedUntil'],
      message: 'Name either pausedUntil or pausedMinutes',
    }),
  );
export type NotificationSettingsChange = z.infer<typeof notificationSettingsChangeSchema>;

/** Query of `/api/unsubscribe`: what a mail's link has. */
export const unsubscribeQuerySchema = z.object({ token: z.string().check(z.minLength(1), z.maxLength(500)) });

/** Body of `PUT /api/notification-settings/sounds`: the sound of a type; null makes it silent again. */
export const alertSoundChangeSchema = z.object({
  alertType: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  sound: z.nullable(soundNameSchema),
});
export type AlertSoundChange = z.infer<typeof alertSoundChangeSchema>;
