/**
 * How long a property is tried. By default every property of one file together takes at most some 20 s, on a busy
 * machine with fewer runs; `FUZZ_RUNS=2000` tries each so often, however long it takes. `FUZZ_SEED=… FUZZ_PATH=…` repeat
 * a failure as its message names it.
 */
export function createLimit(
  shareOfTime: number,
  runs: number,
): {
  /** For `fc.assert`. */
  parameters: { numRuns: number; seed?: number; path?: string };
  /** True when the time is over; never before the first run. */
  isOver(): boolean;
} {
  const { FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;
  const deadline = FUZZ_RUNS ? Number.POSITIVE_INFINITY : performance.now() + 20_000 * shareOfTime;
  let begun = 0;
  return {
    parameters: {
      numRuns: FUZZ_RUNS ? Number(FUZZ_RUNS) : runs,
      ...(FUZZ_SEED && { seed: Number(FUZZ_SEED) }),
      ...(FUZZ_PATH && { path: FUZZ_PATH }),
    },
    isOver() {
      begun += 1;
      return begun > 1 && performance.now() > deadline;
    },
  };
}
