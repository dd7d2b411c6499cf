import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { NsisUpdater } from 'electron-updater/out/NsisUpdater.js';
import { verifySignature } from 'electron-updater/out/windowsExecutableCodeSignatureVerifier.js';
import { z } from 'zod';
import type { Log } from '#electron/logs/logs.ts';

/** Says why a file must not be installed, or null when it may. */
export type VerifySignature = (publisherNames: string[], file: string) => Promise<string | null>;

const updateConfigSchema = z.object({ publisherName: z.union([z.string(), z.array(z.string())]).nullish() });

/**
 * Whom this build takes updates from: the names that its `app-update.yml` holds, as the updater itself reads it. None
 * when the build is not signed, or runs from its sources; the updater would take any file then.
 */
export async function readPublishers(updater: NsisUpdater): Promise<string[]> {
  return (await readUpdateConfig(updater)) ?? [];
}

/** Whether the build says where its updates are. */
export const namesReleases = async (updater: NsisUpdater): Promise<boolean> =>
  (await readUpdateConfig(updater)) !== undefined;

/** The publishers of `app-update.yml`; undefined where there is no such file. */
async function readUpdateConfig(updater: NsisUpdater): Promise<string[] | undefined> {
  // Not in the updater's types, though left open on purpose ("allow to read old config for anyone").
  const { configOnDisk } = updater as unknown as { configOnDisk: { value: Promise<unknown> } };
  try {
    const { publisherName } = updateConfigSchema.parse(await configOnDisk.value);
    return [publisherName ?? []].flat();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Checks the Authenticode signature by Windows itself, as the updater does. Where Windows cannot check it (no PowerShell, or
 * one that is too old), the updater would let the file pass with a warning; here it is refused.
 */
export function createSignatureCheck(log: Log): VerifySignature {
  return async (publisherNames, file) => {
    let skipped: string | null = null;
    const warn = (message: string) => {
      if (message.includes('Ignoring signature validation')) skipped = message;
      log.warn(message);
    };
    const reason = await verifySignature(publisherNames, file, { ...log, warn });
    return reason ?? skipped;
  };
}

/** Whether `file` still has the checksum that the feed named: it may have been changed since it was downloaded. */
export async function hasChecksum(file: string, sha512: string): Promise<boolean> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return hash.digest('base64') === sha512;
}
