/** `npm run user`: accounts, from the command line of the server's machine. */
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { UserCliError, runUserCli } from '#backend/identity/accounts/user-cli.ts';
import { Complaint } from '#scripts/complaint.ts';
import { openInstallation } from '#scripts/open-installation.ts';

/** @param args the command line behind the command */
export async function run(args: string[]): Promise<void> {
  const { database } = await openInstallation();
  try {
    console.log(await runUserCli({ database, passwords: createPasswords() }, args));
  } catch (error) {
    throw error instanceof UserCliError ? new Complaint(error.message, { cause: error }) : error;
  } finally {
    await database.close();
  }
}
