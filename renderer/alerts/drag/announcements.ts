import type { Announcements } from '@dnd-kit/core';
import type { Alert } from '#backend/contract/alert.ts';
import { alertName as nameOf } from '#renderer/alerts/data/alert-labels.ts';

/** Read out with a handle that has the focus. */
export const DRAG_HELP =
  'Press Space or Enter to pick the alert up. While dragging, use the arrow keys to move it over a folder, Space or Enter to drop it, and Escape to cancel. The alert’s menu offers the same under Move to.';

/** What a drop target is called: only those that take the alert have a name. */
export interface TargetData {
  name: string | undefined;
}

type Entry = { data: { current?: Record<string, unknown> | undefined } } | null;

const alertName = (entry: Entry): string => {
  const alert = entry?.data.current?.['alert'] as Alert | undefined;
  return alert ? nameOf(alert) : 'The alert';
};

const targetName = (entry: Entry): string | undefined => (entry?.data.current as TargetData | undefined)?.name;

/** What is read out during a drag. */
export const ANNOUNCEMENTS: Announcements = {
  onDragStart: ({ active }) => `${alertName(active)} was picked up.`,
  onDragOver: ({ over }) => {
    const name = targetName(over);
    return name === undefined ? 'Not over a folder.' : `Over ${name}.`;
  },
  onDragEnd: ({ active, over }) => {
    const name = targetName(over);
    return name === undefined
      ? `${alertName(active)} was dropped outside of the folders and stays where it was.`
      : `${alertName(active)} was moved to ${name}.`;
  },
  onDragCancel: ({ active }) => `${alertName(active)} stays where it was.`,
};
