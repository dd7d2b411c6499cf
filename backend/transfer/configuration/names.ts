import { IsNull, type EntityManager } from 'typeorm';
import { UserEntity, emailKey } from '#backend/identity/users/user.ts';
import { SourceEntity, nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { CalendarEntity } from '#backend/outgoing/people/calendar-entity.ts';
import { GroupEntity } from '#backend/outgoing/people/group-entity.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';

/** What is named instead of by an id: members by their email. */
export type NamedKind = 'member' | 'group' | 'calendar' | 'destination' | 'source';

/** What names something that failed itself: its own error would say nothing new. */
export class NamesFailed extends Error {}

/** The names of an installation, as a transaction reads and changes them. */
export interface Names {
  /** The name as it is stored; undefined where there is no such thing. */
  nameOf(kind: NamedKind, id: string): string | undefined;
  /** The stored name of the same thing, else the name as it is written. */
  asStored(kind: NamedKind, name: string): string;
  /**
   * The id of what is named.
   *
   * @param path where the configuration names it
   * @throws {ProblemError} 422 where there is no such thing, or the configuration deletes it
   * @throws {NamesFailed} where the configuration makes it and that failed
   */
  idOf(kind: NamedKind, name: string, path: string): string;
  add(kind: NamedKind, name: string, id: string): void;
  /** It will be deleted: nothing may name it any more. */
  forget(kind: NamedKind, name: string): void;
  fail(kind: NamedKind, name: string): void;
}

const keyOf = (kind: NamedKind, name: string): string =>
  `${kind}:${kind === 'member' ? emailKey(name) : nameKeyOf(name)}`;

/** Reads the names of everything that a configuration names. */
export async function readNames(manager: EntityManager): Promise<Names> {
  const byKey = new Map<string, { id: string; name: string }>();
  const byId = new Map<string, string>();
  const failed = new Set<string>();
  const add = (kind: NamedKind, name: string, id: string): void => {
    byKey.set(keyOf(kind, name), { id, name });
    byId.set(`${kind}:${id}`, name);
  };
  const users = await manager
    .getRepository(UserEntity)
    .find({ select: { id: true, email: true }, where: { isService: false } });
  for (const { id, email } of users) add('member', email, id);
  const select = { id: true, name: true } as const;
  for (const one of await manager.getRepository(SourceEntity).find({ select })) add('source', one.name, one.id);
  for (const one of await manager.getRepository(GroupEntity).find({ select })) add('group', one.name, one.id);
  for (const one of await manager.getRepository(CalendarEntity).find({ select })) add('calendar', one.name, one.id);
  for (const one of await manager.getRepository(DestinationEntity).find({ select, where: { ownerId: IsNull() } }))
    add('destination', one.name, one.id);
  return {
    add,
    nameOf: (kind, id) => byId.get(`${kind}:${id}`),
    asStored: (kind, name) => byKey.get(keyOf(kind, name))?.name ?? name,
    idOf(kind, name, path) {
      const key = keyOf(kind, name);
      const found = byKey.get(key);
      if (found) return found.id;
      if (failed.has(key)) throw new NamesFailed();
      const message =
        kind === 'member'
          ? `There is no member with the email ${name}.`
          : `There is no ${kind} "${name}", or this configuration deletes it.`;
      throw unacceptable(message, [{ path, message }]);
    },
    forget: (kind, name) => void byKey.delete(keyOf(kind, name)),
    fail: (kind, name) => void failed.add(keyOf(kind, name)),
  };
}
