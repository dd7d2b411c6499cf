import { In } from 'typeorm';
import { versionQuerySchema } from '#backend/contract/alert-change.ts';
import {
  type Group,
  type GroupChange,
  MAX_GROUPS,
  type NewGroup,
  groupChangeSchema,
  groupListSchema,
  groupSchema,
  newGroupSchema,
} from '#backend/contract/ladder.ts';
import { byName } from '#backend/contract/name.ts';
import { outgoingIdParamsSchema } from '#backend/contract/outgoing.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { type User, UserEntity, lockActiveAdmins } from '#backend/identity/users/user.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { type OutgoingAdministrator, storing } from '#backend/outgoing/destinations/destination-commands.ts';
import { GroupEntity, type StoredGroup, membersOfGroup } from '#backend/outgoing/people/group-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changedMeanwhile, conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { requireUnused, rulesNotifying } from './ladder-use.ts';
import { OutgoingRuleEntity, type StoredOutgoingRule } from './rule-entity.ts';
import { administratorOf } from './rule-routes.ts';

const noSuchGroup = () => notFound('There is no group with this id.');
const nameTaken = () => conflict('Another group has this name. Choose another one.');

type Member = Pick<User, 'id' | 'displayName' | 'isActive'>;

/** A group as administrators read it. */
function presentGroup(group: StoredGroup, members: readonly Member[], rules: readonly StoredOutgoingRule[]): Group {
  const ids = membersOfGroup(group);
  return {
    id: group.id,
    name: group.name,
    version: group.version,
    members: members
      .filter(({ id }) => ids.includes(id))
      .map(({ id, displayName, isActive }) => ({ id, displayName, isActive }))
      .toSorted((one, other) => byName(one.displayName, other.displayName)),
    usedBy: rulesNotifying(rules, 'group', group.id),
    changedBy: group.changedBy,
    changedAt: new Date(group.changedAt).toISOString(),
  };
}

