import { Button, Classes } from '@blueprintjs/core';
import { CrossIcon, ErrorIcon, NotificationsIcon, TickIcon } from '@blueprintjs/icons';
import { type ReactNode, useEffect, useRef } from 'react';
import { SeverityMark, MarkTag } from '#renderer/alerts/card/severity-mark.tsx';
import { problemLabel } from '#renderer/alerts/data/problem-labels.ts';
import type { RecentToast, ToastSubject } from './stored-recent.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { KeyCap } from '#renderer/ui/key-cap.tsx';
import type { NewsCount, ToastEntry } from './toast-queue.ts';
import { useAttended, useDismissGestures, useToastTimer } from './use-toast-card.ts';
import classNames from 'classnames';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './toast-card-texts.ts';
import * as styles from './toast-card.module.css';
import * as toasterStyles from './toaster.module.css';

const cardClass = (intent: RecentToast['intent']) =>
  classNames(Classes.TOAST, toasterStyles.toast, styles.card, styles[`tone_${intent}`]);

export interface ToastCardProps {
  entry: ToastEntry;
  /** Takes the toast away by the person's hand; `used` when they used its action. */
  onClose: (id: number, used: boolean) => void;
}

/**
 * One toast in Blueprint's dress. Not its component: that interrupts screen readers for every change and restarts its
 * time at every hover, where news must be announced politely and time only pauses.
 */
export function ToastCard({ entry, onClose }: ToastCardProps) {
  const { id, intent, action } = entry;
  const card = useRef<HTMLDivElement>(null);
  const attended = useAttended(card);
  const swiped = useDismissGestures(card, () => onClose(id, false));
  const [areKeysOn] = useSingleKeys();
  const hotkey = areKeysOn ? action?.hotkey : undefined;
  useToastTimer(entry, attended || swiped > 0);

  return (
    <div
      ref={card}
      aria-live={entry.quiet ? 'off' : undefined}
      className={cardClass(intent)}
      style={swiped > 0 ? { translate: `${swiped}px`, transition: 'none' } : undefined}
    >
      <ToastText {...entry} subjects={entry.subject ? [entry.subject] : []} />
      {action && (
        <Button
          className={styles.action}
          variant="minimal"
          aria-keyshortcuts={hotkey}
          text={
            <>
              {action.label}
              {hotkey !== undefined && <KeyCap label={hotkey} className={styles.key} />}
            </>
          }
          onClick={() => onClose(id, true)}
        />
      )}
      <Button
        className={styles.close}
        variant="minimal"
        icon={<CrossIcon size={14} />}
        aria-label={pageTexts.close}
        onClick={() => onClose(id, false)}
      />
    </div>
  );
}

/** How long a toast takes to fade, in milliseconds; `--ad-duration-toast-out` says the same to the eye. */
const FADE_MS = 120;

/** A dismissed toast while it fades; then calls `onGone`. */
export function LeavingToast({ entry, onGone }: { entry: ToastEntry; onGone: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onGone, FADE_MS);
    return () => clearTimeout(timer);
  }, [onGone]);
  return (
    <div className={classNames(cardClass(entry.intent), styles.leaving)} aria-hidden inert>
      <ToastText {...entry} subjects={entry.subject ? [entry.subject] : []} />
    </div>
  );
}

interface ToastTextProps {
  intent: RecentToast['intent'];
  title: string;
  description: string | undefined;
  /** What it is about. */
  subjects: readonly ToastSubject[];
  /** How many alerts it stands for, where it is news. */
  news?: NewsCount | undefined;
  /** How one of them is drawn, where it is more than text. */
  renderSubject?: (subject: ToastSubject) => ReactNode;
}

const ICONS = {
  news: <NotificationsIcon />,
  notice: <NotificationsIcon />,
  done: <TickIcon />,
  error: <ErrorIcon />,
};

/**
 * What a toast says, while it is shown and afterwards: an icon that carries its intent, a title, what it is about, a
 * description. Each is a sentence to screen readers, which would else run them together.
 */
export function ToastText({ intent, title, description, subjects, news, renderSubject }: ToastTextProps) {
  // An alert of which nothing else is known has the description as its name: a link to it is kept, a repetition is not.
  const named = renderSubject ? subjects : subjects.filter(({ text }) => text !== description);
  const isSaid = description !== undefined && named.every(({ text }) => text !== description);
  return (
    <>
      <span className={styles.icon}>{ICONS[intent]}</span>
      <div className={`${Classes.TOAST_MESSAGE} ${styles.text}`}>
        <div className={styles.title}>
          {title}
          <FullStop />
        </div>
        {named.map((subject) => (
          <div key={subject.alertId ?? subject.text} className={styles.subject} dir="auto">
            <SubjectMark subject={subject} />
            {subject.isTest && (
              <>
                <MarkTag />
                <span className="ad-hidden">: </span>
              </>
            )}
            {renderSubject?.(subject) ?? <span className={styles.subjectText}>{subject.text}</span>}
            <FullStop />
          </div>
        ))}
        {isSaid && (
          <div className={styles.description}>
            {description}
            <FullStop />
          </div>
        )}
        {news && news.alerts > 1 && news.critical + news.high > 0 && <UrgentCounts {...news} />}
      </div>
    </>
  );
}

/** How an alert stands: as a mark, and as a word to the ear. */
function SubjectMark({ subject: { severity = 'none', state } }: { subject: ToastSubject }) {
  if (state === undefined) return null;
  return (
    <>
      <SeverityMark severity={severity} state={state} />
      <span className="ad-hidden">{problemLabel({ severity, state })}: </span>
    </>
  );
}

/** Of many alerts, how many are urgent. */
function UrgentCounts({ alerts, critical, high }: NewsCount) {
  const others = alerts - critical - high;
  return (
    <div className={styles.counts}>
      {critical > 0 && (
        <span>
          <SeverityMark severity="critical" state="firing" />
          {texts.critical(critical)}
        </span>
      )}
      {high > 0 && (
        <span>
          <SeverityMark severity="high" state="firing" />
          {texts.high(high)}
        </span>
      )}
      {others > 0 && <span>{others === 1 ? texts.oneOther : texts.others(others)}</span>}
      <FullStop />
    </div>
  );
}

/** Parts sentences to the ear, not to the eye. */
const FullStop = () => <span className="ad-hidden">. </span>;
