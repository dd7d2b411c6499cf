import type { Rectangle } from 'electron';

export const DEFAULT_SIZE = { width: 1280, height: 840 };
export const MINIMUM_SIZE = { width: 400, height: 480 };

/** How much of the window must be in sight on a display, so that it can be grasped, in pixels. */
const GRASP = 80;

/**
 * Where the window goes: where it was, unless no display shows enough of it by now; then in the middle of the first.
 *
 * @param workAreas of the displays that are there, the primary one first
 */
export function fitBounds(remembered: Rectangle | undefined, workAreas: readonly Rectangle[]): Rectangle {
  const [primary] = workAreas;
  const wanted = remembered ?? { x: 0, y: 0, ...DEFAULT_SIZE };
  const home = workAreas.find((area) => isGraspable(wanted, area));
  if (remembered && home) {
    return { ...remembered, ...sizeWithin(remembered, home) };
  }
  if (!primary) return wanted;
  const size = sizeWithin(wanted, primary);
  return {
    ...size,
    x: primary.x + Math.round((primary.width - size.width) / 2),
    y: primary.y + Math.round((primary.height - size.height) / 2),
  };
}

const sizeWithin = ({ width, height }: Rectangle, area: Rectangle): { width: number; height: number } => ({
  width: Math.max(MINIMUM_SIZE.width, Math.min(width, area.width)),
  height: Math.max(MINIMUM_SIZE.height, Math.min(height, area.height)),
});

/** Its title bar, the upper edge, is what a window is moved by. */
function isGraspable({ x, y, width }: Rectangle, area: Rectangle): boolean {
  const inSight = Math.min(x + width, area.x + area.width) - Math.max(x, area.x);
  return inSight >= GRASP && y >= area.y && y <= area.y + area.height - GRASP;
}

/**
 * Whether the middle of a window is on a display. A maximized window is judged by it: on Windows its frame lies over the
 * edges of its display, and its title bar with it.
 */
export const isMiddleInSight = ({ x, y, width, height }: Rectangle, workAreas: readonly Rectangle[]): boolean =>
  workAreas.some(
    (area) => isWithin(x + width / 2, area.x, area.width) && isWithin(y + height / 2, area.y, area.height),
  );

const isWithin = (at: number, from: number, length: number): boolean => at >= from && at < from + length;
