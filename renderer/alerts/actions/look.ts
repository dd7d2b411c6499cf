import { lazyIcon } from './lazy-icon.tsx';
import type { AlertAction } from './action.ts';
import * as texts from './texts.ts';

const loadHistory = async () => (await import('#renderer/alerts/dialogs/history-dialog.tsx')).HistoryDialog;

/** Opens what happened to an alert. */
export const HISTORY: AlertAction = {
  id: 'history',
  label: texts.alertHistory,
  key: 'h',
  group: texts.look,
  Icon: lazyIcon(async () => {
    const { HistoryIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  hasDialog: true,
  lists: ['inbox', 'queue', 'snoozed', 'all'],
  isOffered: () => true,
  run: (alert, { ask }) => ask(loadHistory, { alert }),
};

/** Opens the alert with the field of a new note. */
export const NOTE: AlertAction = {
  id: 'note',
  label: texts.writeNote,
  key: 'c',
  group: texts.look,
  Icon: lazyIcon(async () => {
    const { AnnotationIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  lists: ['inbox', 'queue', 'snoozed'],
  isOffered: () => true,
  run: (alert, { writeNote }) => writeNote(alert),
};
