import type { Alert } from '#backend/contract/alert.ts';
import type { AlertAction, ListKind } from '#renderer/alerts/actions/action.ts';
import type { Actions } from '#renderer/alerts/actions/change-alert.ts';
import type { BulkBarHandle } from '#renderer/alerts/bulk/bulk-bar.tsx';
import type { ListSelection } from '#renderer/alerts/bulk/list-selection.ts';

/** What the command palette makes commands of (`list-command-groups`): the list on screen, and what is under its cursor. */
export interface ListSubject {
  selection: ListSelection;
  selectAll: () => void;
  /** The bar of the selection. */
  bar: BulkBarHandle | null;
  /** The alert that has the focus. */
  alert: Alert | undefined;
  kind: ListKind;
  offers: Actions['offers'];
  act: (action: AlertAction, alert: Alert) => void;
}

let offer: (() => ListSubject) | undefined;

/** Has the palette ask the list on screen what can be done in it. Returns what ends that. */
export function offerCommands(subject: () => ListSubject): () => void {
  offer = subject;
  return () => {
    if (offer === subject) offer = undefined;
  };
}

/** The list on screen, with the alert that has the focus and what is selected; undefined where there is none. */
export const subjectOfList = (): ListSubject | undefined => offer?.();
