/** A source of choices that gives the same ones for the same seed. */
export interface Random {
  /** A whole number from `least` to `most`, both included. */
  whole(least: number, most: number): number;
  /** A number from `least` to below `most`, with so many decimals. */
  decimal(least: number, most: number, decimals: number): number;
  /** One of the items. */
  pick<const L extends readonly [unknown, ...unknown[]]>(items: L): L[number];
  /** So many lower-case hexadecimal digits. */
  hex(digits: number): string;
}

/** Mulberry32: small, fast and even enough for made-up alerts. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    whole,
    decimal: (least, most, decimals) => Number((least + next() * (most - least)).toFixed(decimals)),
    pick: (items) => items[whole(0, items.length - 1)] ?? items[0],
    hex: (digits) => Array.from({ length: digits }, () => whole(0, 15).toString(16)).join(''),
  };
}
