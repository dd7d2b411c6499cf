import { Button, Classes } from '@blueprintjs/core';
import { ListIcon, SearchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { AlertStats } from '#backend/contract/alert-totals.ts';
import { StatusDot } from '#renderer/alerts/card/card-parts.tsx';
import { STATUS_LABELS } from '#renderer/alerts/data/alert-labels.ts';
import { statsQuery } from '#renderer/alerts/data/alert-queries.ts';
import { AllListPage } from '#renderer/alerts/list/all-list-page.tsx';
import { type ListFilterState, NO_FILTER } from '#renderer/alerts/list/list-filter.ts';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import { SearchBox } from './search-box.tsx';
import classNames from 'classnames';
import { countText } from '#backend/contract/count-text.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as statusStyles from '#renderer/alerts/card/status.module.css';
import * as styles from './all-alerts-page.module.css';

/** System-Wide Alerts: every alert, with the number of each status. */
export function AllAlertsPage() {
  return (
    <AllListPage
      title={common.systemWideAlerts}
      parent={ADMIN_PANEL}
      total={null}
      countLabel={countLabel}
      before={<StatCards />}
      lead={searchBox}
      nothingFound={nothingFound}
      empty={<EmptyState icon={<ListIcon size={40} />} title={texts.noAlertsFound} text={texts.noAlertsInSystemYet} />}
    />
  );
}

const countLabel = (): string => 'found';
const searchBox = (state: ListFilterState) => <SearchBox {...state} />;

/** The button goes with the filters. */
const leaveFocus = passFocus(() => document.querySelector('main'));

const nothingFound = ({ change }: ListFilterState) => (
  <EmptyState
    icon={<SearchIcon size={40} />}
    title={texts.noAlertsFound}
    text={texts.tryAdjustingYourFilters}
    action={
      <span ref={leaveFocus}>
        <Button text={pageTexts.clearFilters} onClick={() => change(NO_FILTER)} />
      </span>
    }
  />
);

const STATS: readonly { key: keyof AlertStats; label: string }[] = [
  { key: 'total', label: texts.total },
  { key: 'pending', label: STATUS_LABELS.pending },
  { key: 'accepted', label: STATUS_LABELS.accepted },
  { key: 'in-progress', label: STATUS_LABELS['in-progress'] },
  { key: 'completed', label: STATUS_LABELS.completed },
];

/** The number of alerts in all, and of each status. */
function StatCards() {
  const { data: stats, isError } = useQuery(statsQuery);
  return (
    <div className={styles.statsPlace}>
      <dl className={styles.stats} aria-label={texts.alertsByStatus}>
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
                <span title={pageTexts.couldNotBeLoaded}>–</span>
              ) : (
                <span className={Classes.SKELETON}>0,000</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
