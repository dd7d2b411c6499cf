import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

/** In microseconds. */
export interface ProcessUsage {
  /** Processor time, user and system together, of all threads. */
  cpu: number;
  /** The same of the thread with the event loop. */
  thread: number;
  /** The time that the event loop was busy by the clock, which on a busy machine is longer. */
  eventLoop: number;
}

/** What this process used since it began. */
export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  const own = process.threadCpuUsage();
  return {
    cpu: user + system,
    thread: own.user + own.system,
    eventLoop: performance.eventLoopUtilization().active * 1000,
  };
}

/** Ticks a second in which Linux counts what a process used (`getconf CLK_TCK`: 100 on every platform that Node runs on). */
const TICKS_PER_SECOND = 100;

/**
 * Processor time that another process used since it began, in microseconds; undefined where the system does not report it.
 *
 * Source: proc_pid_stat(5), fields 14 (utime) and 15 (stime).
 */
export function processorTimeOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The second field is the program's name in brackets, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return Number.isNaN(ticks) ? undefined : (ticks / TICKS_PER_SECOND) * 1_000_000;
  } catch {
    return undefined;
  }
}

/**
 * A process and those that it started, and so on; itself alone where the system does not report that.
 *
 * Source: proc_tid_children(5).
 */
export function processTreeOf(pid: number): number[] {
  const children = readChildren(pid).map(Number);
  return [pid, ...children.flatMap(processTreeOf)];
}

function readChildren(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
  } catch {
    return [];
  }
}
