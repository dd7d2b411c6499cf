import type { TestProject } from 'vitest/node';
import { startMariaDb } from './mariadb.ts';

/** Vitest's global set-up of the projects that run on MariaDB: one server for all of their files. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startMariaDb();
  project.provide('mysqlUrl', server.url);
  return server.stop;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** A database server with rights to create databases; absent in projects that run on SQLite. */
    mysqlUrl?: string;
  }
}
