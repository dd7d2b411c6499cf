import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';
import { startMariaDb } from './mariadb.ts';

/** Where the summary of `npm test` finds what is said of a server that ended by itself. */
export const ENDED_DATABASES_FILE = join(PROJECT_DIR, 'test-results', 'ended-databases.log');

/**
 * Leaves writing to the disk to the system: whatever a test kills, the system stays. Changes of tables wait for the disk
 * a dozen times each, so that migrations took seconds where others write, too. MySQL does not have the second.
 */
const WITHOUT_SYNC = ['--innodb-flush-method=nosync', '--loose-debug-no-sync'];

/**
 * Most tests make every table and drop it: without stored statistics and a file for each table that takes half of the
 * processor time. Statistics are counted when a table is opened, then; a test of plans stores them.
 */
const CHEAP_TABLES = ['--innodb-stats-persistent=OFF', '--innodb-file-per-table=OFF'];

/**
 * Vitest's global set-up of the projects that run on MariaDB: one server for all of their files. If it ends by itself, the
 * tests that are running fail, and those that follow have it again.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startMariaDb([...WITHOUT_SYNC, ...CHEAP_TABLES], {
    GUARD_RESTARTS: '3',
    GUARD_REPORT: ENDED_DATABASES_FILE,
  });
  project.provide('mysqlUrl', server.url);
  return server.stop;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A database server with rights to create databases; absent in projects that run on SQLite. */
    mysqlUrl?: string;
  }
}
