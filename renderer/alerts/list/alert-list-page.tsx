import { useAtomValue } from 'jotai';
import { Suspense, useMemo, useRef, useState } from 'react';
import type { Alert, AlertSort } from '#backend/contract/alert.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import { loadAllChoices } from '#renderer/alerts/actions/choices.tsx';
import { useActions } from '#renderer/alerts/actions/change-alert.ts';
import { useListSelection } from '#renderer/alerts/bulk/list-selection.ts';
import type { CardDescription } from '#renderer/alerts/card/alert-card.tsx';
import { bulkRunsAtom } from '#renderer/alerts/data/list-state.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { type ListCursor, useListKeys } from '#renderer/alerts/keys/use-list-keys.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import type { ListFold } from './list-fold.ts';
import type { FeedGroup } from './feed-rows.ts';
import { type FilteredList, type ListDescription, ListFrame, ListPage, useFilteredList } from './list-frame.tsx';

// Comes with the first selection.
const BulkBar = lazyWithRetry(async () => {
  const [{ BulkBar: Bar }] = await Promise.all([import('#renderer/alerts/bulk/bulk-bar.tsx'), loadAllChoices()]);
  return Bar;
}, 'report');

// Comes with the first alert that is in a group.
const Groups = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "alert" */ '#renderer/alerts/groups/groups.tsx')).Groups,
  'omit',
);

export interface AlertListPageProps extends ListDescription {
  /** How its cards are, and what can be done with them. */
  card: CardDescription;
  /** Whose alerts these are, before the filter. */
  list: Pick<AlertListView, 'list' | 'folderId' | 'completion'>;
  /** The orders that it is offered in, the usual one first. */
  sorts: readonly AlertSort[];
}

/** A page that is a list of alerts which are worked on. */
export function AlertListPage({ list, sorts, ...page }: AlertListPageProps) {
  return <FilteredListPage {...page} filtered={useFilteredList(list, sorts)} />;
}

interface FilteredListPageProps extends Omit<AlertListPageProps, 'list' | 'sorts'> {
  filtered: FilteredList;
  /** What is completed, where the list has what is open alone. */
  group?: FeedGroup | undefined;
}

/** A list of alerts that are worked on: one by one, by keys, or many at once. */
export function FilteredListPage({ card, filtered, group, ...page }: FilteredListPageProps) {
  const { view, shown } = filtered;
  const ofGroup = group?.isOpen ? group.alerts : undefined;
  const alerts = useMemo(
    () => (shown.alerts && ofGroup ? [...shown.alerts, ...ofGroup] : shown.alerts),
    [shown.alerts, ofGroup],
  );
  const [fold, setFold] = useState<ListFold>();
  const selection = useListSelection(view, alerts, shown.more === undefined, fold, fold?.rows(shown.alerts, ofGroup));
  const cursor = useRef<ListCursor>(null);
  // Id of the action whose choices are open.
  const [menu, setMenu] = useState<string>();
  // They end with the selection, also where its last alert was taken by somebody else.
  if (menu !== undefined && selection.count === 0) setMenu(undefined);
  const actions = useActions();
  /** What is to be chosen first is chosen in the bar of the selection. */
  const act = (action: AlertAction, alert: Alert): void => {
    if (fold?.has(alert.id)) {
      fold.act(action, alert);
      return;
    }
    if (action.run || action.change) actions.run(action, alert);
    else if (actions.offers(action, alert)) {
      selection.toggle(alert);
      setMenu(action.id);
    }
  };
  const takeBar = useListKeys({ cursor, selection, kind: card.kind, offers: actions.offers, act });
  const isRunning = useAtomValue(bulkRunsAtom).length > 0;
  return (
    <ListPage>
      <ListFrame {...page} filtered={filtered} feed={{ card, selection, onSwipe: act, cursor, group, fold }} />
      <Suspense>
        {shown.alerts && (fold ?? shown.alerts.some(({ groupId }) => groupId)) && (
          <Groups
            view={view}
            alerts={shown.alerts}
            areAll={shown.more === undefined}
            selection={selection}
            onFold={setFold}
          />
        )}
        {(selection.count > 0 || isRunning) && (
          <BulkBar
            ref={takeBar}
            menu={menu}
            onMenu={setMenu}
            selection={selection}
            total={shown.total}
            isAtLeast={shown.isAtLeast}
            card={card}
            actions={actions}
          />
        )}
      </Suspense>
    </ListPage>
  );
}
