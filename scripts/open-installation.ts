import { STORED } from '#backend/server/entities.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { type Config, readConfig } from '#backend/server/config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { SQLITE_FILE, openDatabase } from '#backend/platform/database/open-database.ts';
import { prepareDataDir } from '#backend/platform/database/private-files.ts';
import type { Tables } from '#backend/platform/database/migrate.ts';
import { Complaint } from './complaint.ts';

/** The settings that a command works with: those that the server has. @throws {StartError} when they are wrong */
export const readSettings = (): Config => readConfig(process.env);

/** The settings of an installation on the embedded database. @throws {Complaint} when it is on another one */
export function readEmbedded(): Config {
  const config = readSettings();
  if (config.databaseUrl === undefined) return config;
  throw new Complaint(
    'DATABASE_URL is set: back that database up and restore it with its own tools (mariadb-dump, mysqldump).',
  );
}

/**
 * Makes sure that there is an installation on the embedded database.
 *
 * @throws {Complaint} where there is none: a command that is run with other settings than the server's would make one, and
 * seem to have worked.
 */
export function requireData({ dataDir }: Config, more = ''): void {
  if (existsSync(join(dataDir, SQLITE_FILE))) return;
  throw new Complaint(`There is no database in ${dataDir}; set DATA_DIR as the server has it.${more}`);
}

/**
 * Opens the database of the installation, while servers may be running.
 *
 * @param tables what may be done to them: a command with a wrong DATABASE_URL is to make none in another program's database
 * @throws {Complaint} where there is none
 * @throws {StartError} when the settings are wrong, or it cannot be opened as asked
 */
export async function openInstallation(
  config = readSettings(),
  tables: Tables = 'updated',
): Promise<{ config: Config; database: Database }> {
  if (config.databaseUrl === undefined) requireData(config);
  await prepareDataDir(config.dataDir);
  return { config, database: await openDatabase(config, STORED, undefined, { isPatient: true, tables }) };
}
