import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import type { MappingError } from '#backend/contract/delivery.ts';
import type { MappedField, Mapping, MappingPart } from '#backend/contract/mapping.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import type { Delivery, Draft } from '#backend/intake/adapters/adapter.ts';
import {
  type Found,
  find,
  findHeader,
  joinFound,
  linkOf,
  rule,
  severityOf,
  traced,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { standingOfText } from '#backend/intake/understanding/standing.ts';
import { stateWithKey } from '#backend/intake/understanding/understand.ts';
import { passes } from './mapping-conditions.ts';
import { type FieldPlan, type Lookup, planOf } from './mapping-plan.ts';
import { type QueryTask, type QueryValue, type QueryValues, evaluateQueries } from './query-values.ts';

/** The drafts of a delivery with the fields that a mapping found; a field that it did not find is as the adapter left it. */
export interface MappingResult {
  drafts: Draft[];
  /** Parts that cannot be evaluated. */
  errors: MappingError[];
  /** Parts whose path finds nothing in any alert of this delivery. */
  misses: MappingPart[];
  /** Alerts that each condition leaves out. */
  leftOut: number[];
}

/** What is wrong with a mapping, whatever it is used on. */
export const mappingErrors = (mapping: Mapping): MappingError[] => [...planOf(mapping).errors];

/** @throws {ProblemError} 422 when a part of the mapping cannot be read */
export function requireReadable(mapping: Mapping): void {
  const errors = mappingErrors(mapping);
  if (errors.length === 0) return;
  throw unacceptable(
    `The mapping is not acceptable: ${errors.map((error) => `${nameOf(error)}: ${error.message}`).join('; ')}`,
    errors.map((error) => ({ path: `settings.mapping.${nameOf(error)}`, message: error.message })),
  );
}

const nameOf = ({ field, index }: MappingError): string => (index === undefined ? field : `${field}.${index}`);

/** What of a mapping has to be evaluated on a delivery; undefined when its paths only name fields, which costs next to nothing. */
export function queryTaskOf(mapping: Mapping, { body }: Delivery, drafts: readonly Draft[]): QueryTask | undefined {
  const { queries } = planOf(mapping);
  if (queries.length === 0 || drafts.length === 0) return undefined;
  return {
    queries,
    ...(queries.some(({ ofBody }) => ofBody) && { body: rootOf(body) }),
    elements: queries.every(({ ofBody }) => ofBody) ? [] : drafts.map(({ element }) => rootOf(element)),
    alerts: drafts.length,
  };
}

const rootOf = ({ source, path }: JsonValue) => ({ source, path });

/**
 * Sets the fields of a delivery's alerts by a source's mapping. A mapped field counts before the specification's and the
 * adapter's; where its path fails or finds nothing, those count. A condition that cannot be evaluated leaves nothing out.
 *
 * @param evaluated what its {@link queryTaskOf} found; without it is evaluated here, which keeps this thread
 */
export function applyMapping(
  mapping: Mapping,
  delivery: Delivery,
  drafts: readonly Draft[],
  evaluated?: QueryValues,
): MappingResult {
  const { fields, conditions, errors } = planOf(mapping);
  const task = evaluated ? undefined : queryTaskOf(mapping, delivery, drafts);
  const values = evaluated ?? (task && evaluateQueries(task));
  const reason = values && 'stopped' in values ? values.stopped : undefined;
  const stopped: MappingError[] = [];
  const misses: MappingPart[] = [];
  const found = values && 'found' in values ? values.found : [];
  const look = lookerOf(delivery, drafts, found);
  const results = drafts.map((draft) => ({ ...draft, mapped: new Set<MappedField>() }));

  for (const plan of fields) {
    if (reason !== undefined && isEvaluated(plan)) {
      stopped.push({ field: plan.field, message: reason });
      continue;
    }
    const isMiss = results.map((draft, index) => {
      const value = valueOf(plan, (lookup) => look(lookup, index));
      return !(value && setField(draft, plan.field, value.found, value.isOurs));
    });
    if (isMiss.every(Boolean)) misses.push(plan.field);
  }
  const states = results.map(withState);
  const leftOut = conditions.map(() => 0);
  for (const [index, condition] of conditions.entries()) {
    if (condition === undefined) continue;
    if (reason !== undefined && condition.lookup.query !== undefined) {
      stopped.push({ field: 'noAlertWhen', index, message: reason });
      continue;
    }
    for (const [place, draft] of states.entries()) {
      if (draft.leftOut || !passes(condition, look(condition.lookup, place)?.value ?? '')) continue;
      leftOut[index] = (leftOut[index] ?? 0) + 1;
      states[place] = { ...draft, leftOut: true, ignored: `No alert when: ${condition.name}` };
    }
  }
  return { drafts: states, errors: [...errors, ...stopped], misses, leftOut };
}

type MappedDraft = Draft & { mapped: Set<MappedField>; leftOut?: boolean };

const isEvaluated = ({ source }: FieldPlan): boolean =>
  ('path' in source ? [source] : source).some((part) => typeof part === 'object' && part.query !== undefined);

type Look = (lookup: Lookup, alert: number) => Found | undefined;

/** Looks paths up in the alerts of a delivery; what stands in the body or a header is read once for all of them. */
function lookerOf(
  delivery: Delivery,
  drafts: readonly Draft[],
  found: readonly (readonly (QueryValue | undefined)[])[],
): Look {
  const shared = new Map<Lookup, Found | undefined>();
  const read = ({ path, withBooleans, query }: Lookup, alert: number): Found | undefined => {
    if (path.kind === 'literal') return rule(path.text, 'fixed by the mapping');
    if (path.kind === 'header') return noted(findHeader(delivery.headers, path.name));
    if (path.kind === 'query') return noted(query === undefined ? undefined : found[alert]?.[query]);
    const value = (path.ofBody ? delivery.body : drafts[alert]?.element)?.at(path.names);
    const isBoolean = withBooleans && value?.boolean !== undefined;
    return noted(isBoolean && value ? traced(value.source, value) : find(value));
  };
  return (lookup, alert) => {
    const { path } = lookup;
    if (path.kind === 'query' || (path.kind === 'names' && !path.ofBody)) return read(lookup, alert);
    if (!shared.has(lookup)) shared.set(lookup, read(lookup, alert));
    return shared.get(lookup);
  };
}

const noted = (found: Found | undefined): Found | undefined => found && withValue(found, found.value, 'mapping');

/** Longest value that a template puts into its text, in characters. */
const MAX_IN_TEMPLATE = 1_000;

/** What a field is set to. `isOurs`: a value table gives it, so it is a word of this product's. */
function valueOf(
  { source, table, otherwise }: FieldPlan,
  look: (lookup: Lookup) => Found | undefined,
): { found: Found; isOurs: boolean } | undefined {
  const found = 'path' in source ? look(source) : fillIn(source, look);
  if (!found) return undefined;
  const value = table?.get(found.value.toLowerCase()) ?? otherwise;
  if (value === undefined) return { found, isOurs: false };
  return { found: withValue(found, value, `“${found.value.slice(0, 40)}” by the value table`), isOurs: true };
}

/** A template's text; undefined when none of its paths finds anything. */
function fillIn(parts: readonly (string | Lookup)[], look: (lookup: Lookup) => Found | undefined): Found | undefined {
  const values = parts.map((part) => (typeof part === 'string' ? part : look(part)));
  const origin = joinFound('', ...values.filter((value) => typeof value === 'object'));
  if (!origin) return undefined;
  const text = values
    .map((value) => (typeof value === 'string' ? value : (value?.value.slice(0, MAX_IN_TEMPLATE) ?? '')))
    .join('');
  return withValue(origin, text.trim().toWellFormed(), 'template of the mapping');
}

/** A key that a mapping gives lets any JSON have a lifecycle: its status says where it stands. */
function withState(draft: MappedDraft): MappedDraft {
  const { mapped, dedupKey, element, state } = draft;
  if (mapped.has('state')) return { ...draft, ignored: undefined };
  if (!mapped.has('dedupKey') || dedupKey === undefined || state.value !== 'event') return draft;
  return { ...draft, state: stateWithKey(element, dedupKey), ignored: undefined };
}

const STATES: ReadonlySet<string> = new Set<AlertState>(['firing', 'acknowledged', 'resolved', 'event']);

/** Sets a field of a draft; false when the value makes no sense there, such as a link that is no address. */
function setField(draft: MappedDraft, field: MappedField, found: Found, isOurs: boolean): boolean {
  if (found.value === '') return false;
  if (field === 'severity') {
    const severity = isOurs ? withValue(found, found.value as AlertSeverity) : severityOf(found);
    if (severity === undefined || (severity.value === 'none' && !isOurs)) return false;
    draft.severity = severity;
  } else if (field === 'state') {
    draft.state = stateOfWord(found);
  } else if (field === 'link') {
    const link = linkOf(found);
    if (link === undefined) return false;
    draft.link = link;
  } else {
    draft[field] = found;
  }
  draft.mapped.add(field);
  return true;
}

/** A state by its own name, or a sender's word for it; any other word is a problem that is still there. */
function stateOfWord(word: Found): Found<AlertState> {
  const name = word.value.toLowerCase();
  if (STATES.has(name)) return withValue(word, name as AlertState);
  const standing = standingOfText(word.value);
  if (standing === 'acknowledged') return withValue<AlertState>(word, 'acknowledged');
  return withValue<AlertState>(word, standing === 'resolved' || standing === 'succeeded' ? 'resolved' : 'firing');
}
