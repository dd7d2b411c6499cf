import type { BenchDatabase } from './databases.ts';

/** What a part of the bench gives: rows of the one table at the end, and everything behind them. */
export interface PartResult {
  rows: string[][];
  results: unknown;
  /** Why nothing was measured. */
  skipped?: string;
}

/** How long it may measure: runs of so many seconds, each variant in turn, so many rounds; reads among so many alerts. */
export interface BenchOptions {
  rounds: number;
  seconds: number;
  alerts: number;
}

/** A part of the bench, by itself or with the others (`--only`). */
export type Part = (
  databases: readonly BenchDatabase[],
  options: BenchOptions,
  report: (line: string) => void,
) => Promise<PartResult>;
