import { basename } from 'node:path';
import { PublisherBase, type PublisherOptions } from '@electron-forge/publisher-base';
import type { Releases } from './releases.ts';

/**
 * In which order a release's files are uploaded: what names the others comes last, so that no app is told of an
 * installer that is not there yet.
 */
export const uploadOrder = (files: readonly string[]): string[] =>
  files.toSorted(
    (a, b) => Number(a.endsWith('.yml')) - Number(b.endsWith('.yml')) || basename(a).localeCompare(basename(b)),
  );

/** Puts what was made onto the releases page, with electron-builder's publisher; the token is `GITHUB_TOKEN`. */
export class ReleasesPublisher extends PublisherBase<Releases> {
  override name = 'releases';

  override async publish({ makeResults, setStatusLine }: PublisherOptions): Promise<void> {
    const [{ GitHubPublisher }, { CancellationToken }] = await Promise.all([
      import('electron-publish'),
      import('builder-util-runtime'),
    ]);
    for (const { artifacts, packageJSON } of makeResults) {
      const version = String((packageJSON as { version: string }).version);
      const publisher = new GitHubPublisher(
        { cancellationToken: new CancellationToken(), progress: null },
        { provider: 'github', ...this.config, releaseType: version.includes('-') ? 'prerelease' : 'release' },
        version,
        { publish: 'always' },
      );
      for (const file of uploadOrder(artifacts)) {
        setStatusLine(`Uploading ${basename(file)}`);
        await publisher.upload({ file, arch: null });
      }
    }
  }
}
