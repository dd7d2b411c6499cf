import { z } from 'zod';

/** What the app is and where it keeps its log, for About. */
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
  /** The session has ended, and nobody has logged out: somebody is to sign in again. */
  hasEnded: z.boolean().optional(),
});
export type Attention = z.infer<typeof attentionSchema>;

/** What a notification's buttons do. */
export const notificationButtonSchema = z.enum(['accept', 'mute-customer']);
export type NotificationButton = z.infer<typeof notificationButtonSchema>;

/**
 * By which a notification is known; another one with the same tag takes its place. Windows takes up to 64 characters, and hands
 * it back in a list of `name=value` pairs.
 */
const tagSchema = z.string().regex(/^[\w-]{1,64}$/);

/** The screen that a notification opens. */
export const notificationPathSchema = z.string().startsWith('/').max(500);

/** One native notification: of one alert, or of several without buttons. */
export const notificationSchema = z.object({
  tag: tagSchema,
  title: z.string().max(500),
  body: z.string().max(2000),
  /** The screen that a click opens. */
  path: notificationPathSchema,
  /** Without the system's own sound. */
  silent: z.boolean(),
  buttons: z.array(notificationButtonSchema).max(2),
  /** Of a critical alert. Web apps before 1.0.4 do not report it. */
  isCritical: z.boolean().default(false),
  /** Answers somebody who used a button: a pause does not matter to it. */
  isAnswer: z.boolean().optional(),
});
export type DesktopNotification = z.infer<typeof notificationSchema>;

/** Tags of notifications that are to go; null: all but what the app says of itself. */
export const notificationTagsSchema = z.array(tagSchema).max(10_000).nullable();

/** Somebody used a button of the notification with this tag. */
export const notificationActionSchema = z.object({ button: notificationButtonSchema, tag: tagSchema });
export type NotificationAction = z.infer<typeof notificationActionSchema>;

/** Whether native notifications reach the screen: `blocked` when the system reports that it refuses them. */
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
  /** Whether critical alerts break through Windows' Do Not Disturb. */
  isCriticalUrgent: z.boolean().default(false),
});
export type Preferences = z.infer<typeof preferencesSchema>;

/** Which theme the person has chosen in the web app; the window's frame, menus and background follow. */
export const themeSchema = z.enum(['system', 'light', 'dark']);
export type Theme = z.infer<typeof themeSchema>;

/** A change of some of them. A shortcut that another program holds is refused with a sentence. */
export const preferenceChangeSchema = z
  .object({
    startWithSystem: z.boolean(),
    globalShortcut: z
      .string()
      .regex(/^(?:(?:CommandOrControl|Control|Alt|Shift|Super)\+){1,3}(?:[A-Z\d]|F\d{1,2}|Space)$/)
      .nullable(),
    isCriticalUrgent: z.boolean(),
  })
  .partial();
export type PreferenceChange = z.infer<typeof preferenceChangeSchema>;

/** Which builds are offered. */
export const updateChannelSchema = z.enum(['stable', 'beta']);
export type UpdateChannel = z.infer<typeof updateChannelSchema>;

/** Desktop update status; `idle` until the first check, and where updates are not available. */
export const updateStateSchema = z.object({
  status: z.enum(['idle', 'checking', 'available', 'not-available', 'downloading', 'downloaded', 'error']),
  /** The version that is offered. */
  version: z.string().nullable(),
  /** How much is downloaded, 0 to 100. */
  percent: z.number().min(0).max(100).nullable(),
  /** What went wrong, in plain words. */
  error: z.string().nullable(),
  channel: updateChannelSchema,
});
export type UpdateState = z.infer<typeof updateStateSchema>;
