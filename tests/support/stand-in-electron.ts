import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Data, NtExecutable, NtExecutableResource, Resource } from 'resedit';
import { ICON } from '#scripts/desktop/installer-config.ts';

/** By what the tool that flips fuses finds them in Electron's binary, then the version of the wire and its fuses. */
const FUSE_SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';
const FUSE_VERSION = 1;

/** As Electron is released: all that a fuse can be. */
const FUSE_WIRE = '101100001';

const ENGLISH = { lang: 1033, codepage: 1200 };

/**
 * Puts into `folder` what stands for Electron's release for Windows where the real one cannot be had: its zip with a
 * program that does nothing, but has what packaging changes: an icon, a version, fuses.
 */
export async function makeStandInElectron(folder: string, version: string): Promise<void> {
  const files: Record<string, Buffer> = {
    'electron.exe': await makeProgram(),
    'ffmpeg.dll': Buffer.from('a library'),
    LICENSE: Buffer.from('a licence'),
    version: Buffer.from(version),
    'resources/default_app.asar': Buffer.from('an archive'),
  };
  await writeFile(join(folder, `electron-v${version}-win32-x64.zip`), zip(files));
}

async function makeProgram(): Promise<Buffer> {
  const program = NtExecutable.createEmpty(false, false);
  const resources = NtExecutableResource.from(program);
  const { icons } = Data.IconFile.from(await readFile(ICON));
  Resource.IconGroupEntry.replaceIconsForResource(
    resources.entries,
    1,
    ENGLISH.lang,
    icons.map(({ data }) => data),
  );
  const strings = [{ ...ENGLISH, values: { ProductName: 'Electron' } }];
  Resource.VersionInfo.create(ENGLISH.lang, {}, strings).outputToResourceEntries(resources.entries);
  resources.outputResource(program);
  const fuses = Buffer.from([FUSE_VERSION, FUSE_WIRE.length]);
  return Buffer.concat([Buffer.from(program.generate()), Buffer.from(FUSE_SENTINEL), fuses, Buffer.from(FUSE_WIRE)]);
}

/** A zip file, nothing in it compressed. */
function zip(files: Record<string, Buffer>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    // Version 2.0, no flags, stored, midnight of 1 January 1980, checksum, sizes, length of the name, nothing extra.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(33, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), content]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, tail, Buffer.from(name)]));
    parts.push(local);
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(directory.length, 4);
  end.writeUInt16LE(directory.length, 6);
  end.writeUInt32LE(entries.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, entries, Buffer.from('PK\x05\x06'), end]);
}
