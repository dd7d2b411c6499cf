import { setImmediate } from 'node:timers/promises';
import { type Configuration, type ConfigurationResult, SECTION_NAMES } from '#backend/contract/configuration.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { type InputError, ProblemError, conflict, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { NamesFailed } from './names.ts';
import { type AnyEntry, PLACE, type PlannedStep } from './plan.ts';
import type { ConfigurationRun } from './section.ts';
import { sectionOf } from './sections.ts';

/** Names of what was changed meanwhile that the error has at most. */
const NAMED = 5;

export function changedMeanwhile(moved: readonly Pick<PlannedStep, 'section' | 'name'>[]): ProblemError {
  const all = [...new Set(moved.map(({ section, name }) => `the ${sectionOf(section).noun} "${name}"`))];
  const more = all.length > NAMED ? ` and ${all.length - NAMED} more` : '';
  return conflict(
    `Somebody has changed this since the plan was made: ${all.slice(0, NAMED).join(', ')}${more}. Nothing was applied. Make the plan again.`,
  );
}

type Steps = readonly PlannedStep[];

const isLeaf = ({ section }: PlannedStep): boolean => sectionOf(section).namedAs === undefined;

/**
 * First goes what others are named by and nothing names, then everything is made and changed in the order of the sections, so that
 * rules find their destinations, and last goes what nothing names any more.
 */
function inOrder(steps: Steps): { first: Steps; made: Steps; last: Steps } {
  return {
    first: steps.filter((step) => step.action === 'delete' && isLeaf(step)),
    made: steps.filter(({ action }) => action !== 'delete'),
    last: steps.filter((step) => step.action === 'delete' && !isLeaf(step)),
  };
}

/** Somebody else has changed what a step is about, or deleted it, since the plan was read. */
class Moved extends Error {}

const isMoved = (error: unknown, { present }: PlannedStep): boolean =>
  error instanceof Moved || (present !== undefined && error instanceof ProblemError && error.status === 404);

/** Whether it is the step that is wrong. Whoever may not run a configuration may not take any step of it. */
const isOfStep = (error: unknown): error is ProblemError =>
  error instanceof ProblemError && (error.status === 400 || (error.status >= 409 && error.status < 500));

/** @throws {ProblemError} 422 with what is wrong with every step, 409 where nothing is but somebody has changed something meanwhile */
export async function takeSteps(run: ConfigurationRun, steps: Steps): Promise<ConfigurationResult['secrets']> {
  const secrets: ConfigurationResult['secrets'] = [];
  const errors: InputError[] = [];
  const moved: PlannedStep[] = [];
  const { first, made, last } = inOrder(steps);
  const leaving = Map.groupBy(last, ({ section }) => section);
  for (const step of [...first, ...made, ...last]) {
    try {
      const shown = await takeStep(run, step, leaving.get(step.section)?.length ?? 0);
      if (shown) secrets.push({ section: step.section, name: step.name, ...shown });
    } catch (error) {
      const { namedAs } = sectionOf(step.section);
      if (namedAs) run.names.fail(namedAs, step.name);
      if (error instanceof NamesFailed) continue;
      if (isMoved(error, step)) moved.push(step);
      else if (isOfStep(error)) errors.push(...errorsAt(step, error));
      else throw error;
    }
    // On the embedded database statements do not wait: other requests go on in between.
    await setImmediate();
  }
  if (errors.length > 0) throw allOf(errors);
  if (moved.length > 0) throw changedMeanwhile(moved);
  return secrets;
}

/**
 * Looks up what everything in the configuration names, also what stays as it is: once all steps are taken, names of what was made
 * are known, and those of what was deleted are not.
 *
 * @throws {ProblemError} 422 with every name of something that is not there
 */
export function checkAll(run: ConfigurationRun, configuration: Configuration): void {
  const errors: InputError[] = [];
  for (const section of SECTION_NAMES) {
    const { check } = sectionOf(section);
    if (!check) continue;
    const wanted = (configuration[section] ?? []) as unknown as AnyEntry[];
    for (const [index, entry] of wanted.entries()) {
      try {
        check(run, entry);
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        errors.push(...errorsAt({ section, index, name: entry.name, action: 'change' }, error));
      }
    }
  }
  if (errors.length > 0) throw allOf(errors);
}

/** Puts what has an order into that of the configuration; what is made comes last at first. */
export async function arrangeAll(run: ConfigurationRun, configuration: Configuration): Promise<void> {
  for (const name of SECTION_NAMES) {
    const { arrange, read } = sectionOf(name);
    const wanted = configuration[name];
    if (!arrange || !wanted) continue;
    const present = await read(run.tx, run.names);
    const byKey = new Map(present.map(({ id, entry }) => [nameKeyOf(entry.name), id]));
    const ids = wanted.flatMap((entry) => byKey.get(nameKeyOf(entry.name)) ?? []);
    if (present.some(({ id }, at) => id !== ids[at])) await arrange(run, ids);
  }
}

async function takeStep(run: ConfigurationRun, step: PlannedStep, leaving: number): Promise<object | undefined> {
  const { section, action, wanted, present } = step;
  const { create, change: changeEntry, remove, namedAs } = sectionOf(section);
  if (wanted && !present) {
    const { id, secrets } = await create(run, wanted, leaving);
    if (namedAs) run.names.add(namedAs, wanted.name, id);
    return secrets;
  }
  if (!present) return undefined;
  if (wanted) {
    // What only moves is put into its place with all others.
    if (step.changed.size === 1 && step.changed.has(PLACE)) return undefined;
    if (!(await changeEntry(run, present, wanted, step.changed))) throw new Moved();
    return undefined;
  }
  if (action === 'delete') await remove(run, present);
  return undefined;
}

/** What commands call fields that a configuration has by another name, or does not nest. */
const FIELD_NAMES: readonly [RegExp, string][] = [
  [/^settings\./, ''],
  [/^destinationIds/, 'destinations'],
  [/^memberIds/, 'members'],
  [/^sourceId$/, 'source'],
];

/** The errors of a command as errors of the configuration. */
function errorsAt(
  { section, index, name, action }: Pick<PlannedStep, 'section' | 'index' | 'name' | 'action'>,
  { message, errors = [] }: ProblemError,
): InputError[] {
  if (action === 'delete' || index === undefined)
    return [{ path: section, message: `The ${sectionOf(section).noun} "${name}" cannot be deleted. ${message}` }];
  const at = `${section}.${index}`;
  if (errors.length === 0) return [{ path: at, message }];
  return errors.map((error) => {
    const path = FIELD_NAMES.reduce((renamed, [from, to]) => renamed.replace(from, to), error.path);
    return { path: path === '' ? at : `${at}.${path}`, message: error.message };
  });
}

/** Errors of which the sentence has the first; the answer as JSON has all. */
const SAID = 3;

export function allOf(errors: readonly InputError[]): ProblemError {
  const said = errors.slice(0, SAID).map(({ path, message }) => `${path}: ${message}`);
  const more = errors.length > SAID ? ` And ${errors.length - SAID} more.` : '';
  return unacceptable(said.join(' ') + more, [...errors]);
}
