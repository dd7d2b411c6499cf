/** Publishes what another machine has made: `node scripts/desktop/publish-release.ts FOLDER TAG [--draft]`. */
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { readReleaseFiles } from './release-files.ts';
import { readReleases } from './releases.ts';
import { uploadRelease } from './upload-release.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { draft: { type: 'boolean' } } });
const [folder = '', tag = ''] = positionals;
try {
  if (tag !== `v${PRODUCT_VERSION}`) throw new Error(`The tag is "${tag}", but the version is ${PRODUCT_VERSION}.`);
  const releases = readReleases(process.env);
  if (!releases) throw new Error('Set RELEASES_REPOSITORY to the repository whose releases page offers the app.');
  const files = await readReleaseFiles(folder, PRODUCT_VERSION);
  const release = {
    releases,
    version: PRODUCT_VERSION,
    files,
    isDraft: values.draft === true,
  };
  await uploadRelease(release, (file) => console.log(`Uploading ${basename(file)}`));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
