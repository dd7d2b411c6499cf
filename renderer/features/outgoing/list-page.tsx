import { Button } from '@blueprintjs/core';
import { PlusIcon } from '@blueprintjs/icons';
import type { ReactElement, ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { OUTGOING_PAGES } from './outgoing-labels.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

interface ListPageProps<T> {
  /** What is listed; undefined until it is read. */
  rows: readonly T[] | undefined;
  error: Error | null;
  onRetry: () => void;
  /** The noun beside the number. */
  countLabel: ReactNode;
  /** What makes another one, and the page where that is done. */
  add: { text: string; path: string };
  /** What stands in place of no rows. */
  empty: { icon: ReactElement; title: string; text: string };
  /** What is listed, as a sentence begins with it. */
  what: string;
  /** The same inside a sentence. */
  label: string;
  children: (rows: readonly T[]) => ReactNode;
}

/** A tab of the pages about what goes out, with a list that may be empty, not yet there, or not to be read. */
export function ListPage<T>(props: ListPageProps<T>) {
  const { rows, error, onRetry, countLabel, add, empty, what, label, children } = props;
  const navigate = useNavigate();
  return (
    <div className={`${pageHeadStyles.page} ${styles.outgoing}`}>
      <PageHead title={pageTexts.outgoing} parent={ADMIN_PANEL} count={rows?.length} countLabel={countLabel}>
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          icon={<PlusIcon />}
          text={add.text}
          onClick={() => void navigate(add.path)}
        />
      </PageHead>
      <PageTabs isFirst label={pageTexts.outgoing} tabs={OUTGOING_PAGES} />
      <div className={panelStyles.pageBody}>
        {rows ? (
          rows.length > 0 ? (
            children(rows)
          ) : (
            <EmptyState {...empty} />
          )
        ) : error ? (
          <LoadError what={what} error={error} onRetry={onRetry} />
        ) : (
          <RowsSkeleton label={label} isSheet />
        )}
      </div>
    </div>
  );
}
