import type { Alert } from '#backend/contract/alert.ts';

/** How long the list is waited for that may be about to draw an alert, in milliseconds. */
const DRAW_MS = 250;

/** Those of these alerts that nobody can see on the screen, once the list has drawn what came. */
export async function withoutVisible(alerts: readonly Alert[]): Promise<readonly Alert[]> {
  if (!document.querySelector('.ad-page')) return alerts;
  await nextFrame();
  await nextFrame();
  const unseen = alerts.filter(({ id }) => !isVisible(id));
  if (unseen.length === 0) return unseen;
  await delay(DRAW_MS);
  return unseen.filter(({ id }) => !isVisible(id));
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The next time the page is drawn, or that it is not soon: it is hidden by now. */
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
