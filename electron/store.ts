import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { preferencesSchema, themeSchema, updateChannelSchema } from './contract/desktop.ts';
import { serverChoiceSchema } from './contract/server-choice.ts';

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int().positive(), height: z.int().positive() });

/** What the app remembers on this machine. A part that cannot be read any more is forgotten, never the whole. */
export const memorySchema = z.object({
  server: serverChoiceSchema.nullable().catch(null),
  /** All that worked once, to switch between. */
  knownServers: z.array(serverChoiceSchema).catch([]),
  /** The embedded server's port, so that its origin (cookies, local storage) stays the same. */
  port: z.int().min(1).max(65_535).nullable().catch(null),
  isShared: z.boolean().catch(false),
  /** Fingerprints of certificates that the administrator pinned, by host. */
  pinnedCertificates: z.record(z.string(), z.string()).catch({}),
  window: z.object({ bounds: boundsSchema, isMaximized: z.boolean() }).nullable().catch(null),
  theme: themeSchema.catch('system'),
  /** Whether it was said that closing leaves the app in the tray. */
  isTrayExplained: z.boolean().catch(false),
  /** What the policies in the registry said when they could be read last; null: nothing was ever read. */
  policy: z.object({ serverUrl: z.string().nullable(), crashDumps: z.string().nullable() }).nullable().catch(null),
  pausedUntil: z
    .union([z.iso.datetime(), z.literal('forever')])
    .nullable()
    .catch(null),
  preferences: preferencesSchema.catch({ startWithSystem: false, globalShortcut: null, isCriticalUrgent: false }),
  updateChannel: updateChannelSchema.catch('stable'),
});
export type Memory = z.infer<typeof memorySchema>;

/** What the app remembers, read once and written through. */
export interface Store {
  get(): Memory;
  change(part: Partial<Memory>): void;
}

/**
 * Opens the memory at `file`. One that is missing is an empty one. So is one that cannot be read; what is in it is kept
 * beside the new file, as `.damaged`.
 *
 * @param onError called when it cannot be read or written; the app goes on with the values in memory
 */
export function openStore(file: string, onError: (error: unknown) => void): Store {
  let isDamaged = false;
  let memory = memorySchema.parse(
    readJson(file, (error) => {
      isDamaged = true;
      onError(error);
    }),
  );
  return {
    get: () => memory,
    change(part) {
      memory = { ...memory, ...part };
      try {
        if (isDamaged) renameSync(file, `${file}.damaged`);
        isDamaged = false;
        mkdirSync(dirname(file), { recursive: true });
        // Written aside first, and to the disk: a crash or a power cut leaves the old file or the new one, never half of one.
        writeFileSync(`${file}.new`, JSON.stringify(memory, null, 2), { mode: 0o600, flush: true });
        renameSync(`${file}.new`, file);
      } catch (error) {
        onError(error);
      }
    },
  };
}

function readJson(file: string, onDamaged: (error: unknown) => void): object {
  try {
    // People pin certificates in it by hand, and some editors of Windows write a byte order mark.
    const value: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    throw new SyntaxError(`${file} has no settings in it.`);
  } catch (error) {
    if (!IS_MISSING.has((error as NodeJS.ErrnoException).code ?? '')) onDamaged(error);
    return {};
  }
}

const IS_MISSING = new Set(['ENOENT', 'ENOTDIR']);