/** Groups of members that ladders notify: for administrators. */
export function groupRoutes({ database }: { database: Database }): Endpoint[] {
  const list = async (id?: string): Promise<Group[]> => {
    const { reads } = database;
    const groups = await reads.getRepository(GroupEntity).findBy(id === undefined ? {} : { id });
    const members = await reads
      .getRepository(UserEntity)
      .find({ select: { id: true, displayName: true, isActive: true }, where: { isService: false } });
    const rules = await reads.getRepository(OutgoingRuleEntity).find();
    return groups
      .toSorted((one, other) => byName(one.name, other.name))
      .map((group) => presentGroup(group, members, rules));
  };
  const find = async (id: string): Promise<Group> => {
    const [group] = await list(id);
    if (!group) throw noSuchGroup();
    return group;
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/outgoing/groups',
      tag: 'outgoing',
      summary: 'Lists the groups of members that ladders notify, by name.',
      access: ['admin'],
      responses: { 200: groupListSchema },
      handle: async () => ok(await list()),
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/groups',
      tag: 'outgoing',
      summary: 'Makes a group of members.',
      access: ['admin'],
      body: newGroupSchema,
      errors: [409],
      responses: { 201: groupSchema },
      handle: async ({ actor, ip, body }) =>
        created(await find(await createGroup(database, administratorOf(actor, ip), body))),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/outgoing/groups/:id',
      tag: 'outgoing',
      summary:
        'Renames a group or changes who is in it; absent fields stay. Ladders that run notify who is in it by then.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      query: versionQuerySchema,
      body: groupChangeSchema,
      errors: [409],
      responses: { 200: groupSchema },
      handle: async ({ actor, ip, params, query, body }) => {
        const isDone = await changeGroup(database, administratorOf(actor, ip), params.id, body, query.ifVersion);
        const group = await find(params.id);
        if (!isDone) throw changedMeanwhile('group', jsonText(JSON.stringify(group)));
        return ok(group);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/outgoing/groups/:id',
      tag: 'outgoing',
      summary: 'Deletes a group that no ladder notifies.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      errors: [409],
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await deleteGroup(database, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}

/**
 * @param leaving how many of them the same transaction deletes after this
 * @throws {ProblemError} 409 when another group has this name or there are too many, 422 for a member who is not there
 */
export async function createGroup(
  database: Database,
  { author, displayName }: OutgoingAdministrator,
  { name, memberIds }: NewGroup,
  leaving = 0,
): Promise<string> {
  const id = newId();
  await storing(database, nameTaken, () =>
    onBehalfOf(database, author).transaction(async (tx) => {
      // One administrator after the other, so that there are never too many.
      await lockActiveAdmins(tx);
      if ((await tx.getRepository(GroupEntity).count()) - leaving >= MAX_GROUPS)
        throw conflict(`There are ${MAX_GROUPS} groups already. Delete one first.`);
      const now = Date.now();
      const ids = await existing(tx, memberIds);
      await tx.getRepository(GroupEntity).insert({
        id,
        name,
        nameKey: nameKeyOf(name),
        memberIds: JSON.stringify(ids),
        changedBy: displayName,
        changedAt: now,
        createdAt: now,
        version: 1,
      });
      announce(tx, { type: 'outgoing_changed' });
      await addAudit(tx, author, 'group_created', name, { detail: membersText(ids) });
    }),
  );
  return id;
}

/**
 * @param ifVersion the version that the change was decided on
 * @returns false when it has another version by now: then nothing is changed
 * @throws {ProblemError} 404, 409, 422
 */
export function changeGroup(
  database: Database,
  by: OutgoingAdministrator,
  id: string,
  { name, memberIds }: GroupChange,
  ifVersion: number | undefined,
): Promise<boolean> {
  return storing(database, nameTaken, () =>
    inGroup(database, by, id, async (tx, before) => {
      if (ifVersion !== undefined && ifVersion !== before.version) return false;
      const ids = memberIds && (await existing(tx, memberIds));
      await tx.getRepository(GroupEntity).update(
        { id },
        {
          ...(name !== undefined && { name, nameKey: nameKeyOf(name) }),
          ...(ids && { memberIds: JSON.stringify(ids) }),
          changedBy: by.displayName,
          changedAt: Date.now(),
          version: before.version + 1,
        },
      );
      const isRenamed = name !== undefined && name !== before.name;
      await addAudit(tx, by.author, 'group_changed', isRenamed ? `${before.name} → ${name}` : before.name, {
        detail: ids && membersText(ids),
      });
      return true;
    }),
  );
}

/** @throws {ProblemError} 404, 409 while a ladder notifies it */
export const deleteGroup = (database: Database, by: OutgoingAdministrator, id: string): Promise<void> =>
  inGroup(database, by, id, async (tx, { name }) => {
    await requireUnused(tx, 'group', id);
    await tx.getRepository(GroupEntity).delete({ id });
    await addAudit(tx, by.author, 'group_deleted', name);
  });

const membersText = (ids: readonly string[]): string => `${ids.length} ${ids.length === 1 ? 'member' : 'members'}`;

/** @throws {ProblemError} 422 when one of the members is not there */
async function existing(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const wanted = [...new Set(ids)];
  const found =
    wanted.length === 0 ? 0 : await tx.getRepository(UserEntity).countBy({ id: In(wanted), isService: false });
  if (found === wanted.length) return wanted;
  const message = 'One of the members is not there.';
  throw unacceptable(message, [{ path: 'memberIds', message }]);
}

function inGroup<T>(
  database: Database,
  { author }: OutgoingAdministrator,
  id: string,
  work: (tx: Transaction, group: StoredGroup) => Promise<T>,
): Promise<T> {
  return onBehalfOf(database, author).transaction(async (tx) => {
    const [group] = await tx.lockRows(GroupEntity, { id });
    if (!group) throw noSuchGroup();
    announce(tx, { type: 'outgoing_changed' });
    return work(tx, group);
  });
}
