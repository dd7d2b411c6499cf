/** Up to where each writer's changes are known, by the writers' numbers. Nothing before that is missing. */
export type Positions = ReadonlyMap<number, number>;

/** A row of the feed, in short. */
export interface FeedNumber {
  writer: number;
  number: number;
  settled: number;
}

/** A place in the feed as people who come back name it: who made it knows everything up to these positions. */
export interface Place {
  /** By the clock of the server that made it, in milliseconds since the epoch. */
  madeAt: number;
  positions: Positions;
}

/** As a text that only this module reads (`isSamePlace` of the contract compares two), such as `1764115200000.3-120.4-7`. */
export const formatPlace = ({ madeAt, positions }: Place): string =>
  [madeAt, ...[...positions].map(([writer, number]) => `${writer}-${number}`)].join('.');

/** @returns undefined for what {@link formatPlace} did not make */
export function parsePlace(text: string): Place | undefined {
  if (!/^\d{1,15}(\.\d{1,10}-\d{1,10})*$/.test(text)) return undefined;
  const [madeAt, ...parts] = text.split('.');
  const positions = parts.map((part) => part.split('-').map(Number) as [number, number]);
  return { madeAt: Number(madeAt), positions: new Map(positions) };
}

/**
 * Where `from` has come to with these rows, which are all that were stored after it at one moment. Numbers do not come in the
 * order of commits, and those of transactions that were rolled back never come: what a row says is settled has ended, so that
 * one of these numbers that is not among the rows is none that is missing.
 */
export function advance(from: Positions, rows: readonly FeedNumber[]): Map<number, number> {
  const positions = new Map(from);
  for (const [writer, own] of Map.groupBy(rows, (row) => row.writer)) {
    const settled = Math.max(...own.map((row) => row.settled));
    const numbers = new Set(own.map(({ number }) => number));
    let upTo = Math.max(positions.get(writer) ?? 0, settled);
    while (numbers.has(upTo + 1)) upTo += 1;
    positions.set(writer, upTo);
  }
  return positions;
}
