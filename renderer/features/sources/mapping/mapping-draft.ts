import type { DryRunResult, ReadEvent } from '#backend/contract/delivery.ts';
import { type MappedField, type Mapping, mappedFieldSchema } from '#backend/contract/source.ts';

/** Fields in the order in which they are shown. */
export const MAPPED_FIELDS: readonly MappedField[] = mappedFieldSchema.options;

/** Label of each field. */
export const MAPPED_LABELS: Record<MappedField, string> = {
  title: 'title',
  customer: 'customer',
  alertType: 'type',
  severity: 'severity',
  state: 'state',
  dedupKey: 'dedup key',
  link: 'link',
};

/** A draft as it is sent and saved: without fields that are left to the sender's rule. */
export const mappingOf = (draft: Mapping): Mapping =>
  Object.fromEntries(
    Object.entries(draft)
      .map(([field, path]) => [field, path?.trim() ?? ''] as const)
      .filter(([, path]) => path !== ''),
  );

/** The fields whose path differs. */
export function changedFields(before: Mapping, draft: Mapping): MappedField[] {
  const after = mappingOf(draft);
  return MAPPED_FIELDS.filter((field) => (before[field] ?? '') !== (after[field] ?? ''));
}

/** What a field's path found. */
export interface FieldResult {
  /** `error` cannot be evaluated, `nothing` finds nothing in this delivery. */
  kind: 'value' | 'nothing' | 'error' | 'unknown';
  text: string;
}

/** The result of a field in a dry run. `hasPath` says that it has a path of its own. */
export function fieldResult(
  field: MappedField,
  result: DryRunResult | undefined,
  event: ReadEvent | undefined,
  hasPath: boolean,
  hasDefaultCustomer: boolean,
): FieldResult {
  const error = result?.errors.find((one) => one.field === field);
  if (error && hasPath) return { kind: 'error', text: error.message };
  if (!event) return { kind: 'unknown', text: '' };
  const origin = event.origins.find((one) => one.field === field);
  const value = field === 'severity' || field === 'state' ? (origin ? event[field] : null) : event[field];
  if (value !== null && value !== 'none') return { kind: 'value', text: value };
  if (!hasPath) return { kind: 'unknown', text: '' };
  const fallback = field === 'customer' && hasDefaultCustomer ? ' The default customer is used.' : '';
  return { kind: 'nothing', text: `No match in this delivery.${fallback}` };
}

/** What a draft needs before it can be saved, and what saving does. */
export function draftNote(errors: number, changes: number): { problem: string | undefined; text: string } {
  const problem = errors === 0 ? undefined : `${errors} ${errors === 1 ? 'path' : 'paths'} to fix`;
  if (changes === 0) return { problem, text: '' };
  return {
    problem,
    text: `${changes} unsaved ${changes === 1 ? 'change. It applies' : 'changes. They apply'} to deliveries from now on.`,
  };
}

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
