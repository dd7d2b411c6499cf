/** `npm run backup -- FILE` and `npm run restore -- FILE`: the embedded database, copied and put back. */
import { resolve } from 'node:path';
import { readConfig } from '#backend/config.ts';
import { backUp, restore } from '#backend/database/backup.ts';
import { prepareDataDir } from '#backend/database/open-database.ts';
import { readDotEnv } from '#backend/read-dot-env.ts';
import { StartError } from '#backend/start-error.ts';
import { runCommand } from '#scripts/complaint.ts';

await runCommand(async () => {
  const [command = '', file = ''] = process.argv.slice(2);
  if (file === '') throw new StartError(`Name the file: npm run ${command} -- FILE`);
  readDotEnv();
  const { dataDir, databaseUrl } = readConfig(process.env);
  if (databaseUrl) {
    throw new StartError('DATABASE_URL is set: back that database up and restore it with its own tools (mysqldump).');
  }
  if (command === 'backup') {
    const bytes = await backUp(dataDir, resolve(file));
    console.log(`Backed up to ${resolve(file)} (${bytes.toLocaleString('en')} bytes).`);
  } else {
    await prepareDataDir(dataDir);
    const aside = await restore(dataDir, resolve(file));
    console.log(`Restored from ${resolve(file)}.${aside ? ` What was there is kept in ${aside}.` : ''}`);
  }
});
