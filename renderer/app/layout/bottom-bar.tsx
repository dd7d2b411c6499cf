import { SearchIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import { useEffect, useRef } from 'react';
import { NavLink, useLocation, useNavigate } from 'react-router-dom';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { useOnScreenKeyboard } from '#renderer/lib/on-screen-keyboard.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { useRememberedPath } from '#renderer/lib/screen-memory.ts';
import { focusSearchField } from '#renderer/lib/search-target.ts';
import { useAlertLists } from './alert-lists.ts';
import * as texts from './bottom-bar-texts.ts';
import * as styles from './bottom-bar.module.css';

/** The lists that everybody has and the search, where a thumb reaches them. What else the sidebar has is in its sheet. */
export function BottomBar() {
  useOnScreenKeyboard();
  const rememberedPath = useRememberedPath();
  const search = useSearch();
  return (
    <nav className={styles.bar} aria-label={texts.lists}>
      {useAlertLists().map(({ to, Icon, shortLabel, count, prominent }) => {
        const badge = badgeText(count);
        return (
          <NavLink key={to} className={styles.part} to={rememberedPath(to)} end>
            <Icon />
            <span>{shortLabel}</span>
            {badge && <span className={classNames(styles.count, prominent && styles.count_prominent)}>{badge}</span>}
          </NavLink>
        );
      })}
      <button type="button" className={styles.part} onClick={search}>
        <SearchIcon />
        <span>{texts.search}</span>
      </button>
    </nav>
  );
}

/** Leads to the search field of the screen, of the inbox where the screen has none. */
function useSearch(): () => void {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const isWanted = useRef(false);
  useEffect(() => {
    // The header, which has the field, is there before the bar.
    if (isWanted.current && pathname === PATHS.inbox) focusSearchField();
    isWanted.current = false;
  }, [pathname]);
  return () => {
    if (focusSearchField()) return;
    isWanted.current = true;
    void navigate(PATHS.inbox);
  };
}
