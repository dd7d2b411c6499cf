import type { Alert } from '#backend/contract/alert.ts';
import { tagOfAlert } from '#backend/contract/announcement.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { Notice } from '#renderer/lib/notifications/notice-board.ts';
import { pathOfAlert } from '#renderer/lib/notifications/worker-messages.ts';

/** What a notification shows of a name; the whole is in the inbox. */
const MAX_NAME_LENGTH = 80;

/** The notification of a new alert, in the words of its push. `silent` where a sound was chosen for it. */
export function noticeOf({ id, customer, alertType }: Alert, silent: boolean): Notice {
  return {
    title: alertType === null ? 'New alert received' : `New alert received: ${shown(alertType)}`,
    body: customer === null ? 'A new webhook alert has arrived' : `Alert from ${shown(customer)}`,
    tag: tagOfAlert(id),
    path: pathOfAlert(id),
    ...(silent && { silent }),
  };
}

function shown(name: string): string {
  const characters = [...inertLine(name)];
  return characters.length <= MAX_NAME_LENGTH
    ? characters.join('')
    : `${characters.slice(0, MAX_NAME_LENGTH - 1).join('')}…`;
}
