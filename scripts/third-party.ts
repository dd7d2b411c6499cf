/**
 * `npm run third-party`: what the product is made of besides its own code, for `dist/third-party`: an inventory in CycloneDX
 * (`sbom.cdx.json`) and the licences with their texts (`THIRD-PARTY-LICENSES.txt`), which the desktop app ships with.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { z } from 'zod';
import { PROJECT_DIR } from './ensure-web-build.ts';

export const LICENSES_FILE = 'THIRD-PARTY-LICENSES.txt';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
    }),
  ),
});

/** A package of somebody else's. */
export interface ThirdPartyPackage {
  name: string;
  version: string;
  /** As its author states it, in SPDX; undefined when nothing is stated. */
  license: string | undefined;
  /** Whether only development takes it: tests, checks, packaging. */
  isForDevelopment: boolean;
  /** Where it is installed, relative to the project. Packages for other systems are not there. */
  folder: string;
}

/** Every package of `package-lock.json`, in the order of its folders. */
export async function listThirdParty(): Promise<ThirdPartyPackage[]> {
  const lock = lockSchema.parse(JSON.parse(await readFile(join(PROJECT_DIR, 'package-lock.json'), 'utf8')));
  return Object.entries(lock.packages)
    .filter(([folder]) => folder !== '')
    .map(([folder, { name = folder.replace(/^.*node_modules\//, ''), version = '', license, dev, devOptional }]) => ({
      name,
      version,
      license,
      isForDevelopment: dev === true || devOptional === true,
      folder,
    }));
}

const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i;

/** The texts that lie in a package's folder, each once; none where it is not installed. */
async function readTexts(folder: string): Promise<string[]> {
  const files = await readdir(join(PROJECT_DIR, folder), { withFileTypes: true }).catch(() => []);
  const texts = await Promise.all(
    files
      .filter((file) => file.isFile() && LICENSE_FILE.test(file.name))
      .map((file) => readFile(join(PROJECT_DIR, folder, file.name), 'utf8')),
  );
  return [...new Set(texts.map((text) => text.replaceAll('\r\n', '\n').trim()))];
}

/** The licences of everything that is shipped or run, with their texts: packages under the same text stand together. */
export async function writeLicenses(): Promise<string> {
  const byText = new Map<string, Set<string>>();
  for (const { name, version, license, folder, isForDevelopment } of await listThirdParty()) {
    if (isForDevelopment) continue;
    const text = (await readTexts(folder)).join('\n\n') || `${license ?? 'No licence is stated.'}`;
    byText.set(text, (byText.get(text) ?? new Set()).add(`${name} ${version} (${license ?? 'not stated'})`));
  }
  const parts = [...byText].map(([text, names]) => `${[...names].toSorted().join('\n')}\n\n${text}\n`);
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `Alertdesk contains the work of others, under these licences.\n${rule}${parts.toSorted().join(rule)}`;
}

async function main(): Promise<void> {
  const folder = join(PROJECT_DIR, 'dist', 'third-party');
  await mkdir(folder, { recursive: true });
  const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], {
    cwd: PROJECT_DIR,
    maxBuffer: 64 * 1024 ** 2,
    shell: process.platform === 'win32',
  });
  await writeFile(join(folder, 'sbom.cdx.json'), stdout);
  await writeFile(join(folder, LICENSES_FILE), await writeLicenses());
  console.log(`Written to ${folder}.`);
}

if (import.meta.main) await main();
