import type { AlertState } from '#backend/contract/alert.ts';
import type { MappedField, Mapping } from '#backend/contract/source.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import type { Delivery, Draft, MappingError } from '#backend/intake/adapters/adapter.ts';
import { type Found, find, findHeader, linkOf, severityOf, withValue } from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { standingOfText } from '#backend/intake/understanding/standing.ts';
import { stateWithKey } from '#backend/intake/understanding/understand.ts';
import { type MappingPath, type PathError, readPath } from './mapping-path.ts';
import { type QueryTask, type QueryValues, evaluateQueries } from './query-values.ts';

/** The drafts of a delivery with the fields that a mapping found; a field that it did not find is as the adapter left it. */
export interface MappingResult {
  drafts: Draft[];
  /** Fields whose path cannot be evaluated. */
  errors: MappingError[];
  /** Fields whose path finds nothing in any alert of this delivery. */
  misses: MappedField[];
}

type FieldPath = [field: MappedField, path: MappingPath, written: string];

/** A mapping as it is read: once for as long as its source has it. */
interface MappingPaths {
  paths: FieldPath[];
  errors: MappingError[];
}

const read = new WeakMap<Mapping, MappingPaths>();

function readMapping(mapping: Mapping): MappingPaths {
  const known = read.get(mapping);
  if (known) return known;
  const paths: FieldPath[] = [];
  const errors: MappingError[] = [];
  for (const [field, written] of Object.entries(mapping) as [MappedField, string | undefined][]) {
    if (written === undefined || written.trim() === '') continue;
    const path: MappingPath | PathError = readPath(written);
    if ('error' in path) errors.push({ field, message: path.error });
    else paths.push([field, path, written]);
  }
  const result = { paths, errors };
  read.set(mapping, result);
  return result;
}

/** What is wrong with a mapping, whatever it is used on. */
export const mappingErrors = (mapping: Mapping): MappingError[] => readMapping(mapping).errors;

/** @throws {ProblemError} 422 when a path of the mapping cannot be read */
export function requireReadable(mapping: Mapping): void {
  const errors = mappingErrors(mapping);
  if (errors.length === 0) return;
  throw unacceptable(
    `The mapping is not acceptable: ${errors.map(({ field, message }) => `${field}: ${message}`).join('; ')}`,
    errors.map(({ field, message }) => ({ path: `settings.mapping.${field}`, message })),
  );
}

/** What of a mapping has to be evaluated on a delivery; undefined when its paths only name fields, which costs next to nothing. */
export function queryTaskOf(mapping: Mapping, { body }: Delivery, drafts: readonly Draft[]): QueryTask | undefined {
  const queries = readMapping(mapping).paths.filter(([, path]) => path.kind === 'query');
  if (queries.length === 0 || drafts.length === 0) return undefined;
  const isOfBody = queries.map(([, path]) => path.kind === 'query' && path.ofBody);
  return {
    queries: queries.map(([field, , written]) => [field, written]),
    ...(isOfBody.some(Boolean) && { body: rootOf(body) }),
    elements: isOfBody.every(Boolean) ? [] : drafts.map(({ element }) => rootOf(element)),
    alerts: drafts.length,
  };
}

const rootOf = ({ source, path }: JsonValue) => ({ source, path });

/**
 * Sets the fields of a delivery's alerts by a source's mapping. A mapped field counts before the specification's and the
 * adapter's; where its path fails or finds nothing, those count.
 *
 * @param evaluated what its {@link queryTaskOf} found; without it is evaluated here, which keeps this thread
 */
export function applyMapping(
  mapping: Mapping,
  delivery: Delivery,
  drafts: readonly Draft[],
  evaluated?: QueryValues,
): MappingResult {
  const { paths, errors } = readMapping(mapping);
  const results = drafts.map((draft) => ({ ...draft, mapped: new Set<MappedField>() }));
  const task = evaluated ? undefined : queryTaskOf(mapping, delivery, drafts);
  const values = evaluated ?? (task && evaluateQueries(task));
  const reason = values && 'stopped' in values ? values.stopped : undefined;
  const stopped = reason === undefined ? [] : paths.flatMap(([field, { kind }]) => (kind === 'query' ? [field] : []));
  const misses: MappedField[] = [];
  for (const [field, path] of paths) {
    const isMiss = results.map((draft, index) => {
      const value =
        path.kind === 'query'
          ? noted(values && 'found' in values ? values.found[index]?.get(field) : undefined)
          : follow(path, delivery, draft.element);
      return !(value && setField(draft, field, value));
    });
    if (isMiss.every(Boolean) && !stopped.includes(field)) misses.push(field);
  }
  return {
    drafts: results.map(withState),
    errors: [...errors, ...stopped.map((field) => ({ field, message: reason ?? '' }))],
    misses,
  };
}

type MappedDraft = Draft & { mapped: Set<MappedField> };

/** A key that a mapping gives lets any JSON have a lifecycle: its status says where it stands. */
function withState(draft: MappedDraft): MappedDraft {
  const { mapped, dedupKey, element, state } = draft;
  if (mapped.has('state')) return { ...draft, ignored: undefined };
  if (!mapped.has('dedupKey') || dedupKey === undefined || state.value !== 'event') return draft;
  return { ...draft, state: stateWithKey(element, dedupKey), ignored: undefined };
}

function follow(path: MappingPath, delivery: Delivery, element: JsonValue): Found | undefined {
  if (path.kind === 'literal') return { value: path.text, path: '', note: 'fixed by the mapping' };
  if (path.kind === 'header') return noted(findHeader(delivery.headers, path.name));
  if (path.kind === 'query') return undefined;
  return noted(find((path.ofBody ? delivery.body : element).at(path.names)));
}

const noted = (found: Found | undefined): Found | undefined => found && withValue(found, found.value, 'mapping');

const STATES: ReadonlySet<string> = new Set<AlertState>(['firing', 'acknowledged', 'resolved', 'event']);

/** Sets a field of a draft; false when the value makes no sense there, such as a link that is no address. */
function setField(draft: MappedDraft, field: MappedField, found: Found): boolean {
  if (found.value === '') return false;
  if (field === 'severity') {
    const severity = severityOf(found);
    if (severity === undefined || severity.value === 'none') return false;
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
