import { Button } from '@blueprintjs/core';
import { ErrorIcon, NotificationsIcon } from '@blueprintjs/icons';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Notice, type NoticeFilter, NOTICE_DAYS } from '#backend/contract/notice.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { MAX_NEWER, isIn, newestNoticesQuery, noticesQuery } from '#renderer/notifications/notices.ts';
import { NoticeRow } from './notice-row.tsx';
import { dayLabel } from './notice-texts.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as styles from './bell.module.css';

/** So near to its end the list asks for more, in pixels. */
const NEAR_END = 240;

/** The rows that stand, and how many newer ones wait. */
export interface ShownNotices {
  rows: readonly Notice[] | undefined;
  newer: number;
  isFailed: boolean;
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Reads the list again, with the newer ones. */
  refetch: () => Promise<unknown>;
  loadMore: () => void;
}

/** The notices that a list shows. */
export function useNotices(only: NoticeFilter | undefined): ShownNotices {
  const query = useInfiniteQuery(noticesQuery(only));
  const { data: newest } = useQuery(newestNoticesQuery);
  const known = query.data?.pages.flatMap((page) => page.rows);
  const current = new Map(newest?.rows.map((notice) => [notice.id, notice]));
  const first = known?.[0]?.id ?? '';
  const waiting = known ? (newest?.rows.filter((notice) => notice.id > first && isIn(notice, only)) ?? []) : [];
  // Where no row stands, none can move.
  const isEmpty = known?.length === 0;
  return {
    rows: isEmpty ? waiting : known?.map((notice) => current.get(notice.id) ?? notice),
    newer: isEmpty ? 0 : waiting.length,
    isFailed: query.isError && known === undefined,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    refetch: query.refetch,
    loadMore: () => void (query.hasNextPage && !query.isFetching && query.fetchNextPage()),
  };
}

interface NoticeListProps {
  panel: { readonly current: HTMLElement | null };
  only: NoticeFilter | undefined;
  list: ShownNotices;
  /** The person opens a notice, or reads what cannot be opened. */
  onRead: (id: string) => void;
}

/** Notices by days, newest first; what is new waits in a button over them. */
export function NoticeList({ panel, only, list, onRead }: NoticeListProps) {
  const { rows, newer, isFailed, hasMore, isLoadingMore, refetch, loadMore } = list;
  const scroller = useRef<HTMLDivElement>(null);
  const [currentId, setCurrentId] = useState<string>();
  const current = rows?.some(({ id }) => id === currentId) ? currentId : rows?.[0]?.id;
  useFirstRow(panel, scroller, rows !== undefined);

  const onKeyDown = (event: KeyboardEvent): void => {
    const all = rowsIn(scroller.current);
    const at = all.findIndex((row) => row === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined || at === -1) return;
    event.preventDefault();
    all[Math.min(Math.max(to, 0), all.length - 1)]?.focus();
    if (to >= all.length) loadMore();
  };
  const isGoingUp = useRef(false);
  const firstId = rows?.[0]?.id;
  // Once the newer rows are drawn.
  useLayoutEffect(() => {
    if (!isGoingUp.current || firstId === undefined) return;
    isGoingUp.current = false;
    scroller.current?.scrollTo(0, 0);
    scroller.current?.querySelector<HTMLElement>('[data-id]')?.focus({ preventScroll: true });
  }, [firstId]);
  const showNewer = (): void => {
    isGoingUp.current = true;
    void refetch();
  };
  const retry = (): void => {
    // The button goes.
    panel.current?.focus();
    void refetch();
  };
  const showOlder = (): void => {
    rowsIn(scroller.current).at(-1)?.focus();
    loadMore();
  };

  return (
    <div className={styles.body}>
      {newer > 0 && (
        <Button className={styles.pill} intent="primary" onClick={showNewer}>
          {texts.newNotices(newer >= MAX_NEWER ? `${MAX_NEWER}+` : newer)}
        </Button>
      )}
      <div
        ref={scroller}
        className={styles.scroll}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          if (scrollTop + clientHeight > scrollHeight - NEAR_END) loadMore();
        }}
      >
        {rows === undefined && (isFailed ? <Failed onRetry={retry} /> : <Loading />)}
        {rows?.length === 0 && <Empty only={only} />}
        {rows && rows.length > 0 && (
          <Days rows={rows}>
            {(notice) => (
              <NoticeRow
                notice={notice}
                isCurrent={notice.id === current}
                onFocus={() => setCurrentId(notice.id)}
                onKeyDown={onKeyDown}
                onRead={() => onRead(notice.id)}
              />
            )}
          </Days>
        )}
        {hasMore && (
          <Button className={styles.more} variant="minimal" loading={isLoadingMore} onClick={showOlder}>
            {texts.showOlder}
          </Button>
        )}
      </div>
    </div>
  );
}

const rowsIn = (list: HTMLElement | null): HTMLElement[] => [
  ...(list?.querySelectorAll<HTMLElement>('[data-id]') ?? []),
];

/** Moves the focus from the panel into its first row, once there is one. */
function useFirstRow(panel: NoticeListProps['panel'], scroller: NoticeListProps['panel'], isLoaded: boolean): void {
  useEffect(() => {
    if (isLoaded && document.activeElement === panel.current)
      scroller.current?.querySelector<HTMLElement>('[data-id]')?.focus({ preventScroll: true });
  }, [isLoaded, panel, scroller]);
}

/** The rows of each day under its name. */
function Days({ rows, children }: { rows: readonly Notice[]; children: (notice: Notice) => ReactNode }) {
  // As text, so that the clock draws the list again only when a day is called otherwise.
  const labels = useNow((now) => rows.map(({ createdAt }) => dayLabel(createdAt, now)).join('\n')).split('\n');
  const days = Map.groupBy(rows.keys(), (at) => labels[at] ?? '');
  return [...days].map(([day, places]) => (
    <section key={day} aria-label={day}>
      <h3 className={styles.day}>{day}</h3>
      <ul className={styles.rows}>
        {places.map((at) => {
          const notice = rows[at];
          return notice && <li key={notice.id}>{children(notice)}</li>;
        })}
      </ul>
    </section>
  ));
}

function Empty({ only }: { only: NoticeFilter | undefined }) {
  const [title, text] =
    only === undefined
      ? [texts.nothingForYouYet, texts.mentionsHandOversAndAssignments]
      : [EMPTY_TITLES[only], texts.fromLastDays(NOTICE_DAYS)];
  return (
    <div className={styles.state}>
      <NotificationsIcon size={32} />
      <p className={styles.stateTitle}>{title}</p>
      {only !== 'unread' && <p>{text}</p>}
    </div>
  );
}

const EMPTY_TITLES = {
  unread: texts.nothingUnread,
  mentions: texts.noMentions,
  'hand-overs': texts.noHandOvers,
  assignments: texts.noAssignments,
} as const satisfies Record<NoticeFilter, string>;

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.state} role="alert">
      <ErrorIcon size={32} />
      <p className={styles.stateTitle}>{pageTexts.couldNotBeLoaded}</p>
      <Button text={common.tryAgain} onClick={onRetry} />
    </div>
  );
}

/** Bars in the places of rows, after a moment. */
function Loading() {
  return (
    <div className={styles.loading} aria-busy="true">
      <span className="ad-hidden">{texts.loading}</span>
      {[200, 168, 224, 184].map((width) => (
        <div key={width} className={styles.skeleton} aria-hidden>
          <span className={styles.face} />
          <span className={styles.bars}>
            <span style={{ width }} />
            <span style={{ width: width + 120 }} />
          </span>
        </div>
      ))}
    </div>
  );
}
