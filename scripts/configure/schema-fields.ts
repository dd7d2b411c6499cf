import type { ZodMiniType } from 'zod/mini';

/** Fields of a schema that are read, whatever its kind. */
interface SchemaDefinition {
  type: string;
  innerType?: ZodMiniType;
  element?: ZodMiniType;
  shape?: Readonly<Record<string, ZodMiniType>>;
}

const definitionOf = (schema: ZodMiniType): SchemaDefinition => {
  const definition = schema.def as unknown as SchemaDefinition;
  return definition.innerType ? definitionOf(definition.innerType) : definition;
};

/** The names of the fields that a schema has at a path; undefined where they depend on a value. */
export function fieldsAt(schema: ZodMiniType, path: readonly (string | number)[]): string[] | undefined {
  const { shape, element } = definitionOf(schema);
  const [step, ...rest] = path;
  if (step === undefined) return shape && Object.keys(shape);
  const next = typeof step === 'number' ? element : shape?.[step];
  return next && fieldsAt(next, rest);
}
