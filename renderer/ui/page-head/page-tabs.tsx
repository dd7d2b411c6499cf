import classNames from 'classnames';
import { NavLink } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import * as styles from './page-tabs.module.css';

interface PageTabsProps {
  label: string;
  tabs: readonly { to: string; title: string; count?: number | undefined }[];
  /** Whether it stays at the page's top on a small screen, where heads of pages differ in their height. */
  isFirst?: boolean;
}

/** Pages that belong together, as tabs: each has its own address, so that links, Back and a reload lead there. */
export const PageTabs = ({ label, tabs, isFirst = false }: PageTabsProps) => (
  <nav className={classNames(styles.tabs, isFirst && styles.tabs_first)} aria-label={label}>
    {tabs.map(({ to, title, count }) => (
      <NavLink key={to} className={styles.tab} to={to}>
        {title}
        {count !== undefined && (
          <>
            {' '}
            <span className={styles.count}>{countText(count)}</span>
          </>
        )}
      </NavLink>
    ))}
  </nav>
);
