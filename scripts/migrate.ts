/**
 * `npm run migrate`: brings the tables up to date, as a start of the server does, for a server whose database user may not
 * change tables. With `--grants ACCOUNT` it then prints the rights of that user: all that the server takes, and no more.
 */
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { grantStatements } from '#backend/platform/database/grants.ts';
import { Complaint } from '#scripts/complaint.ts';
import { openInstallation, readSettings } from '#scripts/open-installation.ts';

const USAGE =
  `Usage: ${commandLine('migrate')}, or ${commandLine('migrate', `--grants "'alertdesk'@'10.0.0.%'"`)} ` +
  'to print GRANT statements (with npm, after "npm run -s").';

export async function run(args: string[]): Promise<void> {
  const [option, account, ...rest] = args;
  const isAsked = option === '--grants' && account !== undefined;
  if (rest.length > 0 || (option !== undefined && !isAsked)) throw new Complaint(USAGE);
  const config = readSettings();
  if (isAsked && config.databaseUrl === undefined) {
    throw new Complaint('The embedded database has no users: --grants is for DATABASE_URL.');
  }
  const { database } = await openInstallation(config, 'made');
  try {
    const statements = isAsked ? await grantStatements(database.reads, account) : undefined;
    if (isAsked && !statements) throw new Complaint(USAGE);
    console.log(statements?.join('\n') ?? 'The tables are up to date.');
  } finally {
    await database.close();
  }
}
