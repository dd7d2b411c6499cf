import * as fc from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { z } from 'zod';

/** A JSON Schema, as far as the contract's zod schemas need it. */
type Schema = z.core.JSONSchema.BaseSchema;

/** Values for fields of a name, wherever a schema has one: ids of things that exist, addresses that nobody has. */
export type Hints = Record<string, Arbitrary<unknown>>;

/** Nearly valid input for a zod schema: mostly what it takes, as far as JSON Schema can say what that is. */
export const arbitraryOf = (schema: z.core.$ZodType, hints: Hints = {}): Arbitrary<unknown> =>
  // Without the names that the document gives to schemas: they would become references.
  fromJsonSchema(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', metadata: z.registry() }), hints);

function fromJsonSchema(schema: Schema, hints: Hints): Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return fc.oneof(...forms.map((form) => fromJsonSchema(form as Schema, hints)));
  switch (schema.type) {
    case 'object':
      return objectOf(schema, hints);
    case 'array':
      return fc.array(fromJsonSchema((schema.items ?? {}) as Schema, hints), { maxLength: 5 });
    case 'string':
      return stringOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: Math.min(schema.maximum ?? 1000, 2 ** 31 - 1) });
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

function objectOf({ properties = {}, required = [] }: Schema, hints: Hints): Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, property]) => [
    name,
    hints[name] ?? fromJsonSchema(property as Schema, hints),
  ]);
  return fc.record(Object.fromEntries(fields) as Record<string, Arbitrary<unknown>>, { requiredKeys: required });
}

/** Those of strings, which take long to make: the same for all fields of one kind. */
const strings = new Map<string, Arbitrary<string>>();

function stringOf(schema: Schema): Arbitrary<string> {
  const { format, pattern, minLength, maxLength } = schema;
  const key = JSON.stringify([format, pattern, minLength, maxLength]);
  const known = strings.get(key) ?? makeString(schema);
  strings.set(key, known);
  return known;
}

/** Other years have a sign and six digits, which the contract's times do not take; some are left for what follows them. */
const FOUR_DIGITS = { min: new Date('0000-01-01T00:00:00.000Z'), max: new Date('9990-01-01T00:00:00.000Z') };

function makeString({ format, pattern, minLength = 0, maxLength = 300 }: Schema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (format === 'email') return fc.emailAddress();
  if (format === 'uri') return fc.webUrl({ validSchemes: ['https'] });
  if (format === 'date-time') return fc.date({ ...FOUR_DIGITS, noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength, unit: 'grapheme' });
}
