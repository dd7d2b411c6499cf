import { setImmediate } from 'node:timers/promises';
import {
  type Configuration,
  type ConfigurationChange,
  type ConfigurationResult,
  MAX_CONFIGURED,
  SECTION_NAMES,
  type SectionName,
} from '#backend/contract/configuration.ts';
import { lockActiveAdmins } from '#backend/identity/users/user.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { readNames } from './names.ts';
import {
  type AnyEntry,
  PLACE,
  type PlannedStep,
  type WantedEntry,
  faultsOfNames,
  movedSteps,
  placesOf,
  planSection,
  shownStep,
} from './plan.ts';
import type { ConfigurationDeps, ConfigurationRun, Present } from './section.ts';
import { sectionOf } from './sections.ts';
import { allOf, arrangeAll, changedMeanwhile, checkAll, takeSteps } from './take-steps.ts';

/** Who runs a configuration. */
export type ConfigurationAuthor = Pick<ConfigurationRun, 'by' | 'viewAuthor'>;

/** Has a transaction rolled back that was tried. */
class Tried extends Error {
  readonly result: ConfigurationResult;
  constructor(result: ConfigurationResult) {
    super('This is rolled back.');
    this.result = result;
  }
}

/** Dependencies whose commands run in one transaction, and what has to follow its commit. */
function within(deps: ConfigurationDeps, tx: Transaction) {
  const sourceIds = new Set<string>();
  const database: Database = { ...deps.database, transaction: (work) => work(tx) };
  const joined: ConfigurationDeps = {
    ...deps,
    database,
    sources: { ...deps.sources, reload: async (id) => void sourceIds.add(id) },
    windows: { refresh: async () => undefined },
    rules: { refresh: async () => undefined },
  };
  return { joined, sourceIds };
}

/** Memory of this server follows; the others follow the events of the transaction. */
async function follow({ sources, windows, rules }: ConfigurationDeps, sourceIds: ReadonlySet<string>): Promise<void> {
  // What cannot be read now is read again until it is: it is stored.
  await Promise.allSettled([...sourceIds].map((id) => sources.reload(id)));
  await windows.refresh();
  await rules.refresh();
}

/** Everything that a configuration could have, without secrets. */
export async function readConfiguration({ database }: Pick<ConfigurationDeps, 'database'>): Promise<Configuration> {
  const names = await readNames(database.reads);
  const sections: Partial<Record<SectionName, AnyEntry[]>> = {};
  for (const name of SECTION_NAMES) {
    const { read, normalize } = sectionOf(name);
    const present = await read(database.reads, names);
    sections[name] = present.map(({ entry }) => normalize?.(entry, names) ?? entry);
  }
  return sections as unknown as Configuration;
}

/**
 * Says what a configuration would change. It is done and rolled back, so that whatever is wrong with it is found by the commands
 * that would find it.
 *
 * @throws {ProblemError} 422 with everything that is wrong, each with its path; 409 where somebody changes the same meanwhile
 */
export async function planConfiguration(
  deps: ConfigurationDeps,
  author: ConfigurationAuthor,
  configuration: Configuration,
): Promise<ConfigurationResult> {
  try {
    return await onBehalfOf(deps.database, author.by.author).transaction(async (tx) => {
      throw new Tried(await change(within(deps, tx).joined, tx, author, configuration));
    });
  } catch (error) {
    if (error instanceof Tried) return error.result;
    throw error;
  }
}

/**
 * Makes everything that a configuration names as it says, in one transaction: whole, or not at all.
 *
 * @throws {ProblemError} 409 where the plan is another one than was decided on, 422 as {@link planConfiguration}
 */
