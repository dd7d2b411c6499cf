import type { MappedField } from '#backend/contract/source.ts';
import { pathOf } from '#backend/intake/json/json-value.ts';
import { readPath } from './mapping-path.ts';
import { STOPPED, runBounded } from './run-bounded.ts';

/** How long the paths of one delivery may take together, in milliseconds. */
const LIMIT_MS = 50;

/** A value in a delivery: its JSON, and where it stands in the body. */
interface Root {
  source: string;
  path: string;
}

/** Paths of a mapping that have to be evaluated, and what they are evaluated on. It crosses to a thread. */
export interface QueryTask {
  queries: [field: MappedField, written: string][];
  /** Absent when no path is of the body. */
  body?: Root;
  /** The elements of the delivery's alerts; empty when all paths are of the body. */
  elements: Root[];
  /** How many alerts the delivery has. */
  alerts: number;
}

/** The first text or number behind a path, and where it stands. */
interface QueryValue {
  value: string;
  path: string;
}

/** What the paths find in each alert, or why they were not evaluated: one sentence for the person who wrote them. */
export type QueryValues = { found: ReadonlyMap<MappedField, QueryValue>[] } | { stopped: string };

const TOO_SLOW: QueryValues = { stopped: `Stopped after ${LIMIT_MS} ms. Use a path that names its fields.` };

/** Evaluates the paths of one delivery, in bounded time. It keeps the thread that it runs in. */
export function evaluateQueries(task: QueryTask): QueryValues {
  const found = runBounded(() => evaluate(task), LIMIT_MS);
  return found === STOPPED ? TOO_SLOW : { found };
}

function evaluate({ queries, body, elements, alerts }: QueryTask): Map<MappedField, QueryValue>[] {
  const paths = queries.map(([field, written]) => [field, readPath(written)] as const);
  const parsedBody = body && parse(body.source);
  return Array.from({ length: alerts }, (_, alert) => {
    const element = elements[alert];
    const parsedElement = element && parse(element.source);
    const values = new Map<MappedField, QueryValue>();
    for (const [field, path] of paths) {
      if ('error' in path || path.kind !== 'query') continue;
      const [root, parsed] = path.ofBody ? [body, parsedBody] : [element, parsedElement];
      for (const node of path.query.lazyQuery(parsed as never)) {
        const text = textOf(node.value);
        if (text === undefined) continue;
        values.set(field, { value: text, path: node.location.reduce<string>(pathOf, root?.path ?? '') });
        break;
      }
    }
    return values;
  });
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  return typeof value === 'number' ? String(value) : undefined;
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** A number that would lose digits is its text. */
const keepDigits: Reviver = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && context?.source && String(value) !== context.source
    ? context.source
    : value;

/** Values as the library needs them. */
const parse = (source: string): unknown => JSON.parse(source, keepDigits);
