import { useSetAtom } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { alertToShowAtom } from '#renderer/alerts/data/list-state.ts';
import type { PanelProps } from '#renderer/alerts/list/list-fold.ts';
import { focusRow } from '#renderer/alerts/list/list-scroll.ts';
import { useOpenAlert } from './open-alert.tsx';

/** Where an alert stands in its list, how to go to the one before and the one after (undefined where there is none), and back. */
export interface Steps {
  position: { index: number; total: number } | undefined;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
  /** Goes back to the list: the row of what is open takes the focus, or the one in its place. */
  close: () => void;
}

/** Where what was open stood: in the list, or among the alerts of a row of it. */
interface Place {
  index: number;
  groupId: string | undefined;
}

/**
 * Where what is open stands in the list, and how to go to its neighbors. What has left the list keeps its place, also among the
 * alerts of its group while that has others.
 */
export function useSteps(panel: PanelProps): Steps {
  const [known, setKnown] = useState<Place>();
  const { rows, total, groupId } = rowsAround(panel, known?.groupId);
  const open = useOpenAlert();
  const goBack = useGoBack();
  const index = rows.findIndex(({ id }) => id === panel.id);
  if (index !== -1 && (index !== known?.index || groupId !== known.groupId)) setKnown({ index, groupId });
  const stepTo = (alert: Alert | undefined) => alert && (() => open(alert.id));
  const at = index === -1 ? Math.min(known?.index ?? 0, rows.length) : index;
  return {
    position: index === -1 ? undefined : { index, total },
    previous: stepTo(rows[at - 1]),
    next: stepTo(index === -1 ? rows[at] : rows[at + 1]),
    // What never was in the list, as where a notice led to it, has no place there.
    close: () => goBack(index === -1 && !known ? undefined : (rows[at] ?? rows[at - 1])?.id),
  };
}

/** Goes back to the list, where a row takes the focus: that of an alert, or the one in the tab order. */
function useGoBack(): (id: string | undefined) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const show = useSetAtom(alertToShowAtom);
  const giveFocus = useRef<() => void>(undefined);
  // Once the panel is gone: what it covers on a phone takes no focus.
  useEffect(() => () => giveFocus.current?.(), []);
  return (id) => {
    // The list takes the focus from no field, and the one in which Escape was pressed goes with what is open.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    giveFocus.current = () => (id === undefined ? focusRow() : show({ id, path: pathname }));
    void navigate(-1);
  };
}

/**
 * What one goes through: the rows of the list; of an alert whose row is its group's, the alerts of the group.
 *
 * @param before the row of the group in which one was
 */
function rowsAround(
  { id, alerts, total = alerts.length, rows = alerts, fold }: PanelProps,
  before: string | undefined,
): { rows: readonly Alert[]; total: number; groupId: string | undefined } {
  const isRow = rows.some((row) => row.id === id);
  const group = isRow
    ? undefined
    : (rows.find((row) => fold?.partsOf(row).some((part) => part.id === id)) ?? rows.find((row) => row.id === before));
  const parts = group && fold?.partsOf(group);
  return parts
    ? { rows: parts, total: parts.length, groupId: group.id }
    : { rows, total: total - alerts.length + rows.length, groupId: undefined };
}
