import type { DryRunResult, ReadEvent } from '#backend/contract/delivery.ts';
import {
  type ConditionTest,
  type MappedField,
  type Mapping,
  type MappingCondition,
  type MappingPart,
  type ValueTable,
  mappedFieldSchema,
  mappingPartSchema,
} from '#backend/contract/mapping.ts';
import * as texts from './texts.ts';

/** Fields in the order in which they are shown. */
export const MAPPED_FIELDS: readonly MappedField[] = mappedFieldSchema.options;

/** Label of each part. */
export const PART_LABELS: Record<MappingPart, string> = {
  title: texts.title,
  customer: texts.customer,
  alertType: texts.type,
  severity: texts.severity,
  state: texts.state,
  dedupKey: texts.dedupKey,
  link: texts.link,
  split: texts.oneAlertForEach,
  noAlertWhen: texts.noAlertWhenInText,
};

/** Label of each test of a condition. */
export const TEST_LABELS: Record<ConditionTest, string> = {
  is: texts.is,
  is_not: texts.isNot,
  contains: texts.contains,
  matches: texts.matches,
};

const tableOf = ({ rows, otherwise = '' }: ValueTable): ValueTable | undefined => {
  const kept = rows
    .map(({ from, to }) => ({ from: from.trim(), to: to.trim() }))
    .filter(({ from, to }) => from !== '' || to !== '');
  if (kept.length === 0 && otherwise.trim() === '') return undefined;
  return { rows: kept, ...(otherwise.trim() !== '' && { otherwise: otherwise.trim() }) };
};

/** A condition that nothing was typed into. It is not saved. */
export const isBlank = ({ name, path, value }: MappingCondition): boolean => `${name}${path}${value}`.trim() === '';

/** A draft without what is empty: fields that are left to the sender's rule, rows that nothing was typed into. */
export function mappingOf(draft: Mapping): Mapping {
  const mapping: Mapping = {};
  for (const part of [...MAPPED_FIELDS, 'split'] as const) {
    const path = draft[part]?.trim() ?? '';
    if (path !== '') mapping[part] = path;
  }
  for (const field of MAPPED_FIELDS) {
    const table = draft.values?.[field];
    const kept = table && tableOf(table);
    if (kept) mapping.values = Object.assign(mapping.values ?? {}, { [field]: kept });
  }
  const conditions = (draft.noAlertWhen ?? [])
    .map(({ name, path, test, value }) => ({ name: name.trim(), path: path.trim(), test, value: value.trim() }))
    .filter((condition) => !isBlank(condition));
  if (conditions.length > 0) mapping.noAlertWhen = conditions;
  return mapping;
}

/** What is missing in a draft, so that it cannot be saved: rows of which one half is empty. */
export function missingParts(draft: Mapping): { field: MappingPart; index?: number; message: string }[] {
  const { values = {}, noAlertWhen = [] } = mappingOf(draft);
  const missing: ReturnType<typeof missingParts> = [];
  for (const field of MAPPED_FIELDS) {
    const row = values[field]?.rows.findIndex(({ from, to }) => from === '' || to === '') ?? -1;
    if (row !== -1) missing.push({ field, message: texts.valueTableRowOneOf(row + 1) });
  }
  for (const [index, { name, path }] of noAlertWhen.entries()) {
    if (name === '') missing.push({ field: 'noAlertWhen', index, message: texts.conditionNeedsName });
    else if (path === '') missing.push({ field: 'noAlertWhen', index, message: texts.conditionNeedsPath });
  }
  return missing;
}

/** A draft as it can be tried: without rows of which one half is empty. */
export function triedMapping(draft: Mapping): Mapping {
  const mapping = mappingOf(draft);
  for (const field of MAPPED_FIELDS) {
    const table = mapping.values?.[field];
    if (table) table.rows = table.rows.filter(({ from, to }) => from !== '' && to !== '');
  }
  return mapping;
}

/** The parts that differ; a field's table belongs to it. */
export function changedParts(before: Mapping, draft: Mapping): MappingPart[] {
  const [saved, after] = [mappingOf(before), mappingOf(draft)];
  return mappingPartSchema.options.filter((part) => partText(saved, part) !== partText(after, part));
}

const partText = (mapping: Mapping, part: MappingPart): string =>
  JSON.stringify([mapping[part], part === 'split' || part === 'noAlertWhen' ? null : mapping.values?.[part]]);

/** What a field's path found. */
export interface FieldResult {
  /** `error` cannot be evaluated, `nothing` finds nothing in this delivery. */
  kind: 'value' | 'nothing' | 'error' | 'unknown';
  text: string;
}

/** The result of a field in a dry run. `hasPath` says that it has a path of its own. */
export function fieldResult(
  field: MappedField,
  result: Pick<DryRunResult, 'errors'> | undefined,
  event: ReadEvent | undefined,
  hasPath: boolean,
  hasDefaultCustomer: boolean,
): FieldResult {
  const error = result?.errors.find((one) => one.field === field);
  if (error) return { kind: 'error', text: error.message };
  if (!event) return { kind: 'unknown', text: '' };
  const origin = event.origins.find((one) => one.field === field);
  const value = field === 'severity' || field === 'state' ? (origin ? event[field] : null) : event[field];
  if (value !== null && value !== 'none') return { kind: 'value', text: value };
  if (!hasPath) return { kind: 'unknown', text: '' };
  const fallback = field === 'customer' && hasDefaultCustomer ? texts.defaultCustomerIsUsed : '';
  return { kind: 'nothing', text: texts.noMatchInThisDelivery(fallback) };
}

/** What splitting gives in a dry run. */
export function splitResult(result: DryRunResult | undefined, hasPath: boolean): FieldResult {
  const error = result?.errors.find(({ field }) => field === 'split');
  if (error) return { kind: 'error', text: error.message };
  if (!hasPath || !result) return { kind: 'unknown', text: '' };
  const { splitInto } = result;
  if (splitInto === null) return { kind: 'nothing', text: texts.noListInThisDelivery };
  return { kind: 'value', text: texts.inThisDelivery(splitInto) };
}

/** What a draft needs before it can be saved, and what saving does. */
export function draftNote(errors: number, changes: number): { problem: string | undefined; text: string } {
  const problem = errors === 0 ? undefined : texts.toFix(errors);
  if (changes === 0) return { problem, text: '' };
  return {
    problem,
    text: texts.unsavedHint(changes),
  };
}

/** The paths that a field's text names: one, or those of a template. */
export const pathsIn = (written: string): string[] =>
  written.includes('{{') && !written.trimStart().startsWith('=')
    ? [...written.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, path = '']) => path.trim())
    : [written];

/** A request as a dry run takes it, from what was pasted: headers one a line, `name: value`. */
export function pastedRequest(
  method: string,
  headers: string,
  body: string,
): { method: string; headers: Record<string, string>; body: string } {
  const pairs = headers
    .split('\n')
    .map((line) => /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line))
    .flatMap((match) => (match ? [[match[1]?.toLowerCase() ?? '', match[2] ?? '']] : []));
  return { method: method.trim().toUpperCase() || 'POST', headers: Object.fromEntries(pairs), body };
}
