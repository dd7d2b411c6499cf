import { Classes } from '@blueprintjs/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as styles from './panel.module.css';

interface PanelProps {
  title: string;
  /** What can be done with the whole of it, right of the title. */
  actions?: ReactNode;
  /** Said below the title. */
  hint?: ReactNode;
  children?: ReactNode;
}

/** A raised sheet with a heading, for what is not a list of alerts. */
export function Panel({ title, actions, hint, children }: PanelProps) {
  const id = useId();
  return (
    <section ref={keepFocus} className={styles.panel} aria-labelledby={id}>
      <div className={styles.panelHead}>
        <h2 id={id} className={styles.panelTitle}>
          {title}
        </h2>
        {actions && <div className={styles.panelActions}>{actions}</div>}
        {hint && <p className={styles.panelHint}>{hint}</p>}
      </div>
      {children}
    </section>
  );
}

const WIDTHS = [180, 132, 208, 156];

/** Bars in the place of rows that are loading; visible after 150 ms, so that a quick answer does not flash. */
export function RowsSkeleton({ label, isSheet = false }: { label: string; isSheet?: boolean }) {
  return (
    <>
      <output className="ad-hidden">{texts.loadingRows(label)}</output>
      <div className={classNames(styles.rows, styles.rowsLoading, isSheet && styles.rows_sheet)} aria-hidden>
        {WIDTHS.map((width) => (
          <div key={width} className={styles.row}>
            <span className={Classes.SKELETON} style={{ width }} />
          </div>
        ))}
      </div>
    </>
  );
}

export interface WhenLoadedProps {
  /** Names what is loaded, e.g. "Alert types". */
  what: string;
  queries: readonly Pick<UseQueryResult, 'data' | 'error' | 'refetch'>[];
  children: ReactNode;
}

/** A panel's content once every query has data; until then bars, or why they could not be read. */
export function WhenLoaded({ what, queries, children }: WhenLoadedProps) {
  if (queries.every(({ data }) => data !== undefined)) return children;
  const error = queries.find((query) => query.error !== null)?.error;
  const retry = (): void => void Promise.all(queries.map(({ refetch }) => refetch()));
  return error ? <LoadError what={what} error={error} onRetry={retry} /> : <RowsSkeleton label={what.toLowerCase()} />;
}
