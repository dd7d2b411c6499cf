import { parseAst } from 'vite';

/** What may follow `test`, `it` and `describe` in a call that declares tests. */
const MODIFIERS = new Set(['each', 'for', 'runIf', 'skipIf', 'skip', 'only', 'concurrent', 'sequential', 'describe']);

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/**
 * The tests of a file by their titles, those of `describe` in front: `the customer › keeps every digit of a number`. A
 * title is as written in the source: with `%s` where a table fills it in, with `${name}` where a template does.
 */
export function readTitles(source: string, lang: 'ts' | 'tsx'): ReadonlySet<string> {
  const titles = new Set<string>();
  const visit = (node: Node, suites: readonly string[]): void => {
    const found = declarationIn(node, source);
    if (found?.kind === 'test') titles.add([...suites, found.title].join(' › '));
    const inside = found?.kind === 'suite' ? [...suites, found.title] : suites;
    for (const child of childrenOf(node)) visit(child, inside);
  };
  visit(parseAst(source, { lang }) as unknown as Node, []);
  return titles;
}

function declarationIn(node: Node, source: string): { kind: 'test' | 'suite'; title: string } | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const names = namesIn(node['callee'] as Node);
  const [root = '', ...modifiers] = names;
  if (!['test', 'it', 'describe'].includes(root) || !modifiers.every((name) => MODIFIERS.has(name))) return undefined;
  const [first] = node['arguments'] as Node[];
  if (first?.type === 'Literal' && typeof first['value'] === 'string') {
    return { kind: names.includes('describe') ? 'suite' : 'test', title: first['value'] };
  }
  if (first?.type !== 'TemplateLiteral') return undefined;
  return { kind: names.includes('describe') ? 'suite' : 'test', title: source.slice(first.start + 1, first.end - 1) };
}

/** The names of a callee such as `test.each(rows)`: `test`, `each`. */
function namesIn(callee: Node): string[] {
  if (callee.type === 'Identifier') return [callee['name'] as string];
  if (callee.type === 'CallExpression') return namesIn(callee['callee'] as Node);
  if (callee.type === 'TaggedTemplateExpression') return namesIn(callee['tag'] as Node);
  if (callee.type !== 'MemberExpression') return [''];
  return [...namesIn(callee['object'] as Node), ...namesIn(callee['property'] as Node)];
}

const childrenOf = (node: Node): Node[] =>
  Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value);
