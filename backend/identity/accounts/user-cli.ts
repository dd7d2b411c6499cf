import { parseArgs } from 'node:util';
import type * as z from 'zod/mini';
import { COMMAND_LINE } from '#backend/identity/audit/audit-log.ts';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { roleSchema } from '#backend/contract/session.ts';
import { newUserSchema, passwordSchema } from '#backend/contract/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { IN_ENGLISH, ProblemError } from '#backend/platform/endpoint/errors.ts';
import { NO_SECURITY_MAILS } from '#backend/identity/users/security-mails.ts';
import { generatePassword, type Passwords } from '#backend/identity/users/passwords.ts';
import { createUser, resetPassword, resetSecondStep, setUserActive, setUserRole } from './user-commands.ts';
import { type User, UserEntity, findUserByEmail } from '#backend/identity/users/user.ts';

/** What `alertdesk user` says when it is called without a command it knows. */
export const USER_CLI_USAGE = `Manages accounts on this server's database, for whoever is locked out, and to make super users.

${commandLine('user', 'list')}
${commandLine('user', 'create EMAIL --name "Display Name" [--role user|admin|super_user] [--password PASSWORD]')}
${commandLine('user', 'reset-password EMAIL [--password PASSWORD]')}
${commandLine('user', 'reset-second-step EMAIL')}
${commandLine('user', 'set-role EMAIL user|admin|super_user')}
${commandLine('user', 'disable EMAIL')}
${commandLine('user', 'enable EMAIL')}

Without --password one is generated and printed. A reset or a new role ends the account's sessions.
reset-second-step removes authenticator app, passkeys and recovery codes of who has lost them.`;

/** Why a command was not carried out, as one sentence for the person who typed it. */
export class UserCliError extends Error {}

/**
 * Carries out one command line.
 *
 * @returns what to print
 * @throws {UserCliError} when the command is off, or refused
 */
export async function runUserCli(
  { database, passwords }: { database: Database; passwords: Passwords },
  args: string[],
): Promise<string> {
  const { command, positionals, options } = parse(args);
  // Sockets belong to the server's process: it notices ended sessions with its next heartbeat.
  const context = {
    database,
    passwords,
    securityMails: NO_SECURITY_MAILS,
  };
  const password =
    options.password === undefined ? generatePassword() : check('password', passwordSchema, options.password);
  const printed = options.password === undefined ? `\nPassword: ${password}` : '';
  try {
    switch (command) {
      case 'list':
        return table(await database.reads.getRepository(UserEntity).find({ order: { id: 'ASC' } }));
      case 'create': {
        const role = check('--role', roleSchema, options.role ?? 'user');
        const input = { email: positionals[0], displayName: options.name, password };
        const user = await createUser(context, COMMAND_LINE, { ...check('account', newUserSchema, input), role });
        return `Created ${user.email} (${user.role}).${printed}`;
      }
      case 'reset-password': {
        const user = await existing(database, positionals[0]);
        await resetPassword(context, COMMAND_LINE, user.id, password);
        return `The password of ${user.email} was reset.${printed}`;
      }
      case 'reset-second-step': {
        const user = await existing(database, positionals[0]);
        await resetSecondStep(context, COMMAND_LINE, user.id);
        return `${user.email} signs in with the password alone now.`;
      }
      case 'set-role': {
        const user = await existing(database, positionals[0]);
        const role = check('role', roleSchema, positionals[1]);
        await setUserRole(context, COMMAND_LINE, user.id, role);
        return `${user.email} is ${role} now.`;
      }
      case 'disable':
      case 'enable': {
        const user = await existing(database, positionals[0]);
        await setUserActive(context, COMMAND_LINE, user.id, command === 'enable');
        return `${user.email} is ${command === 'enable' ? 'active' : 'disabled'} now.`;
      }
      default:
        throw new UserCliError(USER_CLI_USAGE);
    }
  } catch (error) {
    if (error instanceof ProblemError) throw new UserCliError(error.message, { cause: error });
    throw error;
  }
}

function parse(args: string[]) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { name: { type: 'string' }, role: { type: 'string' }, password: { type: 'string' } },
    });
    const [command, ...rest] = positionals;
    return { command, positionals: rest, options: values };
  } catch (error) {
    throw new UserCliError(`${(error as Error).message}\n\n${USER_CLI_USAGE}`, { cause: error });
  }
}

function check<T>(what: string, schema: z.ZodMiniType<T>, input: unknown): T {
  const checked = schema.safeParse(input, IN_ENGLISH);
  if (checked.success) return checked.data;
  const reasons = checked.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new UserCliError(`This ${what} is not acceptable: ${reasons.join('; ')}.`);
}

async function existing(database: Database, email: string | undefined): Promise<User> {
  const user = email === undefined ? null : await findUserByEmail(database.reads, email);
  if (!user) throw new UserCliError(`There is no account with the e-mail ${email ?? '(none given)'}.`);
  return user;
}

function table(users: User[]): string {
  const rows = users.map((user) => [user.email, user.role, user.isActive ? 'active' : 'disabled', user.displayName]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n');
}
