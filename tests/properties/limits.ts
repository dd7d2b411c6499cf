/** How long the properties of one file are tried together by default, in seconds. */
const SECONDS = 2;

/**
 * How long a property is tried: the properties of one file share two seconds, with fewer runs on a busy machine.
 * `FUZZ_SECONDS=120` gives them more time, `FUZZ_RUNS=2000` tries each so often, however long it takes.
 * `FUZZ_SEED=… FUZZ_PATH=…` repeat a failure as its message names it.
 *
 * @param shareOfTime this property's part of the file's time
 * @param runs how often it is tried at most in the default time
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
  const { FUZZ_SECONDS, FUZZ_RUNS, FUZZ_SEED, FUZZ_PATH } = process.env;
  const seconds = Number(FUZZ_SECONDS ?? SECONDS);
  const deadline = FUZZ_RUNS ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000 * shareOfTime;
  let begun = 0;
  return {
    parameters: {
      numRuns: Number(FUZZ_RUNS ?? Math.ceil((runs * seconds) / SECONDS)),
      ...(FUZZ_SEED && { seed: Number(FUZZ_SEED) }),
      ...(FUZZ_PATH && { path: FUZZ_PATH }),
    },
    isOver() {
      begun += 1;
      return begun > 1 && performance.now() > deadline;
    },
  };
}
