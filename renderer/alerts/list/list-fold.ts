import type { ComponentProps, ComponentType } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import type { AlertCard } from '#renderer/alerts/card/alert-card.tsx';

/** How a list draws alerts of one group as one card. It comes with the first such alert. */
export interface ListFold {
  /** The alerts with one in the place of each group, which has the group's id. The same array for the same alerts. */
  heads: (alerts: readonly Alert[]) => readonly Alert[];
  /** The rows of a list, and those of its completed alerts. The same array for the same alerts. */
  rows: (alerts: readonly Alert[] | undefined, completed: readonly Alert[] | undefined) => readonly Alert[] | undefined;
  /** The loaded alerts that a row stands for: itself, or those of its group. */
  partsOf: (row: Alert) => readonly Alert[];
  /** Ids of the alerts of a selected group that are not loaded, once these are read; none for other rows. */
  beyond: (row: Alert) => readonly string[];
  /** Whether these are being read. */
  isComing: (row: Alert) => boolean;
  /** Judges rows of groups by their alerts: as the first of these that anything is known of. */
  look: <T>(known: (id: string) => T) => (id: string) => T;
  /** Whether alerts of a row that is gone are in others now. */
  stands: (id: string, rows: readonly Alert[]) => boolean;
  /** Whether an id is that of a group in this list. */
  has: (id: string | undefined) => boolean;
  /** Does something with all alerts of a group; false where the alert is none. */
  act: (action: AlertAction, alert: Alert) => boolean;
  /** Draws a group in the list, and the open one beside it. */
  Card: ComponentType<ComponentProps<typeof AlertCard>>;
  Panel: ComponentType<PanelProps>;
}

/** What a panel knows of the list that it stands beside. */
export interface PanelProps {
  /** Of the open alert, or of the open group. */
  id: string;
  /** The alerts of the list that are loaded. */
  alerts: readonly Alert[];
  /** How many alerts the list has. */
  total: number | undefined;
  /** The rows of the list, and how they stand for groups; absent where every alert is a row. */
  rows?: readonly Alert[] | undefined;
  fold?: ListFold | undefined;
}
