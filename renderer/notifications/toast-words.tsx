import { Classes } from '@blueprintjs/core';
import { ErrorIcon, NotificationsIcon, TickIcon } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import type { RecentToast, ToastSubject } from '#renderer/lib/recent-toasts.ts';

interface ToastWordsProps {
  intent: RecentToast['intent'];
  title: string;
  description: string | undefined;
  /** What it is about. */
  subjects: readonly ToastSubject[];
  /** How one of them is drawn, where it is more than text. */
  renderSubject?: (subject: ToastSubject) => ReactNode;
}

const ICONS = {
  news: <NotificationsIcon />,
  done: <TickIcon />,
  error: <ErrorIcon />,
};

/**
 * What a toast says, while it is shown and afterwards: an icon that carries its intent, a title, what it is about, a
 * description. Each is a sentence to screen readers, which would else run them together.
 */
export function ToastWords({ intent, title, description, subjects, renderSubject }: ToastWordsProps) {
  // An alert of which nothing else is known has the description's words: a link to it is kept, a repetition is not.
  const named = renderSubject ? subjects : subjects.filter(({ text }) => text !== description);
  const isSaid = description !== undefined && named.every(({ text }) => text !== description);
  return (
    <>
      <span className="ad-toast-icon">{ICONS[intent]}</span>
      <div className={`${Classes.TOAST_MESSAGE} ad-toast-words`}>
        <div className="ad-toast-title">
          {title}
          <FullStop />
        </div>
        {named.map((subject) => (
          <div key={subject.alertId ?? subject.text} className="ad-toast-subject" dir="auto">
            {renderSubject?.(subject) ?? subject.text}
            <FullStop />
          </div>
        ))}
        {isSaid && (
          <div className="ad-toast-description">
            {description}
            <FullStop />
          </div>
        )}
      </div>
    </>
  );
}

/** Parts sentences to the ear, not to the eye. */
const FullStop = () => <span className="ad-hidden">. </span>;
