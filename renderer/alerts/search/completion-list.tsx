import { CalendarIcon } from '@blueprintjs/icons';
import { type FocusEvent, type ReactNode, type RefObject, Suspense, useLayoutEffect, useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { SearchKey } from '#backend/contract/search.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { writeTime } from '#renderer/lib/times.ts';
import { ComboboxOption, ComboboxOptions } from '#renderer/ui/combobox/combobox.tsx';
import type { Completion } from './search-completions.ts';
import { edgeOf, timeNamed } from './typed-parts.ts';
import * as texts from './completion-texts.tsx';
import * as styles from './search-field.module.css';

const Calendar = lazyWithRetry(
  async () => (await import('#renderer/ui/calendar/calendar.tsx')).Calendar,
  'report',
  () => <p className={styles.calendarState}>{texts.calendarCouldNotBeLoaded}</p>,
);

interface PopupProps {
  popup: RefObject<HTMLDivElement | null>;
  /** The field, under whose right end it is. */
  anchor: RefObject<HTMLElement | null>;
  /** The focus went from here to somewhere else. */
  onLeave: (event: FocusEvent) => void;
  children: ReactNode;
}

/** The list's width, and its distance from the window's edges, in pixels. */
const WIDTH = 320;
const MARGIN = 8;

/** What is offered for the key that is being typed. */
export function CompletionPopup({ popup, anchor, onLeave, children }: PopupProps) {
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
    // A press moves no focus: it would close what it is meant for.
    <div
      ref={popup}
      role="presentation"
      className={styles.completions}
      style={place}
      onMouseDown={(event) => event.preventDefault()}
      onBlur={onLeave}
    >
      {children}
    </div>
  );
}

interface CompletionListProps {
  label: SearchKey;
  completions: readonly Completion[];
  onTake: (value: string) => void;
  /** Leads to the calendar, where a day can be the value. */
  onPick: (() => void) | undefined;
}

/** The values of a key. */
export function CompletionList({ label, completions, onTake, onPick }: CompletionListProps) {
  return (
    <>
      <div className={styles.completionsHead} aria-hidden="true">
        {label}
      </div>
      <ComboboxOptions aria-label={texts.valuesOf(label)}>
        {completions.map(({ value, alerts, meaning }) => (
          <ComboboxOption key={value} className={styles.completion} data-value={value} onClick={() => onTake(value)}>
            <bdi>{inertLine(value)}</bdi>
            {(alerts !== undefined || meaning) && (
              <span className={styles.completionCount}>{meaning ?? countText(alerts ?? 0)}</span>
            )}
          </ComboboxOption>
        ))}
        {onPick && (
          <ComboboxOption className={styles.completion} onClick={onPick}>
            {texts.chooseDay}
            <CalendarIcon className={styles.icon} />
          </ComboboxOption>
        )}
      </ComboboxOptions>
      <div className={styles.completionsFoot} aria-hidden="true">
        <kbd className="ad-kbd">↑</kbd>
        <kbd className="ad-kbd">↓</kbd>{' '}
        {texts.completionKeys(<kbd className="ad-kbd">Tab</kbd>, <kbd className="ad-kbd">Esc</kbd>)}
      </div>
    </>
  );
}

interface DayPickerProps {
  label: SearchKey;
  /** What is typed for the key: the calendar begins with that day, else with today. */
  typed: string;
  onTake: (value: string) => void;
  onClose: () => void;
}

const dayOf = (time: Date): string => writeTime(time, 'yyyy-MM-dd');

/** Days of the member's calendar for a key. */
export function DayPicker({ label, typed, onTake, onClose }: DayPickerProps) {
  const [now] = useState(() => new Date());
  const named = timeNamed(label, typed, now);
  return (
    <>
      <div className={styles.completionsHead} aria-hidden="true">
        {label}
      </div>
      <Suspense fallback={<output className={styles.calendarState}>{texts.loadingCalendar}</output>}>
        <Calendar
          label={label === 'from' ? texts.chooseFirstDay : texts.chooseLastDay}
          day={dayOf(named ? edgeOf(label, named) : now)}
          today={dayOf(now)}
          onChoose={onTake}
          onClose={onClose}
        />
      </Suspense>
      <div className={styles.completionsFoot} aria-hidden="true">
        <kbd className="ad-kbd">PgUp</kbd>
        <kbd className="ad-kbd">PgDn</kbd>{' '}
        {texts.calendarKeys(<kbd className="ad-kbd">Enter</kbd>, <kbd className="ad-kbd">Esc</kbd>)}
      </div>
    </>
  );
}
