import { ChevronLeftIcon } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import classNames from 'classnames';
import { countText } from '#backend/contract/count-text.ts';
import * as texts from './texts.ts';
import * as styles from './page-head.module.css';

interface PageHeadProps {
  title: string;
  /** Stands before the title. */
  icon?: ReactNode;
  /** How many, and the label after it; nothing while it is not known. */
  count?: number | undefined;
  countLabel?: ReactNode;
  /** Stands after the count. */
  beside?: ReactNode;
  /** Stands at the end of the title's row. */
  end?: ReactNode;
  /** The count is loading: its space is kept, so that nothing moves when it comes. */
  isCountComing?: boolean;
  /** The page above this one, and the link back to it. */
  parent?: { to: string; title: string };
  /** Whether a sheet is right below, whose upper edge the head keeps in place while it scrolls. */
  isOverSheet?: boolean;
  /** A row below the title. The head is as high then whatever is in it. */
  bar?: ReactNode;
  children?: ReactNode;
}

/** A page's title with its count, and its filters and sort buttons on the right. */
export function PageHead({
  title,
  icon,
  count,
  countLabel,
  beside,
  end,
  parent,
  isOverSheet = false,
  isCountComing = false,
  bar,
  children,
}: PageHeadProps) {
  return (
    <div
      className={classNames(styles.head, bar !== undefined && styles.head_bar, isOverSheet && styles.head_overSheet)}
    >
      <div className={styles.headWords}>
        {parent && (
          <Link className={styles.back} to={parent.to} aria-label={texts.backToTitle(parent.title)}>
            <ChevronLeftIcon size={14} />
            <span>{parent.title}</span>
          </Link>
        )}
        {icon}
        <h1 className={styles.title} dir="auto">
          {title}
        </h1>
        {(count !== undefined || isCountComing) && (
          <p className={classNames(styles.count, count === undefined && styles.count_coming)}>
            <strong>{countText(count ?? 10)}</strong> {countLabel}
          </p>
        )}
        {beside}
        {end}
      </div>
      {bar}
      {children !== undefined && <div className={styles.tools}>{children}</div>}
    </div>
  );
}
