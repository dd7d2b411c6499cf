import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Names in a folder of what belongs to a release: the installer, its block map, and the file of each channel that names both. */
export const isReleaseFile = (name: string): boolean =>
  /^(?:.+\.exe(?:\.blockmap)?|(?:latest|beta|alpha)\.yml)$/.test(name);

/**
 * The files of a release in `folder`, after a look at whether they belong together: each channel's file names the
 * version and an installer that is there with this checksum.
 *
 * @throws {Error} with a sentence when they do not.
 */
export async function readReleaseFiles(folder: string, version: string): Promise<string[]> {
  const names = (await readdir(folder)).filter(isReleaseFile);
  const channels = names.filter((name) => name.endsWith('.yml'));
  if (channels.length === 0) throw new Error(`There is no latest.yml in ${folder}.`);
  for (const channel of channels) {
    const info = await readFile(join(folder, channel), 'utf8');
    const value = (field: string) => new RegExp(`^${field}: *['"]?([^'"\\n]+)`, 'm').exec(info)?.[1]?.trim();
    if (value('version') !== version) {
      throw new Error(`${channel} is of version ${value('version') ?? 'nothing'}, but the release is ${version}.`);
    }
    const path = value('path') ?? '';
    if (!names.includes(path)) throw new Error(`${channel} names ${path}, which is not there.`);
    const sha512 = createHash('sha512')
      .update(await readFile(join(folder, path)))
      .digest('base64');
    if (value('sha512') !== sha512) throw new Error(`${path} does not have the checksum that ${channel} names.`);
  }
  return names.map((name) => join(folder, name));
}
