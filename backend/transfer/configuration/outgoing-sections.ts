import { IsNull } from 'typeorm';
import {
  type ConfiguredDestination,
  type ConfiguredGroup,
  type ConfiguredLadder,
  type ConfiguredRecipient,
  type ConfiguredRule,
  secretFieldsOf,
} from '#backend/contract/configuration.ts';
import { type KindField, factsOf } from '#backend/contract/destination-kinds.ts';
import type { Ladder, LadderRecipient } from '#backend/contract/ladder.ts';
import { OUTGOING_EVENTS, newOutgoingRuleSchema } from '#backend/contract/outgoing.ts';
import { isTicketSystem } from '#backend/contract/ticket.ts';
import type { WrittenFields } from '#backend/outgoing/destinations/check-fields.ts';
import {
  changeDestination,
  createDestination,
  deleteDestination,
} from '#backend/outgoing/destinations/destination-commands.ts';
import { DestinationEntity, openSecrets, readSettings } from '#backend/outgoing/destinations/destination-entity.ts';
import { GroupEntity, membersOfGroup } from '#backend/outgoing/people/group-entity.ts';
import { changeGroup, createGroup, deleteGroup } from '#backend/outgoing/rules/group-routes.ts';
import { changeRule, createRule, deleteRule } from '#backend/outgoing/rules/rule-commands.ts';
import {
  OutgoingRuleEntity,
  destinationsOfRule,
  eventsOfRule,
  ladderOfRule,
} from '#backend/outgoing/rules/rule-entity.ts';
import { IN_ENGLISH, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { emailKey } from '#backend/identity/users/user.ts';
import type { Names } from './names.ts';
import { type ConfigurationRun, type Section, pick } from './section.ts';

/** Without what says no more than that it is absent. */
const meaningful = <Entry extends object>(entry: Entry): Entry =>
  Object.fromEntries(
    Object.entries(entry).filter(([, value]: [string, unknown]) => {
      if (value === null || value === undefined || value === '') return false;
      return typeof value !== 'object' || Object.keys(value).length > 0;
    }),
  ) as Entry;

/** Fields of a destination beside its name and whether it is paused. */
const NOT_KIND_FIELDS = new Set(['kind', 'name', 'isPaused', 'customers', 'ticketTemplates', 'completesAlert']);

export const destinationSection: Section<ConfiguredDestination> = {
  noun: 'destination',
  namedAs: 'destination',
  async read(manager) {
    const stored = await manager
      .getRepository(DestinationEntity)
      .find({ where: { ownerId: IsNull() }, order: { nameKey: 'ASC' } });
    return stored.map(({ id, version, name, kind, pausedAt, ...rest }) => {
      const { gatewayId: _, completesAlert, method, ...settings } = readSettings(rest);
      const entry = {
        name,
        kind,
        method,
        ...settings,
        ...(isTicketSystem(kind) && !completesAlert && { completesAlert }),
      };
      return { id, version, entry: { ...meaningful(entry), isPaused: pausedAt !== null } as ConfiguredDestination };
    });
  },
  normalize({ completesAlert, isPaused, ...entry }) {
    const { fields, isAddressSecret = false, usualUrl } = factsOf(entry.kind);
    return {
      ...(fields.url !== undefined && !isAddressSecret && usualUrl !== undefined && { url: usualUrl }),
      ...meaningful(entry),
      ...(completesAlert === false && { completesAlert }),
      isPaused,
    };
  },
  async otherSecrets({ tx, deps }, { id }, entry) {
    const given = secretFieldsOf('destinations', entry.kind).filter((field) => Object.hasOwn(entry, field));
    if (given.length === 0) return [];
    const stored = await tx.getRepository(DestinationEntity).findOneByOrFail({ id });
    const secrets: Record<string, unknown> = { ...openSecrets(deps.sealing, stored) };
    return given.filter((field) => (secrets[field] ?? '') !== entry[field as KindField]);
  },
  async create({ destinationDeps, by }, { isPaused, ...entry }, leaving) {
    const { usualUrl } = factsOf(entry.kind);
    const { id, signingSecret } = await createDestination(
      destinationDeps,
      by,
      { ...(usualUrl !== undefined && { url: usualUrl }), ...entry },
      leaving,
    );
    if (isPaused) await changeDestination(destinationDeps, by, id, { isPaused });
    return { id, ...(signingSecret !== undefined && { secrets: { signingSecret } }) };
  },
  change({ destinationDeps, by }, { id, version, entry: { kind } }, entry, changed) {
    if (changed.has('kind')) {
      const message = 'A destination cannot become one of another kind. Give the new one another name.';
      throw unacceptable(message, [{ path: 'kind', message }]);
    }
    const { fields, usualUrl } = factsOf(kind);
    const written: Record<string, unknown> = {};
    for (const field of changed) {
      if (NOT_KIND_FIELDS.has(field)) continue;
      const value = entry[field as KindField] ?? (field === 'url' ? usualUrl : undefined);
      if (value === undefined && fields[field as KindField] === 'required') {
        const message = `It is required of a destination of this kind.`;
        throw unacceptable(message, [{ path: field, message }]);
      }
      written[field] = value ?? '';
    }
    // With another server's address the token has to come, also where it is the same.
    for (const field of secretFieldsOf('destinations', entry.kind))
      if (entry[field as KindField] !== undefined) written[field] = entry[field as KindField];
    const change = {
      ...pick(entry, ['name', 'isPaused'], changed),
      ...(changed.has('customers') && { customers: entry.customers ?? [] }),
      ...(changed.has('ticketTemplates') && { ticketTemplates: entry.ticketTemplates ?? {} }),
      ...(changed.has('completesAlert') && { completesAlert: entry.completesAlert ?? true }),
      ...(written as WrittenFields),
    };
    return changeDestination(destinationDeps, by, id, change, version);
  },
  remove: ({ destinationDeps, by }, { id }) => deleteDestination(destinationDeps, by, id),
};

const memberIdsOf = ({ names }: ConfigurationRun, { members }: ConfiguredGroup): string[] =>
  members.map((email, index) => names.idOf('member', email, `members.${index}`));

export const groupSection: Section<ConfiguredGroup> = {
  noun: 'group',
  namedAs: 'group',
  async read(manager, names) {
    const groups = await manager.getRepository(GroupEntity).find({ order: { nameKey: 'ASC' } });
    return groups.map((group) => {
      const members = membersOfGroup(group).flatMap((id) => names.nameOf('member', id) ?? []);
      return { id: group.id, version: group.version, entry: { name: group.name, members } };
    });
  },
  normalize: ({ members, ...entry }) => ({ ...entry, members: [...new Set(members.map(emailKey))].toSorted() }),
  check: memberIdsOf,
  create: async (run, entry, leaving) => ({
    id: await createGroup(run.deps.database, run.by, { name: entry.name, memberIds: memberIdsOf(run, entry) }, leaving),
  }),
  change: (run, { id, version }, entry, changed) =>
    changeGroup(
      run.deps.database,
      run.by,
      id,
      { ...pick(entry, ['name'], changed), ...(changed.has('members') && { memberIds: memberIdsOf(run, entry) }) },
      version,
    ),
  remove: ({ deps, by }, { id }) => deleteGroup(deps.database, by, id),
};

/** The recipients of a ladder as a configuration names them; those that are gone are left out. */
const namedLadder = (ladder: Ladder, names: Names): ConfiguredLadder => ({
  ...ladder,
  steps: ladder.steps.map((step) => ({
    ...step,
    recipients: step.recipients.flatMap((one): ConfiguredRecipient[] => {
      if (one.kind === 'online') return ['online'];
      const name = names.nameOf(one.kind, one.id);
      return name === undefined ? [] : [{ [one.kind]: name } as ConfiguredRecipient];
    }),
  })),
});

type NamedRecipient = Exclude<LadderRecipient, { kind: 'online' }>['kind'];
const partsOf = (recipient: Exclude<ConfiguredRecipient, 'online'>) =>
  Object.entries(recipient)[0] as [NamedRecipient, string];

const ladderOf = ({ names }: ConfigurationRun, ladder: ConfiguredLadder | null): Ladder | null =>
  ladder && {
    ...ladder,
    steps: ladder.steps.map((step, at) => ({
      ...step,
      recipients: step.recipients.map((one, index): LadderRecipient => {
        if (one === 'online') return { kind: 'online' };
        const [kind, name] = partsOf(one);
        return { kind, id: names.idOf(kind, name, `ladder.steps.${at}.recipients.${index}`) };
      }),
    })),
  };

/** The rule with ids in the place of names. @throws {ProblemError} 422 for what no rule can be */
function ruleOf(run: ConfigurationRun, { destinations, ladder, name, search, events }: ConfiguredRule) {
  const destinationIds = destinations.map((one, index) => run.names.idOf('destination', one, `destinations.${index}`));
  const parsed = newOutgoingRuleSchema.safeParse(
    { name, search, events, destinationIds, ladder: ladderOf(run, ladder) },
    IN_ENGLISH,
  );
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  throw unacceptable(errors.map(({ message }) => message).join(' '), errors);
}

export const ruleSection: Section<ConfiguredRule> = {
  noun: 'outgoing rule',
  async read(manager, names) {
    const rules = await manager.getRepository(OutgoingRuleEntity).find({ order: { nameKey: 'ASC' } });
    return rules.map((rule) => {
      const ladder = ladderOfRule(rule);
      const destinations = destinationsOfRule(rule).flatMap((id) => names.nameOf('destination', id) ?? []);
      const { id, version, name, search } = rule;
      const events = eventsOfRule(rule);
      // One that was emptied by an earlier release may still say that it is on: it does nothing, and none can be made like it.
      const isOn = rule.isOn && (destinations.length > 0 || ladder !== null);
      return {
        id,
        version,
        entry: { name, search, events, destinations, ladder: ladder && namedLadder(ladder, names), isOn },
      };
    });
  },
  normalize: ({ events, destinations, ladder, ...entry }, names) => ({
    ...entry,
    events: OUTGOING_EVENTS.filter((event) => events.includes(event)),
    destinations: [...new Set(destinations.map((name) => names.asStored('destination', name)))].toSorted(),
    ladder: ladder && {
      ...ladder,
      steps: ladder.steps.map((step) => ({
        ...step,
        recipients: step.recipients.map((one): ConfiguredRecipient => {
          if (one === 'online') return one;
          const [kind, name] = partsOf(one);
          return { [kind]: names.asStored(kind, name) } as ConfiguredRecipient;
        }),
      })),
    },
  }),
  check: ruleOf,
  create: async (run, entry) => ({ id: await createRule(run.deps, run.by, ruleOf(run, entry), entry.isOn) }),
  change(run, { id, version }, entry, changed) {
    const { name, search, events, destinationIds, ladder = null } = ruleOf(run, entry);
    const rule = { name, search, events, ladder, isOn: entry.isOn };
    const change = {
      ...pick(rule, ['name', 'search', 'events', 'ladder', 'isOn'], changed),
      ...(changed.has('destinations') && { destinationIds }),
    };
    return changeRule(run.deps, run.by, id, change, version);
  },
  remove: ({ deps, by }, { id }) => deleteRule(deps, by, id),
};
