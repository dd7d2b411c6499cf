import { setImmediate as nextTurn } from 'node:timers/promises';
import { type EntityManager, In, IsNull } from 'typeorm';
import { type User, UserEntity } from '#backend/identity/users/user.ts';
import type { SessionRules } from '#backend/identity/sessions/session-rules.ts';
import { DestinationEntity, type StoredDestination } from '#backend/outgoing/destinations/destination-entity.ts';
import { findGatewayFaults } from '#backend/outgoing/destinations/open-target.ts';
import { type Decision, type JudgeDeps, readDecisions } from '#backend/outgoing/notifications/judged-alerts.ts';
import { findReached } from '#backend/outgoing/push/push-sessions.ts';

/** People who are read together. Before the next of them others have their turn: SQLite answers without giving way. */
const PEOPLE_AT_ONCE = 50;

export type Member = Pick<User, 'id' | 'displayName' | 'email' | 'role' | 'isActive'>;

/** What is known of a member. */
export interface Known {
  decided: Decision;
  hasPush: boolean;
  /** Those that are confirmed and lead somewhere. */
  channels: OwnChannel[];
}

type OwnChannel = Pick<StoredDestination, 'id' | 'kind' | 'name'>;

/** People as they are read once, in few statements however many they are: for one call, or for all steps of one look. */
export interface KnownPeople {
  /** Those of these members that are there and are no services, each once. */
  find(ids: readonly string[]): Promise<Member[]>;
  /** By what each of them is notified, and what they have decided about it. @param at in milliseconds since the epoch */
  learn(members: readonly Member[], at: number): Promise<ReadonlyMap<string, Known>>;
}

export function createKnownPeople(deps: JudgeDeps & { config: SessionRules }): KnownPeople {
  const { reads } = deps.database;
  const members = rememberAll<string, Member>(String, async (ids) => {
    const found = await reads.getRepository(UserEntity).find({
      select: { id: true, displayName: true, email: true, role: true, isActive: true },
      where: { id: In(ids), isService: false },
    });
    return new Map(found.map((member) => [member.id, member]));
  });
  const known = rememberAll<{ member: Member; at: number }, Known>(
    ({ member }) => member.id,
    async (some) => {
      const asked = some.map(({ member }) => member);
      const ids = asked.map(({ id }) => id);
      const decided = await readDecisions(deps, asked, some[0]?.at ?? 0);
      const reached = await findReached(reads, ids, deps.config, Date.now());
      const channels = Map.groupBy(await findChannels(reads, ids), ({ ownerId }) => ownerId);
      return new Map(
        ids.flatMap((id) => {
          const decision = decided.get(id);
          return decision
            ? [[id, { decided: decision, hasPush: reached.has(id), channels: channels.get(id) ?? [] }] as const]
            : [];
        }),
      );
    },
  );
  return {
    find: async (ids) => [...(await members([...new Set(ids)])).values()],
    learn: (asked, at) => known(asked.map((member) => ({ member, at }))),
  };
}

/** Members' own channels that are confirmed. A phone whose gateway is paused or gone leads nowhere. */
async function findChannels(
  reads: EntityManager,
  ownerIds: readonly string[],
): Promise<(OwnChannel & { ownerId: string | null })[]> {
  const found = await reads.getRepository(DestinationEntity).find({
    select: { id: true, kind: true, name: true, settings: true, ownerId: true },
    where: { ownerId: In(ownerIds), pausedAt: IsNull() },
    order: { id: 'ASC' },
  });
  const faults = await findGatewayFaults(reads, found);
  return found.filter(({ id }) => !faults.has(id));
}

/**
 * Reads things once, also where several ask at the same time. What could not be read is read again by the next who asks.
 *
 * @param idOf by what a thing is known
 * @param load reads some of them; what is not there is not in its answer
 */
function rememberAll<Asked, Value>(
  idOf: (asked: Asked) => string,
  load: (some: Asked[]) => Promise<ReadonlyMap<string, Value>>,
): (asked: readonly Asked[]) => Promise<Map<string, Value>> {
  const known = new Map<string, Promise<Value | undefined>>();
  const begin = (some: Asked[], before: Promise<unknown>): Promise<unknown> => {
    const loaded = before.then(() => load(some));
    for (const id of some.map(idOf)) {
      known.set(
        id,
        loaded.then((values) => values.get(id)),
      );
    }
    loaded.catch(() => {
      for (const id of some.map(idOf)) known.delete(id);
    });
    return loaded.then(() => nextTurn());
  };
  return async (asked) => {
    const missing = asked.filter((one) => !known.has(idOf(one)));
    let turn: Promise<unknown> = Promise.resolve();
    for (let at = 0; at < missing.length; at += PEOPLE_AT_ONCE) {
      turn = begin(missing.slice(at, at + PEOPLE_AT_ONCE), turn);
    }
    turn.catch(() => undefined);
    const values = await Promise.all(asked.map(async (one) => [idOf(one), await known.get(idOf(one))] as const));
    return new Map(values.flatMap(([id, value]) => (value === undefined ? [] : [[id, value] as const])));
  };
}
