import type { Alert } from '#backend/contract/alert.ts';
import type { Session } from '#backend/contract/session.ts';
import { type AlertListView, isInView } from '#renderer/alerts/data/list-view.ts';
import { ADMIN_ROLES, PATHS } from '#renderer/lib/paths.ts';

/** The path of a list of the member that an alert is in: the narrowest one; undefined where none of theirs has it. */
export function listOfAlert(alert: Alert, { id, role }: Pick<Session, 'id' | 'role'>): string | undefined {
  const { folderId } = alert;
  const lists: { view: AlertListView; path: string }[] = [
    { view: { list: 'inbox' }, path: PATHS.inbox },
    { view: { list: 'mine' }, path: PATHS.myAlerts },
    ...(folderId === undefined
      ? []
      : [{ view: { list: 'folder', folderId } as const, path: PATHS.folder.replace(':id', folderId) }]),
    { view: { list: 'snoozed' }, path: PATHS.snoozed },
    ...(ADMIN_ROLES.includes(role) ? [{ view: { list: 'all' } as const, path: PATHS.allAlerts }] : []),
  ];
  return lists.find(({ view }) => isInView(view, id, alert))?.path;
}
