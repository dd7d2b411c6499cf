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

/** A path that has to be evaluated. */
export interface PathQuery {
  written: string;
  /** It begins at the body, not at the alert's own element. */
  ofBody: boolean;
  /** `true` and `false` are values, too. */
  withBooleans: boolean;
}

/** Paths of a mapping that have to be evaluated, and what they are evaluated on. It crosses to a thread. */
export interface QueryTask {
  queries: readonly PathQuery[];
  /** Absent when no path is of the body. */
  body?: Root;
  /** The elements of the delivery's alerts; empty when all paths are of the body. */
  elements: Root[];
  /** How many alerts the delivery has. */
  alerts: number;
}

/** The first text or number behind a path, and where it stands. */
export interface QueryValue {
  value: string;
  path: string;
}

/** For each alert, by the place of the path in the task: what it finds. Or why the paths were not evaluated, in one sentence. */
export type QueryValues = { found: readonly (readonly (QueryValue | undefined)[])[] } | { stopped: string };

const TOO_SLOW: QueryValues = { stopped: `Stopped after ${LIMIT_MS} ms. Use a path that names its fields.` };

/** Evaluates the paths of one delivery, in bounded time. It keeps the thread that it runs in. */
export function evaluateQueries(task: QueryTask): QueryValues {
  const found = runBounded(() => evaluate(task), LIMIT_MS);
  return found === STOPPED ? TOO_SLOW : { found };
}

function evaluate({ queries, body, elements, alerts }: QueryTask): (QueryValue | undefined)[][] {
  const paths = queries.map(({ written, withBooleans }) => ({ path: readPath(written), withBooleans }));
  const parsedBody = body && parse(body.source);
  // A path of the body finds the same for each alert.
  const ofBody = paths.map(({ path, withBooleans }) =>
    body && 'query' in path && path.ofBody ? firstOf(path.query, parsedBody, body.path, withBooleans) : undefined,
  );
  return Array.from({ length: alerts }, (_, alert) => {
    const element = elements[alert];
    const parsed = element && parse(element.source);
    return paths.map(({ path, withBooleans }, index) =>
      element && 'query' in path && !path.ofBody
        ? firstOf(path.query, parsed, element.path, withBooleans)
        : ofBody[index],
    );
  });
}

type Query = Extract<ReturnType<typeof readPath>, { kind: 'query' }>['query'];

function firstOf(query: Query, parsed: unknown, root: string, withBooleans: boolean): QueryValue | undefined {
  for (const node of query.lazyQuery(parsed as never)) {
    const text = textOf(node.value, withBooleans);
    if (text !== undefined) return { value: text, path: node.location.reduce<string>(pathOf, root) };
  }
  return undefined;
}

function textOf(value: unknown, withBooleans: boolean): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  return typeof value === 'number' || (withBooleans && typeof value === 'boolean') ? String(value) : undefined;
}

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** A number that would lose digits is its text. */
const keepDigits: Reviver = (_key, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && context?.source && String(value) !== context.source
    ? context.source
    : value;

/** Values as the library needs them. */
const parse = (source: string): unknown => JSON.parse(source, keepDigits);
