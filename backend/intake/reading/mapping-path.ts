import { JSONPathEnvironment, JSONPathError, type JSONPathQuery } from 'json-p3';

/**
 * What a field is mapped to. Names and indexes are followed in the body's own text, which costs next to nothing and
 * keeps every digit; any other path is evaluated by the library, in bounded time.
 */
export type MappingPath =
  | { kind: 'literal'; text: string }
  | { kind: 'header'; name: string }
  | { kind: 'names'; ofBody: boolean; names: readonly (string | number)[] }
  | { kind: 'query'; ofBody: boolean; query: JSONPathQuery };

/** Why a path cannot be evaluated, for the person who wrote it. */
export interface PathError {
  error: string;
}

/** Objects and arrays that `..` visits below one another: the body's own bound, and its outermost. */
const ENVIRONMENT = new JSONPathEnvironment({ maxRecursionDepth: 70 });

/**
 * Reads what a person wrote for a field: JSONPath (RFC 9535) below the alert's own element (`labels.alertname`) or, with
 * `$`, below the whole body (`$.receiver`); a header (`header: x-tenant`); or a fixed text (`=Nordwind`).
 */
export function readPath(written: string): MappingPath | PathError {
  const text = written.trim();
  if (text === '') return { error: 'The path is empty' };
  if (text.startsWith('=')) return { kind: 'literal', text: text.slice(1).trim() };
  const header = /^header:\s*([!#$%&'*+.^_`|~\w-]+)$/i.exec(text)?.[1];
  if (header !== undefined) return { kind: 'header', name: header.toLowerCase() };
  const ofBody = text.startsWith('$');
  const prefix = ofBody ? '' : text.startsWith('[') || text.startsWith('.') ? '$' : '$.';
  try {
    const query = ENVIRONMENT.compile(prefix + text);
    const names = namesOf(query);
    return names ? { kind: 'names', ofBody, names } : { kind: 'query', ofBody, query };
  } catch (error) {
    return { error: explain(error, text, prefix.length) };
  }
}

/** The names and indexes of a path that has nothing else; a negative index needs the array's length. */
function namesOf(query: JSONPathQuery): (string | number)[] | undefined {
  if (!query.singularQuery()) return undefined;
  const names = query.segments.map(({ selectors: [selector] }) => {
    if (selector && 'name' in selector) return selector.name as string;
    return selector && 'index' in selector ? (selector.index as number) : -1;
  });
  return names.some((name) => typeof name === 'number' && name < 0) ? undefined : names;
}

function explain(error: unknown, text: string, offset: number): string {
  if (!(error instanceof JSONPathError)) return 'The path cannot be read';
  const position = Math.min(Math.max(error.token.index - offset, 0), text.length);
  if (/unclosed bracket/.test(error.message)) {
    return `The path ends inside a bracket. Add ] after position ${text.length}, or remove [.`;
  }
  const message = error.message.replace(/ \([^()]*:\d+\)$/, '');
  return `The path is wrong at position ${position + 1}: ${message}.`;
}