export async function applyConfiguration(
  deps: ConfigurationDeps,
  author: ConfigurationAuthor,
  { configuration, expected }: ConfigurationChange,
): Promise<ConfigurationResult> {
  const { result, sourceIds } = await onBehalfOf(deps.database, author.by.author).transaction(async (tx) => {
    const run = within(deps, tx);
    return { result: await change(run.joined, tx, author, configuration, expected), sourceIds: run.sourceIds };
  });
  await follow(deps, sourceIds);
  return result;
}

async function change(
  deps: ConfigurationDeps,
  tx: Transaction,
  { by, viewAuthor }: ConfigurationAuthor,
  configuration: Configuration,
  expected?: ConfigurationChange['expected'],
): Promise<ConfigurationResult> {
  // One run after the other, and nobody makes anything meanwhile that there may be a limited number of.
  await lockActiveAdmins(tx);
  const names = await readNames(tx);
  const destinationDeps = { ...deps.destinations, database: deps.database };
  const run: ConfigurationRun = { tx, deps, destinationDeps, by, viewAuthor, names };
  const { steps, same, over } = await planAll(run, configuration);
  if (expected) {
    const moved = movedSteps(expected, steps, over);
    if (moved.length > 0) throw changedMeanwhile(moved);
  }
  const secrets = await takeSteps(run, steps);
  checkAll(run, configuration);
  await arrangeAll(run, configuration);
  return { changes: steps.map(shownStep), same, secrets };
}

const namesIn = (entries: readonly AnyEntry[]): string[] => entries.map(({ name }) => name);

/** @throws {ProblemError} 422 for names that are there twice, and too many changes */
async function planAll(
  run: ConfigurationRun,
  configuration: Configuration,
): Promise<{
  steps: PlannedStep[];
  same: ConfigurationResult['same'];
  over: { section: SectionName; name: string }[];
}> {
  const named = SECTION_NAMES.filter((name) => configuration[name] !== undefined);
  const entriesOf = (name: SectionName) => (configuration[name] ?? []) as unknown as AnyEntry[];
  const faults = named.flatMap((name) => faultsOfNames(name, entriesOf(name)));
  if (faults.length > 0) throw allOf(faults);
  const now = Date.now();
  const steps: PlannedStep[] = [];
  const same: ConfigurationResult['same'] = {};
  const over: { section: SectionName; name: string }[] = [];
  for (const name of named) {
    const section = sectionOf(name);
    const present = await section.read(run.tx, run.names);
    const wanted = entriesOf(name);
    const places = section.arrange && placesOf(namesIn(present.map(({ entry }) => entry)), namesIn(wanted));
    const normal = (entry: AnyEntry, follows: ReadonlyMap<string, string> | undefined): AnyEntry => ({
      ...(section.normalize?.(entry, run.names) ?? entry),
      ...(follows && { [PLACE]: follows.get(nameKeyOf(entry.name)) }),
    });
    const planned = await planSection({
      section: name,
      wanted: wanted.map((entry, index): WantedEntry => ({ index, entry, normal: normal(entry, places?.after) })),
      present: present.map(({ id, version, entry }): Present<AnyEntry> => ({
        id,
        version,
        entry: normal(entry, places?.before),
      })),
      otherSecrets: async (one, entry) => (await section.otherSecrets?.(run, one, entry)) ?? [],
      isOver: (entry) => section.isOver?.(entry, now) ?? false,
      keepsWhenAbsent: section.keepsWhenAbsent ?? [],
    });
    steps.push(...planned.steps);
    over.push(...planned.over.map((entry) => ({ section: name, name: entry })));
    same[name] = planned.same;
    await setImmediate();
  }
  if (steps.length > MAX_CONFIGURED) {
    throw unacceptable(
      `This makes ${steps.length.toLocaleString('en')} changes. One run makes ${MAX_CONFIGURED.toLocaleString('en')} at most: begin with a part of it.`,
    );
  }
  for (const { section, action, name } of steps) {
    const { namedAs } = sectionOf(section);
    if (action === 'delete' && namedAs) run.names.forget(namedAs, name);
  }
  return { steps, same, over };
}
