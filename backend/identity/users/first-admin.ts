import type { IdentityConfig } from './identity-config.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { shortnessOf } from '#backend/contract/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SecretStore } from '#backend/platform/secrets/secret-store.ts';
import { newToken } from './session-tokens.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { weaknessOf } from './password-rules.ts';
import { generatePassword, type Passwords } from './passwords.ts';
import { type User, UserEntity, emailKey, findUserByEmail } from './user.ts';

/** Under this name the generated password is kept for the sign-in page's panel. */
const PASSWORD_SECRET = 'INITIAL_ADMIN_PASSWORD';

/** Under this name the token is kept that opens the panel. */
export const SETUP_TOKEN_SECRET = 'SETUP_TOKEN';

/** The panel is offered for so long after the account was made, in milliseconds. */
const OFFERED_MS = 24 * 60 * 60 * 1000;

/** The first administrator's credentials, shown once on the terminal. */
export interface FirstAdmin {
  email: string;
  /** Undefined when the password came from ADMIN_PASSWORD: whoever set it knows it. */
  generatedPassword: string | undefined;
  /**
   * 256 random bits in base64url: who presents them on this machine is shown the generated password. Undefined when
   * there is none.
   */
  setupToken: string | undefined;
}

/**
 * Creates the first administrator when there is no user at all, from ADMIN_EMAIL and ADMIN_PASSWORD.
 *
 * @returns who was created, or undefined when somebody exists already.
 * @throws {StartError} for an ADMIN_PASSWORD that may not be set; where it is not used it is not looked at.
 */
export async function ensureFirstAdmin(
  { database, secrets, passwords }: { database: Database; secrets: SecretStore; passwords: Passwords },
  { adminEmail, adminPassword }: Pick<IdentityConfig, 'adminEmail' | 'adminPassword'>,
): Promise<FirstAdmin | undefined> {
  if ((await database.reads.getRepository(UserEntity).count()) > 0) return undefined;
  if (adminPassword) requireStrong(adminPassword, adminEmail);
  // Kept before the account exists: a crash in between must not leave an account whose password nobody knows.
  const generatedPassword = adminPassword ? undefined : await secrets.getOrCreate(PASSWORD_SECRET, generatePassword);
  const setupToken = adminPassword ? undefined : await secrets.getOrCreate(SETUP_TOKEN_SECRET, newToken);
  const passwordHash = await passwords.hash(generatedPassword ?? adminPassword ?? '');
  try {
    await database.transaction((tx) =>
      tx.getRepository(UserEntity).insert({
        id: newId(),
        email: adminEmail,
        emailKey: emailKey(adminEmail),
        displayName: FIRST_NAME,
        role: 'admin',
        isActive: true,
        passwordHash,
        passwordChangedAt: null,
        createdAt: Date.now(),
        timeFormat: null,
        timeZone: null,
        listOrders: null,
        openGroups: null,
      }),
    );
  } catch (error) {
    // Another server on the same database was quicker.
    if (database.dialect.isDuplicate(error)) return undefined;
    throw error;
  }
  return { email: adminEmail, generatedPassword, setupToken };
}

/** What the first administrator is called. */
const FIRST_NAME = 'Administrator';

function requireStrong(password: string, email: string): void {
  const reason = shortnessOf(password) ?? weaknessOf(password, { email, displayName: FIRST_NAME });
  if (!reason) return;
  throw new StartError(
    `The environment variable ADMIN_PASSWORD has a value that is not shown, with which no account can be made: ${reason.replace(/\.?$/, '.')}`,
  );
}

/** The first administrator's generated credentials, and the token that opens them. */
export interface DefaultCredentials {
  email: string;
  password: string;
  setupToken: string;
}

/**
 * The generated credentials while they may be offered: for 24 hours after the account was made, as long as the password
 * was never changed and the account was not used from another address. Else undefined.
 *
 * @param now milliseconds since the epoch
 */
export async function findDefaultCredentials(
  { reads }: Pick<Database, 'reads'>,
  secrets: SecretStore,
  { adminEmail }: Pick<IdentityConfig, 'adminEmail'>,
  now: number = Date.now(),
): Promise<DefaultCredentials | undefined> {
  const password = await secrets.get(PASSWORD_SECRET);
  const setupToken = await secrets.get(SETUP_TOKEN_SECRET);
  if (password === undefined || setupToken === undefined) return undefined;
  // Not whoever got the e-mail later: the password is that of the first account.
  const admin = await reads.getRepository(UserEntity).findOne({ where: {}, order: { id: 'ASC' } });
  const isOffered =
    admin?.emailKey === emailKey(adminEmail) &&
    admin.isActive &&
    admin.passwordChangedAt === null &&
    now - admin.createdAt < OFFERED_MS;
  return isOffered ? { email: admin.email, password, setupToken } : undefined;
}

/** Offers the generated credentials no more, for good: the account has been used from another address. */
export async function forgetDefaultCredentials(
  secrets: SecretStore,
  { adminEmail }: Pick<IdentityConfig, 'adminEmail'>,
  { emailKey: used }: Pick<User, 'emailKey'>,
): Promise<void> {
  if (used !== emailKey(adminEmail)) return;
  await secrets.remove(SETUP_TOKEN_SECRET);
  await secrets.remove(PASSWORD_SECRET);
}

/**
 * Warns where passwords are switched off and nobody could sign in while providers are away. The server starts all the same:
 * alerts are to be taken.
 */
export async function warnOfBreakGlass({
  config: { breakGlass },
  database,
  logger,
}: {
  config: IdentityConfig;
  database: Database;
  logger: Logger;
}): Promise<void> {
  if (breakGlass === undefined) return;
  const user = await findUserByEmail(database.reads, breakGlass);
  if (user?.isActive && user.role === 'admin' && !user.isService) return;
  logger.warn(
    `BREAK_GLASS_ADMIN names no active administrator: nobody can sign in here while providers are away. Make one with ${commandLine('user')}.`,
  );
}
