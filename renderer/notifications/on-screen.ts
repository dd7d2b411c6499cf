import type { Alert } from '#backend/contract/alert.ts';
import * as styles from '#renderer/ui/page-head/page-head.module.css';

/** How long to wait for the list that may be about to draw an alert, in milliseconds. */
const DRAW_MS = 250;

/** Alerts that the open list does not draw, and counts: "12 new alerts". */
export interface CountedOnScreen {
  counted: () => ReadonlySet<string>;
  /** Calls with them whenever they change; returns what ends that. */
  watchCounted: (listener: (ids: ReadonlySet<string>) => void) => () => void;
}

/**
 * Those of these alerts that nobody can see on the screen, once the list has drawn what came: neither their cards nor a
 * number that they are part of.
 */
export async function withoutVisible<One extends Pick<Alert, 'id'>>(
  alerts: readonly One[],
  counted: CountedOnScreen['counted'],
): Promise<readonly One[]> {
  if (!document.querySelector(`.${styles.page}`)) return alerts;
  await nextFrame();
  await nextFrame();
  const unseen = alerts.filter(({ id }) => !isVisible(id));
  if (unseen.length === 0) return unseen;
  await delay(DRAW_MS);
  return unseen.filter(({ id }) => !isVisible(id) && !counted().has(id));
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the page is drawn next, or after a moment when it is hidden and never drawn. */
const nextFrame = (): Promise<void> =>
  Promise.race([new Promise<void>((resolve) => requestAnimationFrame(() => resolve())), delay(DRAW_MS)]);

/** Whether the alert's card is in the window, and nothing is in front of it. */
function isVisible(id: string): boolean {
  const row = document.querySelector(`[data-alert-id="${CSS.escape(id)}"]`);
  if (!row) return false;
  const { left, top, width, height } = row.getBoundingClientRect();
  const front = document.elementFromPoint(left + width / 2, top + height / 2);
  return front !== null && row.contains(front);
}
