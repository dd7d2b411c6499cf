import { basename } from 'node:path';
import type { Releases } from './releases.ts';

/** A version's files, and where they go. */
interface Release {
  releases: Releases;
  version: string;
  files: readonly string[];
  /** Seen by nobody until somebody publishes it by hand. */
  isDraft: boolean;
}

/**
 * In which order a release's files are uploaded: what names the others comes last, so that no app is offered an
 * installer that is not there yet.
 */
export const uploadOrder = (files: readonly string[]): string[] =>
  files.toSorted(
    (a, b) => Number(a.endsWith('.yml')) - Number(b.endsWith('.yml')) || basename(a).localeCompare(basename(b)),
  );

/** What a release of a version is on the releases page: betas are for those who asked for them. */
export const releaseType = (version: string, isDraft: boolean): 'draft' | 'prerelease' | 'release' => {
  if (isDraft) return 'draft';
  return version.includes('-') ? 'prerelease' : 'release';
};

/** Uploads a release with electron-builder's publisher, which takes the token from `GITHUB_TOKEN`. */
export async function uploadRelease(
  { releases, version, files, isDraft }: Release,
  onFile: (file: string) => void,
): Promise<void> {
  // Only here: starting and packaging the app need nothing of them.
  const [{ GitHubPublisher }, { CancellationToken }] = await Promise.all([
    import('electron-publish'),
    import('builder-util-runtime'),
  ]);
  const publisher = new GitHubPublisher(
    { cancellationToken: new CancellationToken(), progress: null },
    { provider: 'github', ...releases, releaseType: releaseType(version, isDraft) },
    version,
    { publish: 'always' },
  );
  for (const file of uploadOrder(files)) {
    onFile(file);
    await publisher.upload({ file, arch: null });
  }
}
