import { alertSeveritySchema, alertStateSchema } from '#backend/contract/alert.ts';
import type { MappingError } from '#backend/contract/delivery.ts';
import {
  type ConditionTest,
  type MappedField,
  type Mapping,
  type ValueTable,
  mappedFieldSchema,
} from '#backend/contract/mapping.ts';
import { type MappingPath, type PathError, readPath } from './mapping-path.ts';
import { type Template, isTemplate, readTemplate } from './mapping-template.ts';
import type { PathQuery } from './query-values.ts';

/** A path that is looked up in a delivery. */
export interface Lookup {
  path: MappingPath;
  /** Where `true` and `false` are values as well: in tables, templates and conditions. */
  withBooleans: boolean;
  /** Place among the plan's queries; undefined where the path only names fields. */
  query: number | undefined;
}

/** How one field is set. */
export interface FieldPlan {
  field: MappedField;
  /** One lookup, or the parts of a template. */
  source: Lookup | readonly (string | Lookup)[];
  table: ReadonlyMap<string, string> | undefined;
  otherwise: string | undefined;
}

/** A condition, ready to be tested. */
export interface ConditionPlan {
  name: string;
  lookup: Lookup;
  test: ConditionTest;
  /** In lower case. */
  value: string;
}

/** A mapping as it is read: once for as long as its source has it. */
export interface MappingPlan {
  fields: readonly FieldPlan[];
  split: readonly (string | number)[] | undefined;
  conditions: readonly (ConditionPlan | undefined)[];
  queries: readonly PathQuery[];
  errors: readonly MappingError[];
}

const plans = new WeakMap<Mapping, MappingPlan>();

/** The plan of a mapping. Parts with an error are left out of it; the others hold. */
export function planOf(mapping: Mapping): MappingPlan {
  const known = plans.get(mapping);
  if (known) return known;
  const plan = makePlan(mapping);
  plans.set(mapping, plan);
  return plan;
}

function makePlan(mapping: Mapping): MappingPlan {
  const errors: MappingError[] = [];
  const queries: PathQuery[] = [];
  const lookUp = (path: MappingPath, written: string, withBooleans: boolean): Lookup => {
    if (path.kind !== 'query') return { path, withBooleans, query: undefined };
    queries.push({ written, ofBody: path.ofBody, withBooleans });
    return { path, withBooleans, query: queries.length - 1 };
  };
  const planField = (field: MappedField, written: string): FieldPlan | PathError => {
    const table = mapping.values?.[field];
    const wrong = table && wrongValue(field, table);
    if (wrong !== undefined) return { error: wrong };
    const read = isTemplate(written) ? templateOf(field, written) : readPath(written);
    if ('error' in read) return read;
    const source =
      'parts' in read
        ? read.parts.map((part) => (typeof part === 'string' ? part : lookUp(part.path, part.written, true)))
        : lookUp(read, written, table !== undefined);
    const rows = table?.rows.map(({ from, to }) => [from.toLowerCase(), to] as const);
    return { field, source, table: rows && new Map(rows), otherwise: table?.otherwise };
  };
  const fields: FieldPlan[] = [];
  for (const field of mappedFieldSchema.options) {
    const written = mapping[field] ?? '';
    if (written.trim() === '') {
      const isUseless = mapping.values?.[field] !== undefined;
      if (isUseless) errors.push({ field, message: 'The value table needs a path: write which value it looks up.' });
      continue;
    }
    const planned = planField(field, written);
    if ('error' in planned) errors.push({ field, message: planned.error });
    else fields.push(planned);
  }
  const conditions = (mapping.noAlertWhen ?? []).map(({ name, path: written, test, value }, index) => {
    const path = readPath(written);
    if ('error' in path) errors.push({ field: 'noAlertWhen', index, message: path.error });
    return 'error' in path
      ? undefined
      : { name, lookup: lookUp(path, written, true), test, value: value.toLowerCase() };
  });
  return { fields, split: splitOf(mapping.split ?? '', errors), conditions, queries, errors };
}

/** Fields that have one of a few values: a text made of others is none. */
const WORDS: Partial<Record<MappedField, readonly string[]>> = {
  severity: alertSeveritySchema.options,
  state: alertStateSchema.options,
};

const templateOf = (field: MappedField, written: string): Template | PathError =>
  WORDS[field] ? { error: 'A template makes text. Use a path, and a value table.' } : readTemplate(written);

/** What is wrong with the values that a table gives; undefined when nothing is. */
function wrongValue(field: MappedField, { rows, otherwise }: ValueTable): string | undefined {
  const words = WORDS[field];
  const seen = new Set<string>();
  for (const [index, { from, to }] of rows.entries()) {
    const key = from.toLowerCase();
    if (seen.has(key)) return `Value table, row ${index + 1}: “${from}” has a row above.`;
    if (words && !words.includes(to)) return `Value table, row ${index + 1}: “${to}” is none of ${words.join(', ')}.`;
    seen.add(key);
  }
  if (otherwise === undefined || !words || words.includes(otherwise)) return undefined;
  return `Value table, any other value: “${otherwise}” is none of ${words.join(', ')}.`;
}

function splitOf(written: string, errors: MappingError[]): MappingPlan['split'] {
  if (written.trim() === '') return undefined;
  const path = readPath(written);
  const message =
    'error' in path
      ? path.error
      : path.kind === 'names'
        ? undefined
        : 'Use a path that names its fields: it leads to one list of the body.';
  if (message !== undefined) errors.push({ field: 'split', message });
  return 'names' in path ? path.names : undefined;
}
