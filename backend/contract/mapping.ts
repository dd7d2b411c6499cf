import * as z from 'zod/mini';
import { countText } from './count-text.ts';

/** Fields of an alert that a mapping can set. */
export const mappedFieldSchema = z.enum(['title', 'customer', 'alertType', 'severity', 'state', 'dedupKey', 'link']);
export type MappedField = z.infer<typeof mappedFieldSchema>;

/** Parts of a mapping that can have an error: its fields, and what decides which alerts there are. */
export const mappingPartSchema = z.enum([...mappedFieldSchema.options, 'split', 'noAlertWhen']);
export type MappingPart = z.infer<typeof mappingPartSchema>;

/** Longest path or template of a mapping, in characters. */
export const MAX_MAPPING_PATH = 1_000;

/** Most rows of one value table. */
export const MAX_TABLE_ROWS = 100;

/** Longest value of a sender that a table or a condition names, in characters. */
export const MAX_SENDER_VALUE = 200;

/** Longest value that a table gives, in characters: a title. */
export const MAX_TABLE_VALUE = 300;

/** Most conditions of one mapping. */
export const MAX_CONDITIONS = 20;

/** Longest name of a condition, in characters. */
export const MAX_CONDITION_NAME = 80;

/** Longest mapping as a whole: characters of its JSON. */
export const MAX_MAPPING_LENGTH = 32_768;

/** Longest body that has a mapping, in bytes: one character takes six where it is escaped. */
export const MAX_MAPPING_BYTES = 6 * MAX_MAPPING_LENGTH + 64 * 1024;

const pathSchema = z.string().check(z.maxLength(MAX_MAPPING_PATH));
const senderValueSchema = z.string().check(z.trim(), z.maxLength(MAX_SENDER_VALUE));
const tableValueSchema = z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_TABLE_VALUE));

/** What a sender's values become. They are compared without regard to case; `true` and `false` are values too. */
export const valueTableSchema = z.strictObject({
  rows: z
    .array(z.strictObject({ from: senderValueSchema.check(z.minLength(1)), to: tableValueSchema }))
    .check(z.maxLength(MAX_TABLE_ROWS)),
  /** What every other value becomes; absent: it stays as it is. A value that is missing is not looked up. */
  otherwise: z.optional(tableValueSchema),
});
export type ValueTable = z.infer<typeof valueTableSchema>;

/** How a condition compares: `matches` is the whole value, where `*` stands for any characters. */
export const conditionTestSchema = z.enum(['is', 'is_not', 'contains', 'matches']);
export type ConditionTest = z.infer<typeof conditionTestSchema>;

/** What is no alert: the value behind a path passes a test. Without regard to case; a missing value is empty text. */
export const mappingConditionSchema = z.strictObject({
  /** By which the delivery log names it. */
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_CONDITION_NAME)),
  path: pathSchema.check(z.trim(), z.minLength(1)),
  test: conditionTestSchema,
  value: senderValueSchema,
});
export type MappingCondition = z.infer<typeof mappingConditionSchema>;

/**
 * How a source's deliveries become alerts. For each field that is not left to the adapter: a JSONPath, `header: NAME`,
 * `=text`, or a template (`{{name}} is {{status}}`), which text fields take.
 */
export const mappingSchema = z
  .strictObject({
    title: z.optional(pathSchema),
    customer: z.optional(pathSchema),
    alertType: z.optional(pathSchema),
    severity: z.optional(pathSchema),
    state: z.optional(pathSchema),
    dedupKey: z.optional(pathSchema),
    link: z.optional(pathSchema),
    /** Tables for what the paths of fields find. */
    values: z.optional(z.partialRecord(mappedFieldSchema, valueTableSchema)),
    /** A path in the body to a list of objects: each is an alert. Paths of fields begin at the object, with `$` at the body. */
    split: z.optional(pathSchema),
    /** An alert that passes the test of one of these is not made. */
    noAlertWhen: z.optional(z.array(mappingConditionSchema).check(z.maxLength(MAX_CONDITIONS))),
  })
  .check(
    z.refine((mapping) => JSON.stringify(mapping).length <= MAX_MAPPING_LENGTH, {
      error: `A mapping has at most ${countText(MAX_MAPPING_LENGTH)} characters as JSON`,
    }),
  );
export type Mapping = z.infer<typeof mappingSchema>;
