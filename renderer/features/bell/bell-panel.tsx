import { Button, Classes, SegmentedControl } from '@blueprintjs/core';
import { CrossIcon } from '@blueprintjs/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import classNames from 'classnames';
import { useEffect, useId, useRef, useState } from 'react';
import { type NoticeFilter, type UnreadNotices, NOTICE_DAYS } from '#backend/contract/notice.ts';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { markAllNotices, markNotices, unreadNoticesQuery } from '#renderer/notifications/notices.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { KeyCap } from '#renderer/ui/key-cap.tsx';
import { NoticeList, useNotices } from './notice-list.tsx';
import { RECENT_MINUTES, RecentList } from './recent-list.tsx';
import { useSeen } from './use-seen.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './bell.module.css';

/** What colleagues did for me in the last 30 days, newest first, and what this tab reported. */
export function BellPanel() {
  const [segment, setSegment] = useState<Segment>('all');
  const isRecent = segment === 'recent';
  const only = isRecent || segment === 'all' ? undefined : segment;
  const titleId = useId();
  const panel = useRef<HTMLDialogElement>(null);
  const { data: unread } = useQuery(unreadNoticesQuery);
  const list = useNotices(only);
  const total = unread?.total ?? 0;
  const client = useQueryClient();
  /** What was made unread again: it stays so. */
  const undone = useRef(new Set<string>());
  const read = (ids: readonly string[]): void => {
    const known = new Set(list.rows?.flatMap(({ id, readAt }) => (readAt === undefined ? [] : [id])));
    const marked = ids.filter((id) => !known.has(id));
    // What could not be marked stays unread, and says so on the bell.
    if (marked.length > 0) void markNotices(client, marked, true).catch(() => undefined);
  };
  useSeen(panel, isRecent ? '' : (list.rows?.map(({ id }) => id).join(' ') ?? ''), (ids) =>
    read(ids.filter((id) => !undone.current.has(id))),
  );
  useEffect(() => panel.current?.focus({ preventScroll: true }), []);

  return (
    <dialog ref={panel} className={styles.panel} aria-labelledby={titleId} open tabIndex={-1}>
      <div className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          {texts.forYou}
        </h2>
        {total > 0 && <span className={styles.count}>{texts.totalUnread(total)}</span>}
        <MarkAll
          only={only}
          upTo={list.rows?.[0]?.id}
          isOffered={!isRecent && (unread?.[only === undefined ? 'total' : COUNTS[only]] ?? 0) > 0}
          onMarked={() => focusRow(panel.current)}
          onUndone={(ids) => ids.forEach((id) => undone.current.add(id))}
        />
        <Button
          className={classNames(styles.close, Classes.POPOVER_DISMISS)}
          variant="minimal"
          icon={<CrossIcon />}
          aria-label={pageTexts.close}
        />
      </div>
      <div className={styles.segments}>
        <SegmentedControl
          aria-label={texts.show}
          options={[
            { value: 'all', label: texts.all },
            { value: 'unread', label: texts.unread },
            { value: 'mentions', label: labelOf('Mentions', unread?.mentions) },
            { value: 'hand-overs', label: labelOf('Hand-overs', unread?.handOvers) },
            { value: 'assignments', label: labelOf('Assigned', unread?.assignments) },
            { value: 'recent', label: texts.recent },
          ]}
          value={segment}
          onValueChange={(value, button) => {
            setSegment(value as Segment);
            // On a phone the last ones are beside the screen.
            button?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
          }}
        />
      </div>
      {isRecent ? (
        <RecentList panel={panel} />
      ) : (
        <NoticeList key={segment} panel={panel} only={only} list={list} onRead={(id) => read([id])} />
      )}
      <div className={styles.foot}>
        <span>{isRecent ? texts.keptInThisTab(RECENT_MINUTES) : texts.keptOnAllDevices(NOTICE_DAYS)}</span>
        <span className={styles.keys}>
          <KeyCap label="G" /> <KeyCap label="N" />
        </span>
      </div>
    </dialog>
  );
}

type Segment = 'all' | NoticeFilter | 'recent';

/** Where the unread notices of a list are counted. */
const COUNTS = {
  unread: 'total',
  mentions: 'mentions',
  'hand-overs': 'handOvers',
  assignments: 'assignments',
} as const satisfies Record<NoticeFilter, keyof UnreadNotices>;

const labelOf = (name: string, count: number | undefined): string => [name, badgeText(count)].filter(Boolean).join(' ');

interface MarkAllProps {
  only: NoticeFilter | undefined;
  upTo: string | undefined;
  isOffered: boolean;
  /** The button is about to go. */
  onMarked: () => void;
  /** They are to stay unread, though they are on screen. */
  onUndone: (ids: readonly string[]) => void;
}

/** Reads everything of a list that was on screen or could have been; what comes in that moment stays unread. */
function MarkAll({ only, upTo, isOffered, onMarked, onUndone }: MarkAllProps) {
  const client = useQueryClient();
  const undo = useUndoStack();
  const toasts = useToasts();
  const [isPending, setPending] = useState(false);
  if (!isOffered || upTo === undefined) return null;

  const markAll = async (): Promise<void> => {
    setPending(true);
    try {
      const ids = await markAllNotices(client, upTo, only);
      onMarked();
      if (ids.length === 0) return;
      undo.add({
        kind: 'notices-read',
        title: ids.length === 1 ? texts.oneMarkedAsRead : texts.someMarkedAsRead(ids.length),
        many: () => ({ title: texts.markedAsRead }),
        undo: () => {
          onUndone(ids);
          return markNotices(client, ids, false);
        },
        undoFailed: texts.couldNotBeMarkedAs,
      });
    } catch (error) {
      const description = messageOf(error);
      toasts.show({ variant: 'destructive', title: texts.couldNotBeMarkedAsRead, description });
    } finally {
      setPending(false);
    }
  };
  return (
    <Button className={styles.markAll} variant="minimal" disabled={isPending} onClick={() => void markAll()}>
      {texts.markAllAsRead}
    </Button>
  );
}

/** Gives the focus to the row in the tab order, else to the panel. */
const focusRow = (panel: HTMLElement | null): void =>
  (panel?.querySelector<HTMLElement>('[data-id][tabindex="0"]') ?? panel)?.focus();
