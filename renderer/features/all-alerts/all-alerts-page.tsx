import { Button } from '@blueprintjs/core';
import { ListIcon, SearchIcon } from '@blueprintjs/icons';
import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { CardLayout } from '#renderer/ui/alert-card/card-layout.ts';
import { useAlertDialogs } from '#renderer/ui/alert-card/use-alert-dialogs.tsx';
import { AlertListBody } from '#renderer/ui/alert-list/alert-list-body.tsx';
import { useAlertList } from '#renderer/ui/alert-list/use-alert-list.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { ADMIN_PANEL } from '#renderer/lib/admin-panel.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { ReadOnlyCard } from './read-only-card.tsx';
import { SearchBox } from './search-box.tsx';
import { StatCards } from './stat-cards.tsx';
import { StatusFilter } from './status-filter.tsx';
import { useAllAlertsFilter } from './use-all-alerts-filter.ts';
import './all-alerts-page.css';

const TITLE = 'System-Wide Alerts';

/** System-Wide Alerts: every alert, whoever owns it, read-only. */
export function AllAlertsPage() {
  const { filter, change } = useAllAlertsFilter();
  const { status, q } = filter;
  const { openExtra, openHistory, dialogs } = useAlertDialogs();
  const search = useCallback((text: string) => change({ q: text }), [change]);
  const renderCard = useCallback(
    (alert: Alert, layout: CardLayout, labelId: string) => (
      <ReadOnlyCard alert={alert} layout={layout} labelId={labelId} onMore={openExtra} onHistory={openHistory} />
    ),
    [openExtra, openHistory],
  );
  const list = useAlertList({ list: 'all', status, q });
  const isFiltered = status !== undefined || q !== undefined;
  return (
    <div className="ad-page ad-all">
      <PageHead
        title={TITLE}
        parent={ADMIN_PANEL}
        count={isFiltered ? list.total : undefined}
        words={list.isAtLeast ? 'or more found' : 'found'}
      />
      <StatCards />
      <search className="ad-all-tools">
        <SearchBox search={q ?? ''} onSearch={search} />
        <StatusFilter status={status} onChange={(chosen) => change({ status: chosen })} />
      </search>
      <AlertListBody
        title={TITLE}
        list={list}
        variant="all"
        renderCard={renderCard}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<SearchIcon size={40} />}
              title="No alerts found"
              text="Try adjusting your filters"
              action={<Button text="Clear filters" onClick={() => change({ status: undefined, q: undefined })} />}
            />
          ) : (
            <EmptyState icon={<ListIcon size={40} />} title="No alerts found" text="No alerts in the system yet" />
          )
        }
      />
      {dialogs}
    </div>
  );
}
