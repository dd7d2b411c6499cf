import { uuidv7 } from 'uuidv7';
import type { Config } from '#backend/config.ts';
import type { Database } from '#backend/database/database.ts';
import type { SecretStore } from '#backend/secrets/secret-store.ts';
import { generatePassword } from './generate-password.ts';
import type { Passwords } from './passwords.ts';
import { UserEntity } from './user-entity.ts';
import { emailKey, findUserByEmail } from './user-store.ts';

/** Under this name the generated password is kept until it is changed, for the sign-in page's panel. */
const SECRET_NAME = 'INITIAL_ADMIN_PASSWORD';

/** The first administrator's credentials, told once on the terminal. */
export interface FirstAdmin {
  email: string;
  /** Undefined when the password came from ADMIN_PASSWORD: whoever set it knows it. */
  generatedPassword: string | undefined;
}

/**
 * Creates the first administrator when there is no user at all (contract.md section 1, ADMIN_EMAIL).
 *
 * @returns who was created, or undefined when somebody exists already.
 */
export async function ensureFirstAdmin(
  { database, secrets, passwords }: { database: Database; secrets: SecretStore; passwords: Passwords },
  { adminEmail, adminPassword }: Pick<Config, 'adminEmail' | 'adminPassword'>,
): Promise<FirstAdmin | undefined> {
  if ((await database.reads.getRepository(UserEntity).count()) > 0) return undefined;
  // Kept before the account exists: a crash in between must not leave an account whose password nobody knows.
  const generatedPassword = adminPassword ? undefined : await secrets.getOrCreate(SECRET_NAME, generatePassword);
  const passwordHash = await passwords.hash(generatedPassword ?? adminPassword ?? '');
  try {
    await database.transaction((tx) =>
      tx.getRepository(UserEntity).insert({
        id: uuidv7(),
        email: adminEmail,
        emailKey: emailKey(adminEmail),
        displayName: 'Administrator',
        role: 'admin',
        isActive: true,
        passwordHash,
        passwordChangedAt: null,
        createdAt: Date.now(),
      }),
    );
  } catch (error) {
    // Another server on the same database was quicker.
    if (database.dialect.isDuplicate(error)) return undefined;
    throw error;
  }
  return { email: adminEmail, generatedPassword };
}

/** The generated credentials, as long as that password has never been changed; else undefined. */
export async function findDefaultCredentials(
  database: Database,
  secrets: SecretStore,
  { adminEmail }: Pick<Config, 'adminEmail'>,
): Promise<{ email: string; password: string } | undefined> {
  const password = await secrets.get(SECRET_NAME);
  if (password === undefined) return undefined;
  const admin = await findUserByEmail(database.reads, adminEmail);
  return admin?.isActive && admin.passwordChangedAt === null ? { email: admin.email, password } : undefined;
}
