import type { ActivationArguments } from 'electron';
import { startOfCharacter } from '#backend/contract/cut-text.ts';
import {
  type DesktopNotification,
  type NotificationAction,
  type NotificationButton,
  notificationActionSchema,
  notificationPathSchema,
} from '#electron/contract/desktop.ts';
import { type ServerChoice, isSameServer, teamServerUrlSchema } from '#electron/contract/server-choice.ts';
import { serverName } from '#electron/server/server-menu.ts';

/** What a toast shows and hands back. */
export interface Toast extends Pick<DesktopNotification, 'tag' | 'title' | 'body' | 'silent' | 'buttons'> {
  /** The screen that a click opens; null: it only brings the window up. */
  path: string | null;
  /** Whose alerts these are: named below the text. Null for what the app says of itself. */
  server: ServerChoice | null;
  /** Breaks through Do Not Disturb. */
  isUrgent: boolean;
}

/** How much of a text Windows has space for, in code points. All of a toast may take 5 KB; more is refused. */
const MOST_TITLE = 120;
const MOST_BODY = 300;

export const BUTTON_LABELS: Readonly<Record<NotificationButton, string>> = {
  accept: 'Accept',
  'mute-customer': 'Mute customer',
};

/** A longer one is left out, as all of a toast may take 5 KB: a click opens the inbox then. */
const MOST_PATH = 300;

/** The tag of what the app says of itself. */
export const OWN_TAG = 'app';

/** What stands for the server on this computer in what a toast hands back. */
const HERE = 'here';

/**
 * A toast as Windows takes it. What it hands back says all that there is to do, so that a click counts however old the
 * toast is: Electron's object is gone with a restart, and after many others. `type=action` has Electron report it to
 * `Notification.handleActivation` each time; a plain click goes to the object alone while the app runs. Without a
 * `scenario` a toast waits while the user does not want to be disturbed; `urgent` does not, where
 * the user allows it in the notification settings (Microsoft's "toast (Toast XML Schema)").
 */
export function toastXml({ tag, title, body, path, silent, buttons, server, isUrgent }: Toast): string {
  const shared =
    server === null ? '' : `&server=${encodeURIComponent(server.kind === 'this-computer' ? HERE : server.url)}`;
  const launch = `type=action&tag=${tag}${path === null ? '' : `&path=${encodePath(path)}`}${shared}`;
  const actions = buttons.map(
    (button, index) =>
      `<action activationType="foreground" content="${escapeXml(BUTTON_LABELS[button])}" ` +
      `arguments="${escapeXml(`type=action&action=${index}&tag=${tag}&button=${button}${shared}`)}"/>`,
  );
  return [
    `<toast launch="${escapeXml(launch)}"${isUrgent ? ' scenario="urgent"' : ''}>`,
    '<visual><binding template="ToastGeneric">',
    `<text>${escapeXml(cut(title, MOST_TITLE))}</text>`,
    `<text>${escapeXml(cut(body, MOST_BODY))}</text>`,
    ...(server === null
      ? []
      : [`<text placement="attribution">${escapeXml(cut(serverName(server), MOST_TITLE))}</text>`]),
    '</binding></visual>',
    ...(actions.length > 0 ? [`<actions>${actions.join('')}</actions>`] : []),
    ...(silent ? ['<audio silent="true"/>'] : []),
    '</toast>',
  ].join('');
}

function encodePath(path: string): string {
  const encoded = encodeURIComponent(path);
  return encoded.length > MOST_PATH ? '%2F' : encoded;
}

/** Counts code points, as one character may have any number of them, but cuts between characters as people see them. */
function cut(text: string, most: number): string {
  const points = [...text];
  if (points.length <= most) return text;
  const at = points.slice(0, most - 1).join('').length;
  return `${text.slice(0, startOfCharacter(text, at) || at)}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** What XML 1.0 has no way to write: with one of these Windows refuses the whole toast. */
// oxlint-disable-next-line no-control-regex -- these are the characters that are meant
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(UNWRITABLE, '\ufffd')
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);

/** What was done with a notification: its body opens a screen (null: the window), a button does what it says. */
export type NotificationUse = { path: string | null } | NotificationAction;

/**
 * What was done with a toast, from what `toastXml` wrote into it. Other programs of this computer can hand over anything:
 * a server counts only when it was used before.
 *
 * @param known the servers that were used before
 */
export function readActivation(
  { arguments: raw }: Pick<ActivationArguments, 'arguments'>,
  known: readonly ServerChoice[],
): { use: NotificationUse; from: ServerChoice | null } {
  const given = new URLSearchParams(raw);
  const server = given.get('server');
  const from = known.find((one) => isSameServer(one, readServer(server))) ?? null;
  // Its alerts are nowhere else.
  if (server !== null && from === null) return { use: { path: '/' }, from };
  const action = notificationActionSchema.safeParse({ button: given.get('button'), tag: given.get('tag') });
  if (action.success) return { use: action.data, from };
  if (given.get('tag') === OWN_TAG && !given.has('path')) return { use: { path: null }, from };
  return { use: { path: notificationPathSchema.safeParse(given.get('path')).data ?? '/' }, from };
}

function readServer(text: string | null): ServerChoice | null {
  if (text === HERE) return { kind: 'this-computer' };
  const url = teamServerUrlSchema.safeParse(text).data;
  return url === undefined ? null : { kind: 'team-server', url };
}

/**
 * Whether an error of Electron's says that Windows shows no notifications of this app, by its user or a policy; else this
 * one alone was refused.
 */
export const isBlocked = (error: string): boolean => /\b(?:settings|capabilities) prevent\b/i.test(error);
