import { atom, useAtomValue, useSetAtom } from 'jotai';
import { type ReactNode, createContext, use, useCallback, useEffect, useMemo } from 'react';
import { Link, type Location, matchPath, useLocation, useNavigate } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { noteAskAtom } from '#renderer/alerts/data/list-state.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import * as styles from '#renderer/alerts/card/alert-card.module.css';

/** Where the list stands that an alert was opened from, kept in the history entry of the alert. */
interface PanelState {
  list: Pick<Location, 'pathname' | 'search'>;
}

/** Id of the alert that is open beside the list on screen; undefined when none is. */
export const OpenAlertContext = createContext<string | undefined>(undefined);
export const useOpenAlertId = (): string | undefined => use(OpenAlertContext);

/** The element that the panel is drawn in, beside the content, and whether there is space for both. */
export const panelSlotAtom = atom<HTMLElement | null>(null);
export const panelPlaceAtom = atom<'beside' | 'over'>('over');

/** Whether an alert is open beside the list. */
export function useIsBesidePanel(): boolean {
  const isOpen = useOpenAlertId() !== undefined;
  return useAtomValue(panelPlaceAtom) === 'beside' && isOpen;
}

/** The headline of the alert that is open, for the document's title. */
export const openTitleAtom = atom<string | undefined>(undefined);

/** Names the alert that is open in the document's title. */
export function useOpenTitle(title: string | undefined): void {
  const name = useSetAtom(openTitleAtom);
  useEffect(() => {
    name(title);
    return () => name(undefined);
  }, [title, name]);
}

/**
 * What the address shows: an alert that was opened from a list is shown beside that list, which stays as it is; one that
 * was opened by its address is a page of its own.
 */
export function useScreen(): { location: Location; openAlertId: string | undefined } {
  const location = useLocation();
  return useMemo(() => screenAt(location), [location]);
}

/** Path and search of the screen that the address shows by now, for who asks once an answer has come late. */
export function screenNow(): Pick<Location, 'pathname' | 'search'> {
  const { pathname, search, hash } = window.location;
  // Where the router keeps what a page has put into the history.
  const state: unknown = (window.history.state as { usr?: unknown } | null)?.usr;
  return screenAt({ pathname, search, hash, state, key: 'default' }).location;
}

function screenAt(location: Location): { location: Location; openAlertId: string | undefined } {
  const id = matchPath(PATHS.alert, location.pathname)?.params.id;
  if (id === undefined || !isPanelState(location.state)) return { location, openAlertId: undefined };
  return { location: { ...location.state.list, hash: '', state: null, key: 'default' }, openAlertId: id };
}

/** Whether going from one location to the other leaves a screen: one that an alert is opened beside stays. */
export const isScreenLeft = (from: Location, to: Location): boolean =>
  screenAt(from).location.pathname !== screenAt(to).location.pathname;

const isPanelState = (state: unknown): state is PanelState =>
  typeof state === 'object' &&
  state !== null &&
  'list' in state &&
  typeof state.list === 'object' &&
  state.list !== null &&
  'pathname' in state.list;

/** Opens an alert beside the list of this screen; one that is open already gives way to it. */
export function useOpenAlert(): (id: string) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const isOpen = useOpenAlertId() !== undefined;
  return useCallback(
    (id) => void navigate(pathOfAlert(id), { state: { list: { pathname, search } }, replace: isOpen }),
    [navigate, pathname, search, isOpen],
  );
}

/** Replaces what narrows the list of this screen in the address. An alert that is open beside it stays open. */
export function useReplaceSearch(): (search: URLSearchParams, flushSync?: boolean) => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const openId = useOpenAlertId();
  return useCallback(
    (search, flushSync = false) => {
      const list = { pathname, search: `?${search}` };
      const options = { replace: true, flushSync };
      if (openId === undefined) void navigate(list, options);
      else void navigate(pathOfAlert(openId), { ...options, state: { list } satisfies PanelState });
    },
    [navigate, pathname, openId],
  );
}

/** Opens an alert beside the list unless it is open, with the focus in the field of a new note. */
export function useWriteNote(): (alert: Pick<Alert, 'id'>) => void {
  const open = useOpenAlert();
  const openId = useOpenAlertId();
  const { pathname } = useLocation();
  const ask = useSetAtom(noteAskAtom);
  return useCallback(
    ({ id }) => {
      ask(id);
      if (id !== openId && pathname !== pathOfAlert(id)) open(id);
    },
    [ask, open, openId, pathname],
  );
}

/** A headline that opens its alert beside the list, or in a tab of its own, as links do. */
export function AlertLink({ id, children }: { id: string; children: ReactNode }) {
  const { pathname, search } = useLocation();
  const isOpen = useOpenAlertId() !== undefined;
  return (
    <Link
      className={styles.link}
      to={pathOfAlert(id)}
      state={{ list: { pathname, search } } satisfies PanelState}
      replace={isOpen}
      // A card is one tab stop, and Enter on it does the same.
      tabIndex={-1}
    >
      {children}
    </Link>
  );
}
