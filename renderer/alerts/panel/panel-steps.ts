import { useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { PanelProps } from '#renderer/alerts/list/list-fold.ts';
import { useOpenAlert } from './open-alert.tsx';

/** Where an alert stands in its list, and how to go to the one before and the one after; undefined where there is none. */
export interface Steps {
  position: { index: number; total: number } | undefined;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
}

/** Where what is open stands in the list, and how to go to its neighbors. What has left the list keeps its place. */
export function useSteps(panel: PanelProps): Steps {
  const { rows, total } = rowsAround(panel);
  const open = useOpenAlert();
  const [known, setKnown] = useState(0);
  const index = rows.findIndex(({ id }) => id === panel.id);
  if (index !== -1 && index !== known) setKnown(index);
  const stepTo = (alert: Alert | undefined) => alert && (() => open(alert.id));
  const at = index === -1 ? Math.min(known, rows.length) : index;
  return {
    position: index === -1 ? undefined : { index, total },
    previous: stepTo(rows[at - 1]),
    next: stepTo(index === -1 ? rows[at] : rows[at + 1]),
  };
}

/** What one goes through: the rows of the list; of an alert whose row is its group's, the alerts of the group. */
export function rowsAround({ id, alerts, total = alerts.length, rows = alerts, fold }: PanelProps) {
  const isRow = rows.some((row) => row.id === id);
  const group = isRow ? undefined : rows.find((row) => fold?.partsOf(row).some((part) => part.id === id));
  const parts = group && fold?.partsOf(group);
  return parts ? { rows: parts, total: parts.length } : { rows, total: total - alerts.length + rows.length };
}
