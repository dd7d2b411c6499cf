import type { ActivationArguments } from 'electron';
import type { DesktopNotification, NotificationAction, NotificationButton } from '#electron/contract/desktop.ts';
import type { ServerChoice } from '#electron/contract/server-choice.ts';
import type { Memory } from '#electron/store.ts';

/** What a toast shows and hands back. */
export interface Toast extends Pick<DesktopNotification, 'tag' | 'title' | 'body' | 'silent' | 'buttons'> {
  /** Below the text: whose alerts these are. */
  sender: string;
}

/** How much of a text Windows has space for, in characters. All of a toast may take 5 KB; more is refused. */
const MOST_TITLE = 120;
const MOST_BODY = 300;

export const BUTTON_LABELS: Readonly<Record<NotificationButton, string>> = {
  accept: 'Accept',
  'mute-customer': 'Mute customer',
};

/**
 * A toast as Windows takes it. Electron's own toasts have no `launch` attribute, so that a click on one that outlived the
 * app says nothing of what was clicked. Windows hands back `launch` or a button's `arguments`, as Electron writes them for
 * buttons: `type=action&action=0&tag=…`. Without a `scenario` a toast waits while the user does not want to be disturbed.
 */
export function toastXml({ tag, title, body, silent, buttons, sender }: Toast): string {
  const actions = buttons.map(
    (button, index) =>
      `<action activationType="foreground" content="${escapeXml(BUTTON_LABELS[button])}" ` +
      `arguments="${escapeXml(`type=action&action=${index}&tag=${tag}`)}"/>`,
  );
  return [
    `<toast launch="${escapeXml(`type=click&tag=${tag}`)}"><visual><binding template="ToastGeneric">`,
    `<text>${escapeXml(cut(title, MOST_TITLE))}</text>`,
    `<text>${escapeXml(cut(body, MOST_BODY))}</text>`,
    `<text placement="attribution">${escapeXml(cut(sender, MOST_TITLE))}</text>`,
    '</binding></visual>',
    ...(actions.length > 0 ? [`<actions>${actions.join('')}</actions>`] : []),
    ...(silent ? ['<audio silent="true"/>'] : []),
    '</toast>',
  ].join('');
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
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

/** What is remembered of a notification for when it is used later. */
export type RememberedNotification = Memory['notifications'][number];

/** What was done with a notification: its body opens a screen, a button does what it says. */
export type NotificationUse = { path: string } | NotificationAction;

/**
 * What was done with a notification whose object is gone: the app was started by it, or it lay in the Action Center.
 * Windows hands back what `toastXml` wrote, with the notification's tag in it.
 *
 * @param shown the notifications of late
 */
export function readActivation(
  { type, actionIndex, arguments: raw }: ActivationArguments,
  shown: readonly RememberedNotification[],
): { tag: string | null; use: NotificationUse; from: ServerChoice | null } {
  const tag = new URLSearchParams(raw).get('tag');
  const known = shown.findLast((one) => one.tag === tag);
  const button = type === 'action' ? known?.buttons[actionIndex ?? -1] : undefined;
  const from = known?.server ?? null;
  if (known && button) return { tag, use: { button, tag: known.tag }, from };
  return { tag, use: { path: known?.path ?? '/' }, from };
}
