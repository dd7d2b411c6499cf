import { Button } from '@blueprintjs/core';
import { type CSSProperties, type ReactNode, type Ref, useLayoutEffect, useRef } from 'react';
import type { NextPage } from '#renderer/alerts/data/alert-queries.ts';
import { type FeedGroup, GROUP_ROW } from './feed-rows.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as styles from './alert-list.module.css';

interface GroupRowProps {
  group: FeedGroup;
  /** Where it stands in a virtual list, and how many rows that has. */
  index: number;
  size: number;
  style: CSSProperties;
  /** What puts it in the tab order. */
  reach: { tabIndex: number };
  ref: Ref<HTMLElement>;
}

/** The row of the completed alerts: a button, since it is no card, that takes the focus as cards do. */
export const GroupRow = ({ group, index, size, style, reach, ref }: GroupRowProps) => (
  <article
    ref={ref}
    className={`${styles.row} ${group.classes.row}`}
    data-index={index}
    aria-labelledby={GROUP_ROW}
    aria-posinset={index + 1}
    aria-setsize={size}
    style={style}
  >
    <button
      type="button"
      className={group.classes.button}
      data-alert-id={GROUP_ROW}
      aria-expanded={group.isOpen}
      {...reach}
      onClick={() => group.onToggle(!group.isOpen)}
    >
      {group.words}
    </button>
  </article>
);

/** Says below a list that its next page could not be loaded, and asks for it again. */
export const MoreFailed = ({ more }: { more: NextPage | undefined }) =>
  more?.error && (
    <p className={styles.moreFailed} role="alert">
      {texts.olderNotLoaded(more.error.message)}
      <Button text={common.tryAgain} onClick={more.load} />
    </p>
  );

/**
 * What stands in the place of cards, if anything does. Once there are none the focus is here, when the card that had it has
 * just left: it never jumps to the page's top.
 */
export function InsteadOfCards({ isEmpty, children }: { isEmpty: boolean; children: ReactNode | undefined }) {
  const place = useRef<HTMLDivElement>(null);
  const wasEmpty = useRef(isEmpty);
  useLayoutEffect(() => {
    if (isEmpty && !wasEmpty.current && document.activeElement === document.body) {
      place.current?.focus({ preventScroll: true });
    }
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
  if (children === undefined) return null;
  return (
    <div ref={place} tabIndex={-1} className={styles.empty}>
      {children}
    </div>
  );
}
