import { AnchorButton } from '@blueprintjs/core';
import { FilterListIcon } from '@blueprintjs/icons';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useHref, useLinkClickHandler, useParams, useSearchParams } from 'react-router-dom';
import type { View } from '#backend/contract/view.ts';
import { completionOfView } from '#backend/contract/view-completion.ts';
import { AllListPage } from '#renderer/alerts/list/all-list-page.tsx';
import { InboxListPage } from '#renderer/alerts/list/inbox-list-page.tsx';
import { useListFilter } from '#renderer/alerts/list/list-filter.ts';
import { searchOfFilter } from '#renderer/alerts/list/saved-filter.ts';
import { QueueListPage } from '#renderer/alerts/list/queue-list-page.tsx';
import { useReplaceSearch } from '#renderer/alerts/panel/open-alert.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS, VIEW_VERSION } from '#renderer/lib/paths.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { useViews } from '#renderer/views/views.ts';
import { addressOf, isAsSaved, isSavedAlike, withVersion } from './view-address.ts';
import { ViewChanges } from './view-head.tsx';
import { ViewMenu } from './view-menu.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as alertListStyles from '#renderer/alerts/list/alert-list.module.css';
import * as styles from './view-head.module.css';

/** A view: a list with a filter that has a name. */
export function ViewPage() {
  const { id = '' } = useParams();
  const { views, error, retry } = useViews();
  const view = views?.find((one) => one.id === id);
  const [seen, setSeen] = useState<View>();
  if (view && view !== seen) setSeen(view);
  if (view) return <OpenView key={id} view={view} views={views ?? []} />;
  if (views) return <ViewUnknown name={seen?.id === id ? seen.name : undefined} />;
  if (!error) return null;
  return (
    <div className={alertListStyles.alone}>
      <LoadError what={texts.yourViews} error={error} onRetry={retry} isPage />
    </div>
  );
}

/** The list as the address narrows it; an address that names nothing is that of the view as it was saved. */
function OpenView({ view, views }: { view: View; views: readonly View[] }) {
  const [params] = useSearchParams();
  const replaceSearch = useReplaceSearch();
  const { filter } = useListFilter();
  const version = params.get(VIEW_VERSION);
  useFollowVersion(view);
  const before = useRef(view);
  const followed = useRef(new Map<string | null, View>());
  useEffect(() => {
    // Who did not touch the view follows when somebody changes it; who did keeps what they have.
    const known = before.current;
    before.current = view;
    if (known.version !== view.version && isAsSaved(known, filter)) followed.current.set(version, known);
    // Also on the way back to the list, whose entry is from before, when an alert was open beside it.
    const old = followed.current.get(version);
    const isFollowing = old !== undefined && old.version !== view.version && isAsSaved(old, filter);
    const isCurrent = version === String(view.version) || !isAsSaved(view, filter);
    if (version === null || isFollowing || !isCurrent) replaceSearch(addressOf(view));
  }, [view, version, filter, replaceSearch]);
  if (version === null) return null;
  const isChanged = !isAsSaved(view, filter);
  const page = {
    title: inertLine(view.name),
    icon: <FilterListIcon size={16} className={styles.icon} />,
    ...(!isChanged && view.alerts !== null && { total: view.alerts }),
    searchHead: isChanged ? <ViewChanges view={view} filter={filter} version={Number(version)} /> : null,
    isNarrowed: isChanged,
    empty: <ViewEmpty />,
    children: <ViewMenu view={view} views={views} />,
  };
  if (view.list === 'inbox') return <InboxListPage {...page} countLabel={IN_INBOX} />;
  if (view.list === 'mine') {
    const list = completionOfView(view.list, searchOfFilter(filter)) === 'open' ? MINE_OPEN : MINE;
    return <QueueListPage {...page} list={list} words={pageTexts.inYourQueue} />;
  }
  return <AllListPage {...page} countLabel={IN_SYSTEM} />;
}

/** Has the address follow a version that narrows and sorts as the one before: nothing unseen is saved over then. */
function useFollowVersion(view: View): void {
  const [params] = useSearchParams();
  const replaceSearch = useReplaceSearch();
  // Also on the way back to the list, whose entry is from before, when an alert was open beside it.
  const seen = useRef(new Map<string | null, View>());
  useLayoutEffect(() => {
    seen.current.set(String(view.version), view);
    const known = seen.current.get(params.get(VIEW_VERSION));
    if (!known || known.version === view.version || !isSavedAlike(known, view)) return;
    const next = withVersion(params, view);
    // At once: in a transition Save and what is typed would still go by the version before. React flushes nothing in here.
    queueMicrotask(() => replaceSearch(next, true));
  }, [view, params, replaceSearch]);
}

const MINE_OPEN = { list: 'mine', completion: 'open' } as const;
const MINE = { list: 'mine' } as const;
const IN_SYSTEM = (): string => texts.inSystem;
const IN_INBOX = (): string => common.waitingForAction;

/** Nothing is filtered beside the view, and nothing is in it. */
function ViewEmpty() {
  return (
    <EmptyState
      icon={<FilterListIcon size={40} />}
      title={texts.noAlertsInThisView}
      text={texts.alertsThatMatchItAppear}
    />
  );
}

/** There is no such view for me, or none any more. */
function ViewUnknown({ name }: { name: string | undefined }) {
  const href = useHref(PATHS.inbox);
  const open = useLinkClickHandler<HTMLElement>(PATHS.inbox);
  return (
    <div className={alertListStyles.alone}>
      <EmptyState
        isPage
        icon={<FilterListIcon size={40} />}
        title={name === undefined ? texts.viewNotFound : texts.wasDeleted(inertLine(name))}
        text={name === undefined ? texts.thisViewMayHaveBeen : texts.viewWasDeletedOrIs}
        action={<AnchorButton href={href} onClick={open} text={common.newAlerts} />}
      />
    </div>
  );
}
