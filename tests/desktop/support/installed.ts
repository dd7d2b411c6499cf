import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type UpdateFeed, startUpdateFeed } from '#tests/support/update-feed.ts';

const PUBLISHER = 'CN=Harbor Ltd, O=Harbor';

/** An installed, signed app on a Windows that knows one publisher's signature. */
export interface Installed {
  feed: UpdateFeed;
  /** The folder with what ships beside the archive. */
  resourcesPath: string;
  /** Where a downloaded installer lies. */
  downloaded(version: string): string;
  /** Gives back what was changed of this process. */
  dispose(): Promise<void>;
}

/**
 * Puts an installed app's surroundings into `folder`: its releases page, and what stands for the programs of Windows that the
 * updater asks about a signature. They say that every file is signed by `signedBy`.
 */
export async function install(folder: string, signedBy = PUBLISHER): Promise<Installed> {
  const [resourcesPath, programs, caches, offers] = ['resources', 'programs', 'caches', 'offers'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  for (const path of [resourcesPath, programs, caches, offers]) await mkdir(path, { recursive: true });
  const feed = await startUpdateFeed(offers);
  await writeFile(
    join(resourcesPath, 'app-update.yml'),
    `provider: generic\nurl: ${feed.url}\nupdaterCacheDirName: alertdesk-updater\npublisherName: ["${PUBLISHER}"]\n`,
  );
  const powershell = `#!/bin/sh
file=$(printf '%s' "$*" | sed "s/.*LiteralPath '\\([^']*\\)'.*/\\1/")
printf '{"Status":0,"Path":"%s","SignerCertificate":{"Subject":"${signedBy}"}}' "$file"
`;
  const scripts = { 'powershell.exe': powershell, chcp: '#!/bin/sh\n' };
  for (const [name, script] of Object.entries(scripts)) {
    await writeFile(join(programs, name), script);
    await chmod(join(programs, name), 0o700);
  }
  const before = { cwd: process.cwd(), path: process.env['PATH'], caches: process.env['LOCALAPPDATA'] };
  process.env['PATH'] = `${programs}${delimiter}${before.path ?? ''}`;
  process.env['LOCALAPPDATA'] = caches;
  // Other systems take a part of Windows' command for a file to write, here.
  process.chdir(caches);
  return {
    feed,
    resourcesPath,
    downloaded: (version) => join(caches, 'alertdesk-updater', 'pending', `Alertdesk-Setup-${version}.exe`),
    async dispose() {
      process.chdir(before.cwd);
      process.env['PATH'] = before.path;
      if (before.caches === undefined) delete process.env['LOCALAPPDATA'];
      else process.env['LOCALAPPDATA'] = before.caches;
      await feed.close();
    },
  };
}
