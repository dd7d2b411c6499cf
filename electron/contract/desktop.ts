import { z } from 'zod';

/** What the app is and where it keeps its log, for About (spec.md section 2). */
export const desktopFactsSchema = z.object({
  version: z.string(),
  platform: z.enum(['win32', 'darwin', 'linux']),
  electronVersion: z.string(),
  logPath: z.string(),
});
export type DesktopFacts = z.infer<typeof desktopFactsSchema>;

/** What asks for attention: the inbox's size, and whether live events arrive. */
export const attentionSchema = z.object({
  inboxCount: z.int().nonnegative().max(1_000_000_000),
  /** `signed-out` while nobody is. */
  connection: z.enum(['signed-out', 'connecting', 'connected', 'disconnected']),
});
export type Attention = z.infer<typeof attentionSchema>;

/** One native notification: of one alert, or of several without buttons. */
export const notificationSchema = z.object({
  title: z.string().max(500),
  body: z.string().max(2000),
  /** The alert that a click opens and that Accept takes; null for several: a click opens the inbox. */
  alertId: z.uuid().nullable(),
  /** Whose notifications Mute customer ends; null when the alert names nobody, and there is no such button then. */
  customer: z.string().max(200).nullable(),
});
export type DesktopNotification = z.infer<typeof notificationSchema>;

/** What somebody did with a notification. */
export const notificationActionSchema = z.object({
  action: z.enum(['open', 'accept', 'mute-customer']),
  alertId: z.uuid().nullable(),
  customer: z.string().nullable(),
});
export type NotificationAction = z.infer<typeof notificationActionSchema>;

/** Whether native notifications reach the screen: `blocked` when the system refuses them, as far as it tells. */
export const notificationStateSchema = z.object({
  status: z.enum(['shown', 'blocked', 'unsupported']),
  /** Paused from the tray, until the instant (ISO 8601), or until it is taken back (`forever`). */
  pausedUntil: z.union([z.iso.datetime(), z.literal('forever')]).nullable(),
});
export type NotificationState = z.infer<typeof notificationStateSchema>;

/** What is set on this machine. */
export const preferencesSchema = z.object({
  startWithSystem: z.boolean(),
  /** Electron's accelerator that brings the window up from anywhere, e.g. `Control+Alt+A`; null: none. */
  globalShortcut: z.string().nullable(),
});
export type Preferences = z.infer<typeof preferencesSchema>;

/** A change of some of them. A shortcut that another program holds is refused with a sentence. */
export const preferenceChangeSchema = z
  .object({
    startWithSystem: z.boolean(),
    globalShortcut: z
      .string()
      .regex(/^(?:(?:CommandOrControl|Control|Alt|Shift|Super)\+){1,3}(?:[A-Z\d]|F\d{1,2}|Space)$/)
      .nullable(),
  })
  .partial();
export type PreferenceChange = z.infer<typeof preferenceChangeSchema>;
