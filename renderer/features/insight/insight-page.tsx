import { Button, Callout } from '@blueprintjs/core';
import { TimelineBarChartIcon } from '@blueprintjs/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { Insight } from '#backend/contract/insight.ts';
import { isTimeZone } from '#backend/contract/search-times.ts';
import { changedParams } from '#renderer/alerts/list/list-filter.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { rememberSearchAtom } from '#renderer/lib/screen-memory.ts';
import { ADMIN_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { DayChart } from './day-chart.tsx';
import { rangeText } from './figure-labels.ts';
import { hrefOfDay, hrefOfName } from './insight-links.ts';
import { filtersIn, insightQuery, todayIn, viewIn } from './insight-range.ts';
import { InsightSkeleton } from './insight-skeleton.tsx';
import { InsightTools } from './insight-tools.tsx';
import { NamesPanel } from './names-panel.tsx';
import { NoisePanel } from './noise-panel.tsx';
import { ProblemsPanel } from './problems-panel.tsx';
import { StatCards } from './stat-cards.tsx';
import { TimeChart } from './time-chart.tsx';
import { WindowsPanel } from './windows-panel.tsx';
import { WeekChart } from './week-chart.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as styles from './insight.module.css';

const NO_FILTERS = { customer: undefined, alertType: undefined, source: undefined, person: undefined } as const;

/** Insight: what arrived in some days, and how long it took. */
export function InsightPage() {
  const { role } = useSession();
  const [params, setParams] = useSearchParams();
  const { pathname, search } = useLocation();
  const remember = useSetAtom(rememberSearchAtom);
  useEffect(() => remember(pathname, search), [remember, pathname, search]);
  const ownZone = timeZoneHere();
  const asked = params.get('timeZone') ?? '';
  const timeZone = asked !== '' && isTimeZone(asked) ? asked : ownZone;
  const today = useNow((now) => todayIn(timeZone, now));
  const view = viewIn(params, today);
  const insight = useQuery({ ...insightQuery(view, timeZone), placeholderData: keepPreviousData });
  const unfiltered = useQuery({
    ...insightQuery({ ...view, ...NO_FILTERS }, timeZone),
    placeholderData: keepPreviousData,
  });
  const reader = { seesAll: ADMIN_ROLES.includes(role), timeZone, ownZone };
  const change = (changed: Record<string, string | undefined>): void => {
    const { timeZone: zone, ...rest } = changed;
    // The time zone of this device is not written down.
    const written = 'timeZone' in changed ? { ...rest, timeZone: zone === ownZone ? undefined : zone } : rest;
    setParams((now) => changedParams(now, written), { replace: true });
  };
  const clear = (): void => change(NO_FILTERS);
  const { data } = insight;
  return (
    <div className={`${pageHeadStyles.page} ${styles.insight}`}>
      <PageHead
        title={common.insight}
        beside={
          <>
            <p className={pageHeadStyles.count}>
              {rangeText(view.from, view.to)}, {timeZone}
            </p>
            <Link className={styles.heartbeats} to={PATHS.heartbeats}>
              {pageTexts.heartbeats}
            </Link>
          </>
        }
      >
        <InsightTools view={view} timeZone={timeZone} unfiltered={unfiltered.data} onChange={change} />
      </PageHead>
      <div className={styles.body} aria-busy={insight.isFetching}>
        {insight.isError && !(data && insight.isPlaceholderData) ? (
          <LoadError what={common.insight} error={insight.error} onRetry={() => void insight.refetch()} />
        ) : data ? (
          <Figures
            insight={data}
            isFiltered={filtersIn(view) > 0}
            onClear={clear}
            view={view}
            sourceName={view.source === undefined ? undefined : nameOfSource(unfiltered.data, view.source)}
            ownerName={
              view.person === undefined
                ? undefined
                : (unfiltered.data?.groups.person.find(({ id }) => id === view.person)?.name ?? null)
            }
            reader={reader}
          />
        ) : (
          <InsightSkeleton />
        )}
      </div>
    </div>
  );
}

/** The name by which a search finds a source; null for one that was deleted or is not known. */
function nameOfSource(insight: Insight | undefined, sourceId: string): string | null {
  const found = insight?.groups.source.find(({ id }) => id === sourceId);
  return found && !found.isDeleted ? found.name : null;
}

interface FiguresProps {
  insight: Insight;
  isFiltered: boolean;
  onClear: () => void;
  view: ReturnType<typeof viewIn>;
  sourceName: string | null | undefined;
  ownerName: string | null | undefined;
  reader: Parameters<typeof hrefOfDay>[2];
}

function Figures({ insight, isFiltered, onClear, view, sourceName, ownerName, reader }: FiguresProps) {
  const navigate = useNavigate();
  const { totals, before, days, week, groups, problems, isComplete } = insight;
  const filters = { customer: view.customer, alertType: view.alertType, sourceName, ownerName };
  const counting = !isComplete && (
    <Callout className={styles.counting} intent="primary">
      {texts.alertsAreStillBeingCounted}
    </Callout>
  );
  if (totals.arrived === 0 && before.arrived === 0) {
    return (
      <>
        {counting}
        <EmptyState
          icon={<TimelineBarChartIcon size={40} />}
          title={texts.noAlertsInTheseDays}
          text={isFiltered ? texts.tryOtherDaysOrFewer : texts.chooseOtherDaysOnceAlerts}
          {...(isFiltered && { action: <Button text={pageTexts.clearFilters} onClick={onClear} /> })}
        />
      </>
    );
  }
  return (
    <HoverTip className={styles.figures}>
      {counting}
      <StatCards insight={insight} />
      <DayChart
        days={days}
        {...(sourceName !== null &&
          ownerName !== null && { onOpen: (date) => void navigate(hrefOfDay(date, filters, reader) ?? '') })}
      />
      <div className={styles.pair}>
        <TimeChart title={texts.timeToAccept} days={days} timesOf={({ accept }) => accept} />
        <TimeChart title={texts.timeToComplete} days={days} timesOf={({ complete }) => complete} />
      </div>
      <div className={styles.pair}>
        <WeekChart week={week} />
        <NamesPanel groups={groups} hrefOf={(group, row) => hrefOfName(group, row, view, filters, reader)} />
      </div>
      <NoisePanel groups={groups} hrefOf={(group, row) => hrefOfName(group, row, view, filters, reader)} />
      <ProblemsPanel problems={problems} range={view} filters={filters} reader={reader} />
      {!isFiltered && <WindowsPanel from={view.from} to={view.to} timeZone={reader.timeZone} />}
    </HoverTip>
  );
}
