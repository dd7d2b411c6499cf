import type { ActivationArguments } from 'electron';
import type { NotificationAction } from '#electron/contract/desktop.ts';

const ACTION_OF = ['accept', 'mute-customer'] as const;

/**
 * What was done with a notification whose object is gone: the app was started by it, or it lay in the Action Center.
 * Windows hands back the notification's tag, which is the alert's id.
 *
 * @param shown the notifications of late
 */
export function readActivation(
  { type, actionIndex, arguments: raw }: ActivationArguments,
  shown: readonly { alertId: string; customer: string | null }[],
): NotificationAction {
  const tag = new URLSearchParams(raw.replaceAll(';', '&')).get('tag');
  const known = shown.findLast(({ alertId }) => alertId === tag);
  if (!known) return { action: 'open', alertId: null, customer: null };
  const action = type === 'action' ? (ACTION_OF[actionIndex ?? -1] ?? 'open') : 'open';
  return { action: action === 'mute-customer' && known.customer === null ? 'open' : action, ...known };
}
