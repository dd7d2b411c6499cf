import { ChevronLeftIcon, ChevronRightIcon } from '@blueprintjs/icons';
import { addDays, addMonths, isSameMonth, startOfMonth, startOfWeek } from 'date-fns';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { writePattern } from '#renderer/lib/write-pattern.ts';
import * as texts from './texts.ts';
import * as styles from './calendar.module.css';

interface CalendarProps {
  /** What the day is chosen for. */
  label: string;
  /** The day that has the focus first, as `2026-11-21`. */
  day: string;
  today: string;
  onChoose: (day: string) => void;
  /** Esc was pressed. */
  onClose: () => void;
}

/** Weeks begin on Monday, as they do in searches and in Insight. */
const MONDAY = { weekStartsOn: 1 } as const;
const WEEKS = [0, 7, 14, 21, 28, 35];
/** A table whose cells are walked by keys. */
const GRID = { role: 'grid' };
const DAYS = [0, 1, 2, 3, 4, 5, 6];

/** A day as a moment of this device: its noon, which no change of clocks leaves out. */
const noonOf = (day: string): Date => new Date(`${day}T12:00`);
const textOf = (day: Date): string => writePattern(day, 'yyyy-MM-dd');
const firstDayShown = (day: Date): Date => startOfWeek(startOfMonth(day), MONDAY);

/** Where keys lead from a day. */
const MOVES: Readonly<Record<string, (day: Date, isShifted: boolean) => Date>> = {
  ArrowLeft: (day) => addDays(day, -1),
  ArrowRight: (day) => addDays(day, 1),
  ArrowUp: (day) => addDays(day, -7),
  ArrowDown: (day) => addDays(day, 7),
  Home: (day) => startOfWeek(day, MONDAY),
  End: (day) => addDays(startOfWeek(day, MONDAY), 6),
  PageUp: (day, isShifted) => addMonths(day, isShifted ? -12 : -1),
  PageDown: (day, isShifted) => addMonths(day, isShifted ? 12 : 1),
};

/**
 * A month of days of which one is chosen. Arrows move by days and weeks, Page Up and Page Down by months, with Shift by
 * years, Home and End within the week. It takes the focus when it appears.
 */
export function Calendar({ label, day, today, onChoose, onClose }: CalendarProps) {
  const [active, setActive] = useState(day);
  const id = useId();
  const grid = useRef<HTMLTableElement>(null);
  const wasShown = useRef(false);
  const shown = noonOf(active);
  const first = firstDayShown(shown);

  // The focus follows the active day, unless it is at the buttons for months.
  useEffect(() => {
    const isInGrid = grid.current?.contains(document.activeElement) === true;
    if (!wasShown.current || isInGrid) grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus();
    wasShown.current = true;
  }, [active]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    const move = grid.current?.contains(event.target as Node) === true ? MOVES[key] : undefined;
    if (move) setActive(textOf(move(shown, shiftKey)));
    else if (key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc closes it from wherever the focus is in it.
    <dialog open className={styles.calendar} aria-label={label} onKeyDown={onKeyDown}>
      <div className={styles.head}>
        <h2 id={id} className={styles.month} aria-live="polite">
          {writePattern(shown, 'MMMM yyyy')}
        </h2>
        <MonthButton label={texts.previousMonth} onClick={() => setActive(textOf(addMonths(shown, -1)))}>
          <ChevronLeftIcon />
        </MonthButton>
        <MonthButton label={texts.nextMonth} onClick={() => setActive(textOf(addMonths(shown, 1)))}>
          <ChevronRightIcon />
        </MonthButton>
      </div>
      <table ref={grid} className={styles.grid} {...GRID} aria-labelledby={id}>
        <thead>
          <tr>
            {DAYS.map((number) => (
              <th key={number} scope="col" abbr={writePattern(addDays(first, number), 'EEEE')}>
                {writePattern(addDays(first, number), 'EEE').slice(0, 2)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKS.map((week) => (
            <tr key={week}>
              {DAYS.map((number) => {
                const one = addDays(first, week + number);
                const text = textOf(one);
                return (
                  <td key={number} aria-selected={text === active}>
                    <button
                      type="button"
                      className={styles.day}
                      tabIndex={text === active ? 0 : -1}
                      data-day={text}
                      aria-label={writePattern(one, 'EEEE, MMMM d, yyyy')}
                      aria-current={text === today ? 'date' : undefined}
                      data-outside={!isSameMonth(one, shown) || undefined}
                      onClick={() => onChoose(text)}
                    >
                      {one.getDate()}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </dialog>
  );
}

function MonthButton({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={styles.turn} aria-label={label} onClick={onClick}>
      {children}
    </button>
  );
}
