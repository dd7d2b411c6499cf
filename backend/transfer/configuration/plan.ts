import { setImmediate } from 'node:timers/promises';
import {
  type FieldChange,
  type PlannedChange,
  type SectionName,
  secretFieldsOf,
} from '#backend/contract/configuration.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import type { InputError } from '#backend/platform/endpoint/errors.ts';
import { changedNames, differencesOf } from './differences.ts';
import type { Present } from './section.ts';

/** An entry of any section. */
export type AnyEntry = Readonly<Record<string, unknown>> & { name: string };

/** An entry as it is written, and as it is compared. */
export interface WantedEntry {
  /** Its place in its section. */
  index: number;
  entry: AnyEntry;
  normal: AnyEntry;
}

/** One step of a plan, with what it takes to make it. */
export type PlannedStep = PlannedChange & {
  /** Where the configuration has it; undefined of what it deletes. */
  index?: number;
  wanted?: AnyEntry;
  present?: Present<AnyEntry>;
  changed: ReadonlySet<string>;
};

/** A section to be planned. */
export interface SectionState {
  section: SectionName;
  wanted: readonly WantedEntry[];
  /** What there is, as it is compared. */
  present: readonly Present<AnyEntry>[];
  /** Which secrets that are given are not the stored ones. */
  otherSecrets: (present: Present<AnyEntry>, entry: AnyEntry) => Promise<string[]>;
  /** Whether there is nothing to make of an entry any more: whatever there is stays. */
  isOver: (entry: AnyEntry) => boolean;
  /** Fields that keep their value where an entry leaves them out. */
  keepsWhenAbsent?: readonly string[];
}

/** Entries that are compared before other requests go on. */
const TOGETHER = 50;

/** The field of an entry that says which one it follows, where the order of entries says something. */
export const PLACE = 'after';

/** The names that are among others, each with the one before it. */
function follow(names: readonly string[], others: ReadonlySet<string>): Map<string, string> {
  const staying = names.map(nameKeyOf).filter((key) => others.has(key));
  return new Map(staying.slice(1).map((key, at) => [key, staying[at] ?? '']));
}

/**
 * Which entry each follows, of those that were there and stay: what is made or deleted in between moves nothing else. The first
 * one follows none.
 *
 * @returns the names that entries follow, by their keys: as they are, and as they are to be
 */
export function placesOf(
  present: readonly string[],
  wanted: readonly string[],
): { before: ReadonlyMap<string, string>; after: ReadonlyMap<string, string> } {
  const [old, current] = [new Set(present.map(nameKeyOf)), new Set(wanted.map(nameKeyOf))];
  return { before: follow(present, current), after: follow(wanted, old) };
}

/** How a secret is shown. */
const SECRET = '(secret)';
const OTHER_SECRET = '(another secret)';

const withoutSecrets = (section: SectionName, entry: AnyEntry): AnyEntry => {
  const secrets = secretFieldsOf(section, entry['kind']);
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !secrets.includes(name))) as AnyEntry;
};

const secretsIn = (section: SectionName, entry: AnyEntry): FieldChange[] =>
  secretFieldsOf(section, entry['kind'])
    .filter((name) => entry[name] !== undefined)
    .map((path) => ({ path, after: SECRET }));

/** The entry with the fields that it leaves out and that keep their value. */
const withKept = (entry: AnyEntry, present: AnyEntry, names: readonly string[]): AnyEntry => ({
  ...entry,
  ...Object.fromEntries(names.filter((name) => entry[name] === undefined).map((name) => [name, present[name]])),
});

/** Entries of a section whose names another one has, each with its error. */
export function faultsOfNames(section: SectionName, entries: readonly AnyEntry[]): InputError[] {
  const known = new Set<string>();
  return entries.flatMap(({ name }, index) => {
    const key = nameKeyOf(name);
    if (!known.has(key)) {
      known.add(key);
      return [];
    }
    return [{ path: `${section}.${index}.name`, message: `"${name}" is in this section already.` }];
  });
}

/**
 * What makes a section as it is wanted. Entries are known by their names, whatever their case.
 *
 * @returns the steps in the order of the configuration, deletions last, how many entries stay as they are, and the names of those
 *   of them that are over
 */
export async function planSection({
  section,
  wanted,
  present,
  otherSecrets,
  isOver,
  keepsWhenAbsent = [],
}: SectionState): Promise<{ steps: PlannedStep[]; same: number; over: string[] }> {
  const byKey = new Map(present.map((one) => [nameKeyOf(one.entry.name), one]));
  const steps: PlannedStep[] = [];
  const over: string[] = [];
  let same = 0;
  for (const { index, entry, normal } of wanted) {
    if (index % TOGETHER === TOGETHER - 1) await setImmediate();
    const { name } = entry;
    const key = nameKeyOf(name);
    const existing = byKey.get(key);
    byKey.delete(key);
    if (isOver(normal)) {
      over.push(name);
      same += 1;
      continue;
    }
    const own = withoutSecrets(section, normal);
    if (!existing) {
      const fields = [...differencesOf({ name }, own), ...secretsIn(section, entry)];
      steps.push({ section, name, action: 'create', fields, index, wanted: entry, changed: new Set() });
      continue;
    }
    const after = withKept(own, existing.entry, keepsWhenAbsent);
    const secrets = await otherSecrets(existing, entry);
    const fields = [
      ...differencesOf(existing.entry, after),
      ...secrets.map((path) => ({ path, before: SECRET, after: OTHER_SECRET })),
    ];
    if (fields.length === 0) {
      same += 1;
      continue;
    }
    const changed = new Set([...changedNames(existing.entry, after), ...secrets]);
    const { version } = existing;
    steps.push({ section, name, action: 'change', version, fields, index, wanted: entry, present: existing, changed });
  }
  for (const one of byKey.values()) {
    const { version, entry } = one;
    const fields = differencesOf(entry, { name: entry.name });
    steps.push({ section, name: entry.name, action: 'delete', version, fields, present: one, changed: new Set() });
  }
  return { steps, same, over };
}

/** A step as the caller sees it. */
export const shownStep = ({ section, name, action, version, fields }: PlannedStep): PlannedChange => ({
  section,
  name,
  action,
  ...(version !== undefined && { version }),
  fields,
});

type Step = Pick<PlannedChange, 'section' | 'name' | 'action' | 'version'>;

const keyOf = ({ section, name, action, version }: Step): string =>
  [section, nameKeyOf(name), action, version ?? ''].join('\n');

/**
 * What two plans differ in: steps that are in one of them alone.
 *
 * @param over entries whose time has passed since the first plan: it is no change that they are left as they are
 */
export function movedSteps(
  expected: readonly Step[],
  actual: readonly Step[],
  over: readonly Pick<Step, 'section' | 'name'>[] = [],
): Step[] {
  const [before, after] = [new Set(expected.map(keyOf)), new Set(actual.map(keyOf))];
  const isLeft = ({ section, name, action }: Step): boolean =>
    action !== 'delete' && over.some((one) => one.section === section && nameKeyOf(one.name) === nameKeyOf(name));
  return [
    ...actual.filter((step) => !before.has(keyOf(step))),
    ...expected.filter((step) => !after.has(keyOf(step)) && !isLeft(step)),
  ];
}
