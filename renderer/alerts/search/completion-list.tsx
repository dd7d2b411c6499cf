import { type RefObject, useLayoutEffect, useState } from 'react';
import { countText } from '#renderer/lib/badge-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { Completion } from './search-completions.ts';
import * as styles from './search-field.module.css';

/** No tag has a list that is worked from the field beside it (WAI-ARIA practices, "Combobox pattern"). */
const LISTBOX = { role: 'listbox' };
const optionProps = (isActive: boolean) => ({ role: 'option', 'aria-selected': isActive });

interface CompletionListProps {
  /** Begins the ids of the list and its options. */
  id: string;
  label: string;
  completions: readonly Completion[];
  active: number;
  /** The field, under whose right end the list is. */
  anchor: RefObject<HTMLElement | null>;
  onPoint: (at: number) => void;
  onTake: (at: number) => void;
}

/** The list's width, and its distance from the window's edges, in pixels. */
const WIDTH = 320;
const MARGIN = 8;

/** The values of the key that is being typed. */
export function CompletionList({ id, label, completions, active, anchor, onPoint, onTake }: CompletionListProps) {
  const [place, setPlace] = useState<{ top: number; right: number }>();
  useLayoutEffect(() => {
    const measure = (): void => {
      const edges = anchor.current?.getBoundingClientRect();
      if (!edges) return;
      const right = Math.min(innerWidth - edges.right, innerWidth - WIDTH - MARGIN);
      setPlace({ top: edges.bottom + 4, right: Math.max(MARGIN, right) });
    };
    measure();
    window.addEventListener('resize', measure);
    return () => window.removeEventListener('resize', measure);
  }, [anchor]);
  return (
    <div className={styles.completions} style={place}>
      <div className={styles.completionsHead} aria-hidden="true">
        {label}
      </div>
      <div id={`${id}-list`} {...LISTBOX} aria-label={`Values of ${label}`}>
        {completions.map(({ value, alerts }, at) => (
          <button
            key={value}
            id={`${id}-${at}`}
            type="button"
            tabIndex={-1}
            {...optionProps(at === active)}
            className={styles.completion}
            onPointerMove={() => onPoint(at)}
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(at)}
          >
            <bdi>{inertLine(value)}</bdi>
            {alerts !== undefined && <span className={styles.completionCount}>{countText(alerts)}</span>}
          </button>
        ))}
      </div>
      <div className={styles.completionsFoot} aria-hidden="true">
        <kbd className="ad-kbd">↑</kbd>
        <kbd className="ad-kbd">↓</kbd> choose <kbd className="ad-kbd">Tab</kbd> complete{' '}
        <kbd className="ad-kbd">Esc</kbd> close
      </div>
    </div>
  );
}
