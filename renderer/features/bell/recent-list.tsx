import { Button, Classes } from '@blueprintjs/core';
import { HistoryIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import { useAtomValue } from 'jotai';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from 'react-router-dom';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { TOAST_REMOVAL_DELAY_MS } from '#renderer/toasts/recent-toasts.ts';
import type { RecentToast, ToastSubject } from '#renderer/toasts/stored-recent.ts';
import { ToastText } from '#renderer/toasts/toast-card.tsx';
import { toastQueueAtom } from '#renderer/toasts/toast.ts';
import { type UndoState, useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import { useLinkBeside } from './notice-row.tsx';
import { ageLabel } from './notice-texts.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as toastStyles from '#renderer/toasts/toast-card.module.css';
import * as styles from './bell.module.css';

/** So long past toasts are kept, in whole minutes. */
export const RECENT_MINUTES = Math.floor(TOAST_REMOVAL_DELAY_MS / 60_000);

/**
 * The toasts of this tab that are kept, newest first, to be read again and undone. Rows stand as they were when the list was
 * opened: what is newer waits in a button, so that nobody undoes the wrong thing.
 */
export function RecentList({ panel }: { panel: RefObject<HTMLElement | null> }) {
  const { recent } = useAtomValue(toastQueueAtom);
  const undo = useUndoStack();
  useSyncExternalStore(undo.subscribe, undo.version);
  const scroller = useRef<HTMLElement>(null);
  const { rows, newer, showNewer } = useStandingRows(recent);
  // A button goes when its time is over, and a row with it.
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  });
  const newestId = rows[0]?.id;
  const isGoingUp = useRef(false);
  useLayoutEffect(() => {
    if (!isGoingUp.current || newestId === undefined) return;
    isGoingUp.current = false;
    scroller.current?.scrollTo(0, 0);
    focusRow(rowsIn(scroller.current)[0]);
  }, [newestId]);

  useArrows(panel, scroller);

  if (rows.length === 0) {
    return (
      <div className={styles.state}>
        <HistoryIcon size={32} />
        <p className={styles.stateTitle}>{texts.nothingInLastMinutes(RECENT_MINUTES)}</p>
        <p>{texts.whatThisTabReportsCan}</p>
      </div>
    );
  }
  return (
    <div className={styles.body}>
      {newer > 0 && (
        <Button
          className={styles.pill}
          intent="primary"
          onClick={() => {
            isGoingUp.current = true;
            showNewer();
          }}
        >
          {texts.newerNew(newer)}
        </Button>
      )}
      <ScrollRegion ref={scroller} label={texts.recent} className={styles.scroll}>
        <ol className={styles.rows}>
          {rows.map((toast) => (
            <PastToast
              key={toast.id}
              toast={toast}
              state={toast.undoId === undefined ? 'over' : undo.stateOf(toast.undoId)}
              onUndo={() => toast.undoId !== undefined && undo.undo(toast.undoId)}
            />
          ))}
        </ol>
      </ScrollRegion>
    </div>
  );
}

/** The rows that stand, and how many are newer. Where none stands, none can move. */
function useStandingRows(recent: readonly RecentToast[]) {
  const idsByAge = (): number[] => recent.map(({ id }) => id).toReversed();
  const [standing, setStanding] = useState<readonly number[]>(idsByAge);
  const byId = new Map(recent.map((toast) => [toast.id, toast]));
  const rows = standing.flatMap((id) => byId.get(id) ?? []);
  const showNewer = (): void => setStanding(idsByAge());
  if (rows.length === 0 && recent.length > 0) showNewer();
  const newest = Math.max(...standing);
  return { rows, newer: recent.filter(({ id }) => id > newest).length, showNewer };
}

const rowsIn = (list: HTMLElement | null): HTMLElement[] => [...(list?.querySelectorAll('li') ?? [])];

/** Arrows, Home and End go from row to row. */
function useArrows(panel: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const all = rowsIn(list.current);
      const at = all.findIndex((row) => row.contains(document.activeElement));
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
      if (to === undefined || at === -1) return;
      event.preventDefault();
      focusRow(all[Math.min(Math.max(to, 0), all.length - 1)]);
    };
    const around = panel.current;
    around?.addEventListener('keydown', onKeyDown);
    return () => around?.removeEventListener('keydown', onKeyDown);
  }, [panel, list]);
}

/** Gives the focus to what a row leads to or can do, else to the row. */
const focusRow = (row: HTMLElement | undefined): void => (row?.querySelector<HTMLElement>('a, button') ?? row)?.focus();

interface PastToastProps {
  toast: RecentToast;
  state: UndoState;
  onUndo: () => void;
}

/** What a toast said, and what can still be done about it. */
function PastToast({ toast, state, onUndo }: PastToastProps) {
  const { intent, title, description, subjects, at } = toast;
  const time = new Date(at);
  const age = useNow((now) => ageLabel(time.toISOString(), now));
  const row = useRef<HTMLLIElement>(null);
  return (
    <li ref={row} className={classNames(styles.past, toastStyles[`tone_${intent}`])} tabIndex={-1}>
      <ToastText
        intent={intent}
        title={title}
        description={description}
        subjects={subjects}
        renderSubject={(subject) => <SubjectLink subject={subject} />}
      />
      <span className={styles.end}>
        <time className={styles.age} dateTime={time.toISOString()} title={formatExactTime(time)}>
          {age}
        </time>
        {state === 'undone' && <span className={styles.age}>{texts.undone}</span>}
        {state === 'possible' && (
          <Button
            className={styles.undo}
            variant="minimal"
            text={common.undo}
            aria-label={texts.undoOf(title, subjects[0] ? `, ${subjects[0].text}` : '')}
            onClick={() => {
              // The button goes.
              row.current?.focus({ preventScroll: true });
              onUndo();
            }}
          />
        )}
      </span>
    </li>
  );
}

/** Leads to the alert, wherever it is by now. */
function SubjectLink({ subject: { text, alertId } }: { subject: ToastSubject }) {
  const linkTo = useLinkBeside();
  if (alertId === undefined) return text;
  return (
    <Link className={classNames(styles.link, Classes.POPOVER_DISMISS)} {...linkTo(pathOfAlert(alertId))}>
      {text}
    </Link>
  );
}
