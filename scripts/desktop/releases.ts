import type { Signing } from './signing.ts';

/** The repository whose releases page offers the app. */
export interface Releases {
  owner: string;
  repo: string;
}

/** For whom an installer installs: one person, or all of a computer. */
export type InstallScope = 'user' | 'machine';

/**
 * Reads `INSTALL_SCOPE`; `user` without it. A build for the machine is distributed by a company, updates included, and so
 * has no releases page.
 *
 * @throws {Error} when it is something else, or a releases page is named as well.
 */
export function readScope(environment: Record<string, string | undefined>): InstallScope {
  const scope = environment['INSTALL_SCOPE'] || 'user';
  if (scope !== 'user' && scope !== 'machine') {
    throw new Error(`The environment variable INSTALL_SCOPE is "${scope}", but allowed are user and machine.`);
  }
  if (scope === 'machine' && environment['RELEASES_REPOSITORY']) {
    throw new Error(
      'An app that is installed for the machine cannot update itself: set INSTALL_SCOPE or RELEASES_REPOSITORY.',
    );
  }
  return scope;
}

/**
 * Reads `RELEASES_REPOSITORY` (`owner/name`); undefined without it, and the build looks for no updates then. There is no
 * default: a name that somebody else owns would offer theirs.
 *
 * @throws {Error} when it is something else.
 */
export function readReleases(environment: Record<string, string | undefined>): Releases | undefined {
  const named = environment['RELEASES_REPOSITORY'];
  if (!named) return undefined;
  const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(named) ?? [];
  if (owner === undefined || repo === undefined) {
    throw new Error(`The environment variable RELEASES_REPOSITORY is "${named}", but allowed is owner/name.`);
  }
  return { owner, repo };
}

/** Where the installer keeps itself for the next update's differences; electron-builder names it so too. */
const UPDATER_CACHE = 'alertdesk-updater';

/** `app-update.yml`, which ships beside the archive: where the updater looks, and whose signature it wants. */
export function appUpdateYml({ owner, repo }: Releases, signing: Signing | undefined): string {
  const values = { provider: 'github', owner, repo, updaterCacheDirName: UPDATER_CACHE };
  const lines = Object.entries(values).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  if (signing) lines.push(`publisherName: [${JSON.stringify(signing.publisherName)}]`);
  return `${lines.join('\n')}\n`;
}
