import type { Locator } from '@playwright/test';
import { decodePng } from '#tests/desktop/double/png.ts';

/** A part of a page as it is drawn: the relative luminance of each pixel (WCAG 2.2), row by row. */
export interface Picture {
  width: number;
  height: number;
  luminance: Float64Array;
}

/** Least contrast at which a control, its state or a mark can be seen (WCAG 2.2, 1.4.11). */
const VISIBLE = 3;

/** Luminance of one channel. */
const linear = Float64Array.from({ length: 256 }, (_, value) =>
  value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
);

/** Takes a picture of an element and of so many pixels around it. What lies over it is in it. */
export async function pictureOf(locator: Locator, around = 0): Promise<Picture> {
  const box = await locator.boundingBox();
  if (!box) throw new Error(`${String(locator)} is not on the screen.`);
  const [x, y] = [Math.floor(box.x) - around, Math.floor(box.y) - around];
  const clip = { x, y, width: Math.ceil(box.width) + 2 * around, height: Math.ceil(box.height) + 2 * around };
  const { width, height, rgba } = decodePng(await locator.page().screenshot({ clip, animations: 'disabled' }));
  const luminance = Float64Array.from({ length: width * height }, (_, pixel) => {
    const [red = 0, green = 0, blue = 0] = rgba.subarray(pixel * 4, pixel * 4 + 3);
    return 0.2126 * (linear[red] ?? 0) + 0.7152 * (linear[green] ?? 0) + 0.0722 * (linear[blue] ?? 0);
  });
  return { width, height, luminance };
}

/** Whether the contrast of two luminances can be seen. */
const differs = (one: number, other: number): boolean =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) >= VISIBLE;

/** How many pixels stand out from what most of the picture is. */
export function inkOf({ luminance }: Picture): number {
  const ground = mostCommon(luminance);
  return luminance.filter((value) => differs(value, ground)).length;
}

/** How many pixels of two pictures of one place differ so much that it can be seen. */
export function changeOf(before: Picture, after: Picture): number {
  if (before.width !== after.width || before.height !== after.height) return Infinity;
  return before.luminance.filter((value, pixel) => differs(value, after.luminance[pixel] ?? 0)).length;
}

/** Which part of the length of its sides a picture has an edge along, which is within so many pixels of them: 0 to 1. */
export function edgeOf({ width, height, luminance }: Picture, within: number): number {
  const at = (x: number, y: number): number => luminance[y * width + x] ?? 0;
  const steps = Array.from({ length: within }, (_, step) => step + 1);
  let edged = 0;
  for (let x = 0; x < width; x += 1) {
    edged += Number(steps.some((step) => differs(at(x, 0), at(x, step))));
    edged += Number(steps.some((step) => differs(at(x, height - 1), at(x, height - 1 - step))));
  }
  for (let y = 0; y < height; y += 1) {
    edged += Number(steps.some((step) => differs(at(0, y), at(step, y))));
    edged += Number(steps.some((step) => differs(at(width - 1, y), at(width - 1 - step, y))));
  }
  return edged / (2 * (width + height));
}

function mostCommon(values: Float64Array): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((most, next) => (next[1] > most[1] ? next : most), [0, 0])[0];
}
