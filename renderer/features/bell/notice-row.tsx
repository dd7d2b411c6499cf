import { Fragment, type KeyboardEvent, type MouseEvent } from 'react';
import { Link, type LinkProps, matchPath, useLocation } from 'react-router-dom';
import type { Notice } from '#backend/contract/notice.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { problemLabel } from '#renderer/alerts/data/problem-labels.ts';
import { useOpenAlertId } from '#renderer/alerts/panel/open-alert.tsx';
import { notePartsOf } from '#renderer/alerts/panel/note-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useSession } from '#renderer/session/session.ts';
import { Initials } from '#renderer/ui/initials.tsx';
import { ageLabel, goneText, headlineOf, pathOfNotice, sentenceOf } from './notice-texts.ts';
import * as texts from './texts.ts';
import * as styles from './bell.module.css';

/** Screens with a list, beside which an alert opens. */
const LISTS = [
  PATHS.inbox,
  PATHS.myAlerts,
  PATHS.snoozed,
  PATHS.folder,
  PATHS.allFolders,
  PATHS.view,
  PATHS.allAlerts,
] as const;

interface NoticeRowProps {
  notice: Notice;
  /** It is the row in the tab order. */
  isCurrent: boolean;
  onFocus: () => void;
  /** Moves to another row. */
  onKeyDown: (event: KeyboardEvent) => void;
  /** The person opens it, or reads what cannot be opened. */
  onRead: () => void;
}

/** A notice: who did what, what they said, and the alert that it is about. Enter opens the alert. */
export function NoticeRow({ notice, isCurrent, onFocus, onKeyDown, onRead }: NoticeRowProps) {
  const linkTo = useLinkBeside();
  const path = pathOfNotice(notice);
  const shared = {
    className: path === undefined ? styles.row : `${styles.row} bp6-popover-dismiss`,
    'data-id': notice.id,
    'data-unread': notice.readAt === undefined || undefined,
    tabIndex: isCurrent ? 0 : -1,
    onFocus,
    onKeyDown,
  };
  const words = <NoticeWords notice={notice} />;
  if (path === undefined) {
    return (
      <button type="button" {...shared} onClick={onRead}>
        {words}
      </button>
    );
  }
  return (
    <Link
      {...shared}
      {...linkTo(path)}
      onClick={onRead}
      onAuxClick={(event: MouseEvent) => event.button === 1 && onRead()}
    >
      {words}
    </Link>
  );
}

/** How a link leads to a path: an alert opens beside the list on screen, where there is one. */
export function useLinkBeside(): (path: string) => Pick<LinkProps, 'to' | 'state' | 'replace'> {
  const { pathname, search } = useLocation();
  const replace = useOpenAlertId() !== undefined;
  const hasList = LISTS.some((list) => matchPath(list, pathname) !== null);
  return (to) =>
    hasList && to !== PATHS.myAlerts && to !== PATHS.inbox
      ? { to, state: { list: { pathname, search } }, replace }
      : { to };
}

function NoticeWords({ notice }: { notice: Notice }) {
  const { alert, byName, text, kind, wasSignedOut, createdAt, readAt } = notice;
  const age = useNow((now) => ageLabel(createdAt, now));
  const { headline, customer } = headlineOf(notice);
  const gone = goneText(notice);
  const problem = problemLabel(alert);
  const time = new Date(createdAt);
  return (
    <>
      <span className={styles.dot}>
        {readAt === undefined && <span className="ad-hidden">{texts.unreadNotice} </span>}
      </span>
      <Initials name={byName} />
      <span className={styles.words}>
        <span className={styles.sentence}>
          {sentenceOf(notice).map((part, at) =>
            // oxlint-disable-next-line react/no-array-index-key -- The parts of a sentence stand in one order.
            part.isStrong ? <bdi key={at}>{part.text}</bdi> : <Fragment key={at}>{part.text}</Fragment>,
          )}
          <FullStop />
        </span>
        {text !== '' && <Quote text={text} isMention={kind === 'mentioned'} />}
        {text === '' && wasSignedOut && (
          <span className={styles.aside}>
            {texts.youWereSignedOut}
            <FullStop />
          </span>
        )}
        <span className={styles.alert} data-gone={gone !== undefined || undefined}>
          <span className={styles.named}>
            {problem !== '' && <SeverityMark severity={alert.severity} state={alert.state} />}
            {problem !== '' && <span className="ad-hidden">{problem}: </span>}
            <span className={styles.headline} dir="auto">
              {headline}
            </span>
          </span>
          {customer !== undefined && <span className="ad-hidden">, </span>}
          {customer !== undefined && (
            <span className={styles.customer} dir="auto">
              {customer}
            </span>
          )}
          <FullStop />
        </span>
        {gone !== undefined && <span className={styles.aside}>{gone}</span>}
      </span>
      <time className={styles.age} dateTime={createdAt} title={formatExactTime(time)}>
        {age}
      </time>
    </>
  );
}

/** What was said, in one line; the member's own name in it stands out. */
function Quote({ text, isMention }: { text: string; isMention: boolean }) {
  const { displayName } = useSession();
  const parts = notePartsOf(inertLine(text), isMention && displayName !== '' ? [displayName] : []);
  return (
    <span className={styles.quote} dir="auto">
      “
      {parts.map(({ at, kind, text: part }) =>
        kind === 'mention' ? (
          <span key={at} className={styles.mention}>
            {part}
          </span>
        ) : (
          <Fragment key={at}>{part}</Fragment>
        ),
      )}
      ”
      <FullStop />
    </span>
  );
}

/** Parts sentences to the ear, not to the eye. */
const FullStop = () => <span className="ad-hidden">. </span>;
