import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { UserEntity } from '#backend/identity/users/user.ts';
import { NotificationSettingsEntity } from '#backend/outgoing/notifications/notification-settings.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';
import { createKnownPeople } from './known-people.ts';
import { type ResolveDeps, createResolver } from './resolve-recipients.ts';

const PEOPLE = 500;

const on = useOutgoingServer();
let everybody: Set<string>;
beforeAll(async () => {
  const { database } = on.server;
  const [made] = await database.reads.getRepository(UserEntity).find({ take: 1 });
  const users = Array.from({ length: PEOPLE }, (_, at) => {
    const id = newId();
    const email = `${id}@example.com`;
    return { ...must(made), id, email, emailKey: email, displayName: `Member ${at}`, isActive: true, isService: false };
  });
  await database.transaction(async (tx) => {
    for (let at = 0; at < PEOPLE; at += 50) await tx.getRepository(UserEntity).insert(users.slice(at, at + 50));
  });
  everybody = new Set(users.map(({ id }) => id));
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is nobody.');
  return value;
}

const ONLINE = [{ kind: 'online' as const }];
const ASKED = { alert: undefined, isUrgent: false, isUnreadFault: true };

/** What resolving recipients takes, with everybody online, and how often settings of people are asked for. */
function depsOf(): { deps: ResolveDeps; statements: () => number } {
  const { config, database } = on.server;
  let statements = 0;
  const getRepository: typeof database.reads.getRepository = (entity) => {
    if ((entity as unknown) === NotificationSettingsEntity) statements += 1;
    return database.reads.getRepository(entity);
  };
  const reads = Object.assign(Object.create(database.reads) as typeof database.reads, { getRepository });
  const deps: ResolveDeps = {
    database: { ...database, reads },
    logger: createLogger('silent'),
    config,
    onlineMembers: () => everybody,
    whoIsOn: async () => undefined,
  };
  return { deps, statements: () => statements };
}

test('a step for hundreds of people reads what they have decided together, and others have their turn meanwhile', async () => {
  const { deps, statements } = depsOf();
  let turns = 0;
  const done = new AbortController();
  const others = (async () => {
    for (; !done.signal.aborted; turns += 1) await nextTurn();
  })();
  const { people } = await createResolver(deps, ASKED).resolve(ONLINE, Date.now());
  done.abort();
  await others;
  expect(people.map(({ displayName }) => displayName)).toEqual(
    expect.arrayContaining(['Member 0', `Member ${PEOPLE - 1}`]),
  );
  expect([people.length, statements() <= 10, turns >= 4]).toEqual([PEOPLE, true, true]);
});

test('what is known of people is read once for several steps of one moment', async () => {
  const { deps, statements } = depsOf();
  const shared = { ...deps, people: createKnownPeople(deps) };
  const resolved = await Promise.all(
    Array.from({ length: 5 }, () => createResolver(shared, ASKED).resolve(ONLINE, Date.now())),
  );
  expect(resolved.map(({ people }) => people.length)).toEqual(Array.from({ length: 5 }, () => PEOPLE));
  expect(statements()).toBeLessThanOrEqual(10);
});
