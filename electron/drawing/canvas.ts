/** A picture as Electron's nativeImage takes it: rows from the top, four bytes a pixel. */
export interface Canvas {
  readonly size: number;
  /** BGRA, with colours premultiplied by alpha. */
  readonly pixels: Buffer;
}

export type Color = readonly [red: number, green: number, blue: number];

/** How far a point is outside of a shape, in the drawing's units; negative inside. */
export type Shape = (x: number, y: number) => number;

export function createCanvas(size: number): Canvas {
  return { size, pixels: Buffer.alloc(size * size * 4) };
}

/**
 * Fills a shape, given in a square of `units` a side, over what is there. Edges are smooth: a pixel's share follows from
 * the distance of its centre to the edge.
 */
export function fill({ size, pixels }: Canvas, units: number, shape: Shape, [red, green, blue]: Color): void {
  const scale = size / units;
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const distance = shape((column + 0.5) / scale, (row + 0.5) / scale) * scale;
      const share = Math.min(1, Math.max(0, 0.5 - distance));
      if (share === 0) continue;
      const at = (row * size + column) * 4;
      for (const [offset, value] of [blue, green, red, 255].entries()) {
        const below = pixels[at + offset] ?? 0;
        pixels[at + offset] = Math.round(value * share + below * (1 - share));
      }
    }
  }
}

export const circle =
  (centreX: number, centreY: number, radius: number): Shape =>
  (x, y) =>
    Math.hypot(x - centreX, y - centreY) - radius;

/** A rectangle with round corners. */
export const roundedBox =
  (left: number, top: number, width: number, height: number, radius: number): Shape =>
  (x, y) => {
    const outX = Math.abs(x - left - width / 2) - width / 2 + radius;
    const outY = Math.abs(y - top - height / 2) - height / 2 + radius;
    return Math.hypot(Math.max(outX, 0), Math.max(outY, 0)) + Math.min(Math.max(outX, outY), 0) - radius;
  };

export const anyOf =
  (...shapes: readonly Shape[]): Shape =>
  (x, y) =>
    Math.min(...shapes.map((shape) => shape(x, y)));
