/** `npm run user`: accounts, from the command line of the server's machine. */
import { createPasswords } from '#backend/accounts/passwords.ts';
import { UserCliError, runUserCli } from '#backend/accounts/user-cli.ts';
import { readConfig } from '#backend/config.ts';
import { openDatabase, prepareDataDir } from '#backend/database/open-database.ts';
import { readDotEnv } from '#backend/read-dot-env.ts';
import { Complaint, runCommand } from '#scripts/complaint.ts';

await runCommand(async () => {
  readDotEnv();
  const config = readConfig(process.env);
  await prepareDataDir(config.dataDir);
  const database = await openDatabase(config);
  try {
    console.log(await runUserCli({ database, passwords: createPasswords() }, process.argv.slice(2)));
  } catch (error) {
    throw error instanceof UserCliError ? new Complaint(error.message, { cause: error }) : error;
  } finally {
    await database.close();
  }
});
