/** `npm run backup -- FILE` and `npm run restore -- FILE`: the embedded database, copied and put back. */
import { join, resolve } from 'node:path';
import { readConfig } from '#backend/config.ts';
import { backUp, restore } from '#backend/database/backup.ts';
import { prepareDataDir } from '#backend/database/open-database.ts';
import { readDotEnv } from '#backend/read-dot-env.ts';
import { SECRETS_FILE } from '#backend/secrets/secret-store.ts';
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
    console.log(
      `Backed up to ${resolve(file)} (${bytes.toLocaleString('en')} bytes).\n` +
        `It does not contain the secrets: SESSION_SECRET, VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY. To restore it elsewhere, also copy ${join(dataDir, SECRETS_FILE)}, ` +
        'or set these variables to the same values there; otherwise open pages must be reloaded, and browsers subscribe to notifications again.',
    );
  } else {
    await prepareDataDir(dataDir);
    const aside = await restore(dataDir, resolve(file));
    console.log(`Restored from ${resolve(file)}.${aside ? ` What was there is kept in ${aside}.` : ''}`);
  }
});
