import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { Session } from '#backend/contract/session.ts';
import type { Toasts } from '#renderer/toasts/toast.ts';
import type { UndoStack } from '#renderer/toasts/undo-stack.ts';
import type { Ask } from '#renderer/ui/dialogs.tsx';
import type { AlertChange } from './changes.ts';

/** The inbox, a queue or folder of one's own, what is snoozed, and everybody's alerts: each offers something else. */
export type ListKind = 'inbox' | 'queue' | 'snoozed' | 'all';

/** A key by itself. */
export interface Keyed {
  /** As `KeyboardEvent.key` has it, in lower case. */
  key?: string;
  isShifted?: true;
  /** What it does, in buttons, menus, the palette and the sheet of keys. */
  label: string;
}

/** What changes of alerts work with. */
export interface ChangeDeps {
  client: QueryClient;
  me: Session;
  toasts: Toasts;
  undo: UndoStack;
}

/** What an action works with, whatever it is run from. */
export interface ActionContext extends ChangeDeps {
  ask: Ask;
  /** Opens an alert beside its list, with the focus in the field of a new note. */
  writeNote: (alert: Alert) => void;
  /** Goes to a page. */
  go: (path: string) => void;
}

/** What the choices of an action are about. */
export interface ChoicesProps {
  /** The alerts, as far as they are loaded. */
  alerts: readonly Alert[];
  /** Whose all of them are, or `none`; undefined where that is not one answer. */
  ifOwner: string | undefined;
  /** The focus goes to what comes late; not where the pointer opened the menu. */
  takesFocus: boolean;
  onChange: (change: AlertChange) => void;
}

/**
 * Something that can be done with alerts. Cards, menus, the open alert, the bar of the selection, swipes, keys, the palette
 * and the sheet of keys are drawn from these. One of `change`, `loadChoices` and `run` says what is done with one alert.
 */
export interface AlertAction extends Keyed {
  id: string;
  /** Where it stands in the sheet of keys. */
  group: 'Act' | 'Look';
  Icon?: ComponentType<{ size?: number }>;
  /** What its button says of one alert, where that is not the label. */
  labelFor?: (alert: Alert) => string;
  /** Whether what it does with one alert begins with a dialog. */
  hasDialog?: true;
  isDangerous?: true;
  /** The lists in which it is offered. The open alert offers what {@link isOffered} allows. */
  lists: readonly ListKind[];
  /** Whether it makes sense for an alert, and the member may do it. The server decides again. */
  isOffered: (alert: Alert, context: { me: Session; client: QueryClient }) => boolean;
  /** How it stands in a card's menu: with a name of its own, not as a submenu, or not at all. */
  inMenu?: { label?: string; isItem?: true } | false;
  /** What it changes at once, of one alert or of many. */
  change?: (alert: Alert | undefined, me: Session) => AlertChange;
  /** Fetches the menu from which what is changed is chosen. */
  loadChoices?: () => Promise<ComponentType<ChoicesProps>>;
  /** What else it does with one alert. */
  run?: (alert: Alert, context: ActionContext) => void;
  /**
   * What it does with several that are selected: the same, or something of its own with their ids, also of what is not loaded;
   * without it, it is about one only.
   */
  many?: 'change' | 'delete' | ((ids: readonly string[], context: ActionContext) => void);
}
