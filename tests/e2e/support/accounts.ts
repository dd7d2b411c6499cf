import { STORED } from '#backend/server/entities.ts';
import { In } from 'typeorm';
import { uuidv7 } from 'uuidv7';
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import { emailKey, findUserByEmail } from '#backend/identity/users/user.ts';
import { readConfig } from '#backend/server/config.ts';
import { CSRF_COOKIE } from '#backend/contract/csrf.ts';
import type { Role } from '#backend/contract/session.ts';
import { openDatabase } from '#backend/platform/database/open-database.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { createFileSecretStore } from '#backend/platform/secrets/secret-store.ts';
import { writeRule } from '#backend/identity/factors/second-steps.ts';
import { sessionCookieName } from '#backend/identity/sessions/session-cookies.ts';
import { SessionEntity, createSessionStore } from '#backend/identity/sessions/session-store.ts';
import { csrfTokenOf } from '#backend/identity/users/session-tokens.ts';

/** Somebody who can sign in. */
export interface Person {
  email: string;
  password: string;
  displayName: string;
}

/**
 * Sessions of one person that are begun here and stay, so many at most: tests of many files share a server, and beyond
 * `MAX_SESSIONS` a sign-in would end the one that a test's own client has.
 */
const KEPT_SESSIONS = 50;

/** bcrypt's lowest work factor, for members whom tests make. */
const PASSWORD_COST = 4;

/** The accounts of a running server, written behind its back. */
export interface Accounts {
  add(displayName: string, role: Role): Promise<Person>;
  /**
   * Starts a session and returns its cookies. Without the sign-in form and its password, whose check costs a quarter of
   * a second: sign-in.spec.ts looks at these, every other test only needs somebody to be there.
   */
  startSession(person: Pick<Person, 'email'>): Promise<ReadonlyMap<string, string>>;
  /** Has nobody with this e-mail have proved lately who they are. */
  forgetProofs(email: string): Promise<void>;
  /** Has nobody have to have a second step. */
  requireNothing(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the embedded database in `dataDir` beside the server that it belongs to. */
export async function openAccounts(dataDir: string): Promise<Accounts> {
  const database = await openDatabase({ dataDir, databaseUrl: undefined }, STORED);
  const sessions = createSessionStore(database, createLogger('silent'), readConfig({}));
  const secret = await createFileSecretStore(dataDir).get('SESSION_SECRET');
  if (secret === undefined) throw new Error('The server has made no secret for its sessions.');
  /** By e-mail, oldest first. */
  const begun = new Map<string, string[]>();
  return {
    async add(displayName, role) {
      const person = { email: `${uuidv7()}@example.org`, password: 'only for tests', displayName };
      await database.transaction(async (tx) =>
        tx.getRepository(UserEntity).insert({
          id: uuidv7(),
          email: person.email,
          emailKey: emailKey(person.email),
          displayName,
          role,
          isActive: true,
          passwordHash: await createPasswords(PASSWORD_COST).hash(person.password),
          passwordChangedAt: null,
          timeFormat: null,
          timeZone: null,
          createdAt: Date.now(),
        }),
      );
      return person;
    },
    async startSession({ email }) {
      const user = await findUserByEmail(database.reads, email);
      const ids = begun.get(email) ?? [];
      const surplus = ids.splice(0, ids.length - KEPT_SESSIONS + 1);
      if (surplus.length > 0)
        await database.transaction((tx) => tx.getRepository(SessionEntity).delete({ id: In(surplus) }));
      const session = user && (await sessions.create(user, { ip: '127.0.0.1', userAgent: '' }));
      if (!session) throw new Error(`${email} cannot sign in.`);
      begun.set(email, [...ids, session.id]);
      return new Map([
        [sessionCookieName(false), session.token],
        [CSRF_COOKIE, csrfTokenOf(secret, session.id)],
      ]);
    },
    requireNothing: () => database.transaction((tx) => writeRule(tx, { requiredFor: 'nobody' })),
    async forgetProofs(email) {
      const user = await findUserByEmail(database.reads, email);
      await database.transaction((tx) =>
        tx.getRepository(SessionEntity).update({ userId: user?.id ?? '' }, { provedAt: 0 }),
      );
    },
    close: () => database.close(),
  };
}
