import { basename } from 'node:path';
import { PublisherBase, type PublisherOptions } from '@electron-forge/publisher-base';
import type { Releases } from './releases.ts';
import { uploadRelease } from './upload-release.ts';

/** Puts what was made onto the releases page; the token is `GITHUB_TOKEN`. */
export class ReleasesPublisher extends PublisherBase<Releases> {
  override name = 'releases';

  override async publish({ makeResults, setStatusLine }: PublisherOptions): Promise<void> {
    for (const { artifacts, packageJSON } of makeResults) {
      const { version } = packageJSON as { version: string };
      await uploadRelease({ releases: this.config, version, files: artifacts, isDraft: false }, (file) =>
        setStatusLine(`Uploading ${basename(file)}`),
      );
    }
  }
}
