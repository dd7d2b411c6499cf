import { type ReactNode, useMemo } from 'react';
import type { AlertSort } from '#backend/contract/alert.ts';
import { READ_ONLY_CARD } from '#renderer/alerts/card/read-only-card.tsx';
import { useAlertList } from '#renderer/alerts/data/alert-queries.ts';
import { ExportButton } from '#renderer/alerts/export/export-button.tsx';
import { AlertListBody } from '#renderer/alerts/list/alert-list.tsx';
import { inZone, useListFilter } from '#renderer/alerts/list/list-filter.ts';
import { ListFilters } from '#renderer/alerts/list/list-filters.tsx';
import { NothingFound } from '#renderer/alerts/list/nothing-found.tsx';
import { MarkedPattern, patternOf } from '#renderer/alerts/search/hits.tsx';
import { markedTexts } from '#renderer/alerts/search/search-text.ts';
import { useIsComfortable } from '#renderer/lib/appearance.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import * as styles from '#renderer/ui/page-head/page-head.module.css';

const LIST = { list: 'all' } as const;
const SORTS: readonly AlertSort[] = ['newest', 'severity'];

interface AllViewPageProps {
  title: string;
  icon: ReactNode;
  total?: number | undefined;
  searchHead: ReactNode;
  isNarrowed: boolean;
  empty: ReactNode;
  children: ReactNode;
}

/** A view of every alert in the system, whoever owns it. Nothing is changed here but whose an alert is. */
export function AllViewPage({ title, icon, total, searchHead, isNarrowed, empty, children }: AllViewPageProps) {
  const { filter, change } = useListFilter();
  const { sort, ...narrowed } = filter;
  const view = { ...LIST, ...narrowed, ...inZone(filter), ...(SORTS.includes(sort) && { sort }) };
  const pattern = useMemo(() => patternOf(markedTexts(filter.search)), [filter.search]);
  const shown = useAlertList(view);
  const isSheet = shown.alerts ? shown.alerts.length > 0 : shown.error === null;
  const isComfortable = useIsComfortable();
  return (
    <div className={styles.page}>
      <PageHead
        title={title}
        icon={icon}
        count={total ?? shown.total}
        countLabel={shown.isAtLeast && total === undefined ? 'or more in the system' : 'in the system'}
        beside={searchHead}
        isCountComing={shown.error === null}
        isOverSheet={isSheet && !isComfortable}
      >
        <ListFilters list={LIST} filter={filter} onChange={change} sorts={SORTS} />
        <ExportButton view={view} title={title} total={shown.total} />
        {children}
      </PageHead>
      <MarkedPattern value={pattern}>
        <AlertListBody
          title={title}
          list={shown}
          card={READ_ONLY_CARD}
          empty={isNarrowed ? <NothingFound filter={filter} onChange={change} hasTabs={false} /> : empty}
        />
      </MarkedPattern>
    </div>
  );
}
