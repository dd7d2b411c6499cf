/** Deliveries in one part of a time line, and how many of them were refused. */
export interface BarCount {
  deliveries: number;
  refused: number;
}

/** A bar in pixels, from the ground up. Without deliveries it is the line of the ground, one pixel high. */
export interface Bar {
  accepted: number;
  refused: number;
}

/** Shortest visible part, in pixels. */
const LEAST = 2;

/**
 * Heights of bars whose highest is `height` pixels. A part that has any deliveries shows, and so does a refusal among many
 * deliveries.
 */
export function barsOf(counts: readonly BarCount[], height: number): Bar[] {
  const most = Math.max(...counts.map(({ deliveries }) => deliveries), 1);
  return counts.map(({ deliveries, refused }) => {
    if (deliveries <= 0) return { accepted: 0, refused: 0 };
    const total = Math.max(LEAST, Math.round((deliveries / most) * height));
    if (refused <= 0) return { accepted: total, refused: 0 };
    if (refused >= deliveries) return { accepted: 0, refused: total };
    const red = Math.min(total, Math.max(LEAST, Math.round((refused / deliveries) * total)));
    return { accepted: Math.max(0, total - red), refused: red };
  });
}

/** The sum of parts. */
export const sumOf = (counts: readonly BarCount[]): BarCount => ({
  deliveries: counts.reduce((sum, { deliveries }) => sum + deliveries, 0),
  refused: counts.reduce((sum, { refused }) => sum + refused, 0),
});
