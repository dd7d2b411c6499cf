/** `alertdesk restore FILE`: puts a backup in the place of the embedded database, with the server stopped. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { restore } from '#backend/transfer/backup/backup.ts';
import { prepareDataDir } from '#backend/platform/database/private-files.ts';
import { Complaint } from '#scripts/complaint.ts';
import { readEmbedded, requireData } from '#scripts/open-installation.ts';

const USAGE = `Usage: ${commandLine('restore', 'FILE [--new]')}

Puts the backup FILE in the place of the embedded database, which is kept beside it.
--new  DATA_DIR has no database yet, such as on another machine`;

/** @param args the command line behind the command */
export async function run(args: string[]): Promise<void> {
  const { file, isNew } = readOptions(args);
  const config = readEmbedded();
  if (!isNew) requireData(config, ' To restore to a place that has none yet, add --new.');
  await prepareDataDir(config.dataDir);
  const aside = await restore(config.dataDir, file);
  console.log(`Restored from ${file} to ${config.dataDir}.${aside ? ` What was there is kept in ${aside}.` : ''}`);
}

function readOptions(args: string[]): { file: string; isNew: boolean } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { new: { type: 'boolean', default: false } },
    });
    const [file, ...rest] = positionals;
    if (file !== undefined && rest.length === 0) return { file: resolve(file), isNew: values.new };
  } catch (error) {
    throw new Complaint(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
  throw new Complaint(USAGE);
}
