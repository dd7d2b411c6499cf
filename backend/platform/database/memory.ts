import type BetterSqlite3 from 'better-sqlite3';
import { setFlagsFromString } from 'node:v8';

/**
 * Limits of threads beside the main one. What they make for a moment does not need the 64 MB and more that V8 gives the young
 * objects of a thread on a large machine.
 */
export const THREAD_LIMITS = { maxYoungGenerationSizeMb: 12 } as const;

/**
 * Has garbage collected when the heap is half as large again as what was left of it the last time. V8 would let it grow to
 * three or four times of that where a machine has much memory: in a storm of webhooks, when requests wait for longer than
 * young objects are expected to live, the old ones took 200 MB, of which 50 MB were in use. Source: `MemoryController::GrowingFactor` of V8's heap-controller.cc.
 */
export const keepHeapSmall = (): void => setFlagsFromString('--heap-growing-percent=50');

/**
 * How much of a file of SQLite's a connection keeps in memory, in KiB. The one that writes alerts has 16 MiB; the others
 * took as much each. The system keeps the files in memory, too.
 */
export const CACHE_KIB = { lists: 8 * 1024, search: 8 * 1024, thread: 2 * 1024 };

/** Sets how much a connection keeps in memory. */
export const limitCache = (connection: BetterSqlite3.Database, kib: number): unknown =>
  connection.pragma(`cache_size = -${kib}`);
