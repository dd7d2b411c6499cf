import { type RefObject, useLayoutEffect, useState } from 'react';
import { countText } from '#renderer/lib/badge-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ComboboxOption, ComboboxOptions } from '#renderer/ui/combobox/combobox.tsx';
import type { Completion } from './search-completions.ts';
import * as styles from './search-field.module.css';

interface CompletionListProps {
  label: string;
  completions: readonly Completion[];
  /** The field, under whose right end the list is. */
  anchor: RefObject<HTMLElement | null>;
  onTake: (value: string) => void;
}

/** The list's width, and its distance from the window's edges, in pixels. */
const WIDTH = 320;
const MARGIN = 8;

/** The values of the key that is being typed. */
export function CompletionList({ label, completions, anchor, onTake }: CompletionListProps) {
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
      <ComboboxOptions aria-label={`Values of ${label}`}>
        {completions.map(({ value, alerts }) => (
          <ComboboxOption key={value} className={styles.completion} data-value={value} onClick={() => onTake(value)}>
            <bdi>{inertLine(value)}</bdi>
            {alerts !== undefined && <span className={styles.completionCount}>{countText(alerts)}</span>}
          </ComboboxOption>
        ))}
      </ComboboxOptions>
      <div className={styles.completionsFoot} aria-hidden="true">
        <kbd className="ad-kbd">↑</kbd>
        <kbd className="ad-kbd">↓</kbd> choose <kbd className="ad-kbd">Tab</kbd> complete{' '}
        <kbd className="ad-kbd">Esc</kbd> close
      </div>
    </div>
  );
}
