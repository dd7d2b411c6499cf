import { Suspense } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import type { ListFold } from '#renderer/alerts/list/list-fold.ts';
import { useOpenAlertId } from './open-alert.tsx';

const AlertPanel = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "alert" */ './alert-panel.tsx')).AlertPanel,
  'report',
);

interface ListPanelProps {
  /** The alerts of the list, as far as they are loaded, and how many there are in all. */
  alerts: readonly Alert[] | undefined;
  total: number | undefined;
  /** The rows of the list, and how alerts of one group are one of them. */
  rows: readonly Alert[] | undefined;
  fold: ListFold | undefined;
}

/** The alert that is open beside a list, if one is. */
export function ListPanel({ alerts = NONE, fold, ...list }: ListPanelProps) {
  const id = useOpenAlertId();
  if (id === undefined) return null;
  const Panel = fold?.has(id) ? fold.Panel : AlertPanel;
  return (
    <Suspense>
      <Panel id={id} alerts={alerts} fold={fold} {...list} />
    </Suspense>
  );
}

const NONE: readonly Alert[] = [];
