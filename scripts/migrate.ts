/**
 * `npm run migrate`: brings the tables up to date, as a start of the server does, for a server whose database user may not
 * change tables. With `--grants ACCOUNT` it then prints the rights of that user: all that the server takes, and no more.
 */
import { readConfig } from '#backend/config.ts';
import { grantStatements } from '#backend/database/grants.ts';
import { openDatabase, prepareDataDir } from '#backend/database/open-database.ts';
import { readDotEnv } from '#backend/read-dot-env.ts';
import { Complaint, runCommand } from '#scripts/complaint.ts';

const USAGE = `Usage: npm run migrate, or npm run -s migrate -- --grants "'alertdesk'@'10.0.0.%'" to print GRANT statements.`;

await runCommand(async () => {
  const [option, account, ...rest] = process.argv.slice(2);
  const isAsked = option === '--grants' && account !== undefined;
  if (rest.length > 0 || (option !== undefined && !isAsked)) throw new Complaint(USAGE);
  readDotEnv();
  const config = readConfig(process.env);
  if (isAsked && config.databaseUrl === undefined) {
    throw new Complaint('The embedded database has no users: --grants is for DATABASE_URL.');
  }
  await prepareDataDir(config.dataDir);
  const database = await openDatabase(config, undefined, { isPatient: true });
  try {
    const statements = isAsked ? await grantStatements(database.reads, account) : undefined;
    if (isAsked && !statements) throw new Complaint(USAGE);
    console.log(statements?.join('\n') ?? 'The tables are up to date.');
  } finally {
    await database.close();
  }
});
