import { Button, Classes, SegmentedControl } from '@blueprintjs/core';
import { ListIcon, SearchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { type AlertSort, type AlertStats, type AlertStatus, alertStatusSchema } from '#backend/contract/alert.ts';
import { StatusDot } from '#renderer/alerts/card/card-parts.tsx';
import { READ_ONLY_CARD } from '#renderer/alerts/card/read-only-card.tsx';
import { STATUS_LABELS } from '#renderer/alerts/data/alert-labels.ts';
import { statsQuery, useAlertList } from '#renderer/alerts/data/alert-queries.ts';
import { ExportButton } from '#renderer/alerts/export/export-button.tsx';
import { AlertListBody } from '#renderer/alerts/list/alert-list.tsx';
import { NO_FILTER, inZone } from '#renderer/alerts/list/list-filter.ts';
import { ListFilters } from '#renderer/alerts/list/list-filters.tsx';
import { MarkedPattern, patternOf } from '#renderer/alerts/search/hits.tsx';
import { SearchTabs } from '#renderer/alerts/search/search-tabs.tsx';
import { markedTexts } from '#renderer/alerts/search/search-text.ts';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { countText } from '#renderer/lib/badge-text.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { SearchBox } from './search-box.tsx';
import { useAllAlertsFilter } from './use-all-alerts-filter.ts';
import classNames from 'classnames';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as statusStyles from '#renderer/alerts/card/status.module.css';
import * as styles from './all-alerts-page.module.css';

const TITLE = 'System-Wide Alerts';
const LIST = { list: 'all' } as const;
const SORTS: readonly AlertSort[] = ['newest', 'severity'];

/** System-Wide Alerts: every alert, whoever owns it. Nothing is changed here but whose an alert is. */
export function AllAlertsPage() {
  const { filter, change } = useAllAlertsFilter();
  const { status, q, search: words, severity, source, sort } = filter;
  const pattern = useMemo(() => patternOf([...(q === undefined ? [] : [q]), ...markedTexts(words)]), [q, words]);
  const search = useCallback((text: string) => change({ q: text }), [change]);
  const view = {
    ...LIST,
    status,
    q,
    search: words,
    ...inZone(filter),
    severity,
    source,
    ...(SORTS.includes(sort) && { sort }),
  };
  const list = useAlertList(view);
  const isFiltered = [status, q, words, severity, source].some((value) => value !== undefined);
  return (
    <div className={`${pageHeadStyles.page} ${styles.all}`}>
      <PageHead
        title={TITLE}
        parent={ADMIN_PANEL}
        count={isFiltered ? list.total : undefined}
        countLabel={list.isAtLeast ? 'or more found' : 'found'}
        beside={words !== undefined && <SearchTabs filter={filter} list={LIST} shown={list} />}
      />
      <StatCards />
      <search className={styles.tools}>
        <SearchBox search={q ?? ''} onSearch={search} />
        <StatusFilter status={status} onChange={(chosen) => change({ status: chosen })} />
        <ListFilters list={LIST} filter={filter} onChange={change} sorts={SORTS} hasNames={false} />
        <ExportButton view={view} title={TITLE} total={list.total} />
      </search>
      <MarkedPattern value={pattern}>
        <AlertListBody
          title={TITLE}
          list={list}
          card={READ_ONLY_CARD}
          empty={
            isFiltered ? (
              <EmptyState
                icon={<SearchIcon size={40} />}
                title="No alerts found"
                text="Try adjusting your filters"
                action={
                  <Button
                    text="Clear filters"
                    onClick={() => change({ ...NO_FILTER, status: undefined, q: undefined })}
                  />
                }
              />
            ) : (
              <EmptyState icon={<ListIcon size={40} />} title="No alerts found" text="No alerts in the system yet" />
            )
          }
        />
      </MarkedPattern>
    </div>
  );
}

const STATS: readonly { key: keyof AlertStats; label: string }[] = [
  { key: 'total', label: 'Total' },
  { key: 'pending', label: STATUS_LABELS.pending },
  { key: 'accepted', label: STATUS_LABELS.accepted },
  { key: 'in-progress', label: STATUS_LABELS['in-progress'] },
  { key: 'completed', label: STATUS_LABELS.completed },
];

/** The number of alerts in all, and of each status. */
function StatCards() {
  const { data: stats, isError } = useQuery(statsQuery);
  return (
    <dl className={styles.stats} aria-label="Alerts by status">
      {STATS.map(({ key, label }) => (
        <div key={key} className={styles.stat}>
          <dt className={classNames(styles.statLabel, statusStyles[`status_${key}`])}>
            {key !== 'total' && <StatusDot />}
            {label}
          </dt>
          <dd className={styles.statNumber}>
            {stats ? (
              countText(stats[key])
            ) : isError ? (
              <span title="Could not be loaded">–</span>
            ) : (
              <span className={Classes.SKELETON}>0,000</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

const ALL = 'all';

const OPTIONS = [
  { value: ALL, label: 'All' },
  ...alertStatusSchema.options.map((value) => ({ value, label: STATUS_LABELS[value] })),
];

interface StatusFilterProps {
  status: AlertStatus | undefined;
  onChange: (status: AlertStatus | undefined) => void;
}

/** All, Pending, Accepted, In Progress, Completed. */
function StatusFilter({ status, onChange }: StatusFilterProps) {
  return (
    <SegmentedControl
      className={styles.status}
      aria-label="Status"
      options={OPTIONS}
      value={status ?? ALL}
      onValueChange={(value) => onChange(value === ALL ? undefined : alertStatusSchema.parse(value))}
    />
  );
}
