/** A value of a JSON text with its scalars exactly as they are written, so that every digit stays. */
export type JsonNode =
  | { kind: 'scalar'; text: string }
  | { kind: 'object'; members: { key: string; node: JsonNode }[] }
  | { kind: 'array'; items: JsonNode[] };

/** Deepest nesting that is laid out; deeper text is shown as received. */
const MAX_DEPTH = 128;

/** Tokens of JSON: structure, strings, everything else up to the next of them. */
const TOKEN = /[{}[\]:,]|"(?:[^"\\]|\\.)*"|[^\s{}[\]:,"]+/g;

/** Reads a JSON text. Returns undefined when it is not JSON, or nested too deeply. */
export function readJson(text: string): JsonNode | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  const read = (depth: number): JsonNode => {
    if (depth > MAX_DEPTH) throw new RangeError('Nested too deeply.');
    const token = tokens[at++] ?? '';
    if (token === '{') {
      const members: { key: string; node: JsonNode }[] = [];
      while (tokens[at] !== '}') {
        const key = JSON.parse(tokens[at] ?? '""') as string;
        at += 2;
        members.push({ key, node: read(depth + 1) });
        if (tokens[at] === ',') at += 1;
      }
      at += 1;
      return { kind: 'object', members };
    }
    if (token !== '[') return { kind: 'scalar', text: token };
    const items: JsonNode[] = [];
    while (tokens[at] !== ']') {
      items.push(read(depth + 1));
      if (tokens[at] === ',') at += 1;
    }
    at += 1;
    return { kind: 'array', items };
  };
  try {
    return read(0);
  } catch {
    return undefined;
  }
}

/** A line of laid out JSON. `path` is where its value is, as steps from the top; a closing bracket has that of its opening. */
export interface JsonLine {
  depth: number;
  /** The name before the value, as JSON writes it. */
  name?: string;
  /** The value, or its bracket, with the comma after it. */
  text: string;
  path: readonly string[];
  /** A scalar or an empty value: what a mapping can name. */
  isLeaf: boolean;
  isEnd: boolean;
}

/** An object or list with at most one plain value stands on one line when that line is at most so long, in characters. */
const INLINE_LENGTH = 48;

/** Lays JSON out with one value a line. `isInline` lets an object or list with one plain value share its line. */
export function linesOf(node: JsonNode, isInline = true): JsonLine[] {
  const lines: JsonLine[] = [];
  const add = (
    value: JsonNode,
    path: readonly string[],
    depth: number,
    name: string | undefined,
    end: string,
  ): void => {
    const named = name === undefined ? {} : { name };
    const inline = inlineText(value, isInline);
    if (inline !== undefined) {
      const isLeaf = value.kind === 'scalar';
      lines.push({ depth, ...named, text: `${inline}${end}`, path, isLeaf, isEnd: false });
      return;
    }
    const children: [string | undefined, JsonNode, string][] =
      value.kind === 'object'
        ? value.members.map((member) => [JSON.stringify(member.key), member.node, member.key])
        : value.kind === 'array'
          ? value.items.map((item, index) => [undefined, item, String(index)])
          : [];
    const [open, close] = value.kind === 'object' ? '{}' : '[]';
    lines.push({ depth, ...named, text: open ?? '', path, isLeaf: false, isEnd: false });
    for (const [index, [childName, child, step]] of children.entries()) {
      add(child, [...path, step], depth + 1, childName, index < children.length - 1 ? ',' : '');
    }
    lines.push({ depth, text: `${close}${end}`, path, isLeaf: false, isEnd: true });
  };
  add(node, [], 0, undefined, '');
  return lines;
}

function inlineText(node: JsonNode, isInline: boolean): string | undefined {
  if (node.kind === 'scalar') return node.text;
  if (node.kind === 'array') {
    if (node.items.length === 0) return '[]';
    const only = isInline && node.items.length === 1 ? node.items[0] : undefined;
    return only?.kind === 'scalar' ? short(`[ ${only.text} ]`) : undefined;
  }
  if (node.members.length === 0) return '{}';
  const only = isInline && node.members.length === 1 ? node.members[0] : undefined;
  return only?.node.kind === 'scalar' ? short(`{ ${JSON.stringify(only.key)}: ${only.node.text} }`) : undefined;
}

const short = (text: string): string | undefined => (text.length <= INLINE_LENGTH ? text : undefined);

/** The laid out text, two spaces a level. */
export const layOut = (lines: readonly JsonLine[]): string =>
  lines
    .map(({ depth, name, text }) => `${'  '.repeat(depth)}${name === undefined ? '' : `${name}: `}${text}`)
    .join('\n');
