import type { ActivationArguments } from 'electron';
import type { NotificationAction } from '#electron/contract/desktop.ts';
import type { ServerChoice } from '#electron/contract/server-choice.ts';
import type { Memory } from '#electron/store.ts';

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
