import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { type Counts, FAILED, PASSED, addCounts } from './counts.ts';

/** One step of `npm test`: a program, with a machine-readable report when it runs many tests. */
export interface Stage {
  name: string;
  /** Path of the program's module in the project's folder, run on this Node; its arguments. */
  program: string;
  args: string[];
  env?: Record<string, string>;
  /**
   * Where the program writes its JSON report and how to count it; without one the stage counts as one test. A report of
   * no test is a failure, unless it may be empty. What was thrown outside of a test may stand in a file of its own, as an
   * array of sentences: each counts as a failure.
   */
  report?: { file: string; count: (report: unknown) => Counts; mayBeEmpty?: boolean; strayErrors?: string };
}

/** What a stage came to. `problem` says what went wrong beyond failed tests. */
export interface StageResult extends Counts {
  name: string;
  /** How long it took. */
  seconds: number;
  /** Processor time of its processes, in seconds; undefined where the system does not say. */
  processorSeconds?: number | undefined;
  problem?: string;
}

/**
 * Runs one stage with its output shown. It fails when a test fails, when the program ends with a failure that its
 * report does not account for, when the report is missing, and when it ran no test at all.
 */
export async function runStage(stage: Stage): Promise<StageResult> {
  const started = performance.now();
  for (const file of [stage.report?.file, stage.report?.strayErrors]) if (file) await rm(file, { force: true });
  const { code, processorSeconds } = await run(stage);
  const seconds = (performance.now() - started) / 1000;
  return { name: stage.name, seconds, processorSeconds, ...(await judge(stage, code)) };
}

/** Linux counts in hundredths of a second, whatever its own clock does (proc_pid_stat(5)). */
const TICKS_PER_SECOND = 100;

/** Processor time in seconds of the processes that this one has waited for, with all that they waited for. */
function processorTimeOfChildren(): number | undefined {
  try {
    // The second field is a name in brackets, which may hold spaces: cutime and cstime are the 14th and 15th after it.
    const [, fields = ''] = /.*\) (.*)/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(13, 15).map(Number);
    return user === undefined || system === undefined ? undefined : (user + system) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** What ended children took until now. A child's time is added when it ends, so stages may run beside each other. */
let countedSeconds = 0;

function run({ program, args, env }: Stage): Promise<{ code: number | null; processorSeconds: number | undefined }> {
  const child = spawn(process.execPath, [join(PROJECT_DIR, program), ...args], {
    cwd: PROJECT_DIR,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => {
      const all = processorTimeOfChildren();
      resolve({ code, processorSeconds: all === undefined ? undefined : all - countedSeconds });
      countedSeconds = all ?? 0;
    });
  });
}

async function judge({ report }: Stage, code: number | null): Promise<Counts & { problem?: string }> {
  if (!report) return code === 0 ? PASSED : FAILED;
  try {
    const ofTests = report.count(JSON.parse(await readFile(report.file, 'utf8')));
    const counts = addCounts([ofTests, await countStrays(report.strayErrors)]);
    if (counts.passed + counts.failed === 0 && !report.mayBeEmpty)
      return { ...counts, failed: 1, problem: 'no test ran' };
    if (code === 0 || counts.failed > 0) return counts;
    return { ...counts, failed: 1, problem: `ended with code ${code} although no test failed` };
  } catch {
    return { ...FAILED, problem: `ended with code ${code} and left no report` };
  }
}

async function countStrays(file: string | undefined): Promise<Counts> {
  const strays = file ? z.array(z.string()).parse(JSON.parse(await readFile(file, 'utf8'))) : [];
  const failures = strays.map((stray) => `thrown outside of a test: ${stray}`);
  return { passed: 0, failed: failures.length, skipped: 0, failures, flaky: [] };
}
