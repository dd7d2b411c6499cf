import type { Announcements } from '@dnd-kit/core';
import type { Alert } from '#backend/contract/alert.ts';
import { alertName as nameOf } from '#renderer/alerts/data/alert-labels.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';

/** Read out with a handle that has the focus. */
export const DRAG_HELP = texts.dragHelp;

/** What a drop target is called: only those that take the alert have a name. */
export interface TargetData {
  name: string | undefined;
}

type Entry = { data: { current?: Record<string, unknown> | undefined } } | null;

const alertName = (entry: Entry): string => {
  const alert = entry?.data.current?.['alert'] as Alert | undefined;
  return alert ? nameOf(alert) : pageTexts.alert;
};

const targetName = (entry: Entry): string | undefined => (entry?.data.current as TargetData | undefined)?.name;

/** What is read out during a drag. */
export const ANNOUNCEMENTS: Announcements = {
  onDragStart: ({ active }) => texts.pickedUp(alertName(active)),
  onDragOver: ({ over }) => {
    const name = targetName(over);
    return name === undefined ? texts.notOverFolder : texts.overFolder(name);
  },
  onDragEnd: ({ active, over }) => {
    const name = targetName(over);
    return name === undefined ? texts.droppedOutside(alertName(active)) : texts.movedTo(alertName(active), name);
  },
  onDragCancel: ({ active }) => texts.staysWhereItWas(alertName(active)),
};
