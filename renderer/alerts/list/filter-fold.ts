import { type RefObject, useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import * as styles from './filter-bar.module.css';

/** The space between two parts of a bar, in pixels. */
const GAP = 8;

/** How many parts fit into a bar, the first ones first; where some do not, the button that has them needs its place, too. */
export function countFitting(widths: readonly number[], available: number, buttonWidth: number): number {
  const ends = widths.map((_, at) => widths.slice(0, at + 1).reduce((sum, width) => sum + width + GAP, -GAP));
  if ((ends.at(-1) ?? 0) <= available) return widths.length;
  return ends.filter((end) => end + GAP + buttonWidth <= available).length;
}

/**
 * How many parts of a filter bar have a place in it. It is measured before it is seen: parts without a place keep their
 * width, and take none.
 *
 * @param keys the keys of the parts, with blanks between
 */
export function useFold(bar: RefObject<HTMLElement | null>, keys: string): number {
  const [fitting, setFitting] = useState(Infinity);
  useLayoutEffect(() => {
    const element = bar.current;
    if (!element || keys === '') return undefined;
    const parts = [...element.children].filter((child) => child instanceof HTMLElement);
    // Called for the first time once the page is laid out and before it is painted. To measure it here would lay it out once
    // more, in the same task as everything that was just drawn.
    const observer = new ResizeObserver(() => flushSync(() => setFitting(fittingIn(element.clientWidth, parts))));
    for (const part of [element, ...parts]) observer.observe(part);
    return () => observer.disconnect();
  }, [bar, keys]);
  return fitting;
}

function fittingIn(width: number, parts: readonly HTMLElement[]): number {
  const items = parts.filter(({ classList }) => classList.contains(styles.item));
  // A bar that is not laid out folds nothing.
  if (width === 0) return items.length;
  const button = parts.find(({ classList }) => classList.contains(styles.fold));
  const lead = parts.find(({ classList }) => classList.contains(styles.lead));
  const end = parts.find(({ classList }) => classList.contains(styles.end));
  const taken = [
    lead ? Number.parseFloat(getComputedStyle(lead).minWidth) || lead.offsetWidth : 0,
    end?.offsetWidth ?? 0,
  ].filter((one) => one > 0);
  return countFitting(
    items.map(({ offsetWidth }) => offsetWidth),
    taken.reduce((left, one) => left - one - GAP, width),
    button?.offsetWidth ?? 0,
  );
}
