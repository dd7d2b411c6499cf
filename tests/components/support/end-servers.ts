import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/**
 * Vitest's global set-up of the project "components": ends the servers of its workers, which vitest ends without a
 * chance to do so themselves. Each worker leaves a file for its server, named by the process id, with its data folder.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-components-'));
  project.provide('serversFolder', folder);
  return async () => {
    for (const pid of await readdir(folder)) {
      const dataDir = await readFile(join(folder, pid), 'utf8');
      process.kill(Number(pid), 'SIGKILL');
      await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    }
    await rm(folder, { recursive: true, force: true });
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Where workers of the project "components" say which servers they started. */
    serversFolder: string;
  }
}
