import { ClipboardIcon, InboxIcon, TimeIcon } from '@blueprintjs/icons';
import type { ComponentType } from 'react';
import { useInboxCount, useMyAlertsCount, useSnoozedCounts } from '#renderer/alerts/data/alert-queries.ts';
import type { DropTargetId } from '#renderer/alerts/drag/drag.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';

/** A list that everybody has. */
interface AlertListEntry {
  to: string;
  Icon: ComponentType<{ size?: number }>;
  label: string;
  /** What it is called where there is little space. */
  shortLabel: string;
  /** How many alerts it has; undefined while that is not known. */
  count: number | undefined;
  /** What is counted, where that is not all of it. */
  counted?: string;
  /** Whether its count stands out. */
  prominent?: boolean;
  /** What an alert that is dragged here is dropped on. */
  dropTarget?: DropTargetId;
}

/** The lists that everybody has, with their counts. */
export function useAlertLists(): AlertListEntry[] {
  const inbox = useInboxCount();
  const mine = useMyAlertsCount();
  const snoozed = useSnoozedCounts();
  return [
    {
      to: PATHS.inbox,
      Icon: InboxIcon,
      label: common.newAlerts,
      shortLabel: texts.newInBar,
      count: inbox,
      prominent: true,
    },
    {
      to: PATHS.myAlerts,
      Icon: ClipboardIcon,
      label: common.myAlerts,
      shortLabel: texts.mineInBar,
      count: mine,
      counted: 'open',
      dropTarget: 'mine',
    },
    {
      to: PATHS.snoozed,
      Icon: TimeIcon,
      label: common.snoozed,
      shortLabel: common.snoozed,
      count: snoozed && snoozed.inbox + snoozed.own,
    },
  ];
}
