import { parseSync } from 'vite';

/** A small mistake in a file: what stands from `start` to `end`, in characters, is `after` instead. */
export interface Mutant {
  kind: 'condition' | 'comparison' | 'junction' | 'await' | 'statement' | 'boolean' | 'sum';
  start: number;
  end: number;
  after: string;
  /** From 1 on. */
  line: number;
  /** Body of the function that it stands in; undefined outside of functions. */
  body: Place | undefined;
}

/** From `start` to `end`, in characters. */
export interface Place {
  start: number;
  end: number;
}

/** A node of ESTree with its place, as far as it is needed here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string' && 'start' in value;

/** A comparison, and the one next to it. */
const NEIGHBOURS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
};

const SUMS: Readonly<Record<string, string>> = { '-': '+', '*': '/', '/': '*' };
const JUNCTIONS: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

/** Types and imports do nothing when the code runs. */
const IDLE = /^(TS(?!AsExpression|NonNull|Satisfies)|Import|ExportAll)/;

/**
 * The mistakes that can be made in a file, one at a time: a condition turned round, a comparison off by one, `and` for `or`,
 * a promise that nobody waits for, a call or a refusal left out, the other truth value, the other sign.
 *
 * @param file its name, by whose ending it is read
 * @throws {SyntaxError} when it cannot be read
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  const found: Mutant[] = [];
  let body: Place | undefined;
  const add = (kind: Mutant['kind'], { start, end }: Place, after: string): void => {
    if (source.slice(start, end) !== after) found.push({ kind, start, end, after, line: lineOf(source, start), body });
  };
  walk(program as unknown as Node, undefined, (node, around) => {
    body = around;
    switch (node.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
      case 'WhileStatement': {
        const condition = node['test'] as Node;
        add('condition', condition, `!(${source.slice(condition.start, condition.end)})`);
        break;
      }
      case 'BinaryExpression':
      case 'LogicalExpression':
        mutateOperator(source, node, add);
        break;
      case 'AwaitExpression':
        add('await', { start: node.start, end: node.start + 'await'.length }, 'void');
        break;
      case 'ExpressionStatement':
        if (isCall(node['expression'])) add('statement', node, ';');
        break;
      case 'ThrowStatement':
        add('statement', node, ';');
        break;
      case 'Literal':
        if (typeof node['value'] === 'boolean') add('boolean', node, String(!node['value']));
        break;
      default:
    }
  });
  return found;
}

function mutateOperator(
  source: string,
  node: Node,
  add: (kind: Mutant['kind'], place: Place, after: string) => void,
): void {
  const { left, right, operator } = node as unknown as { left: Node; right: Node; operator: string };
  const after = NEIGHBOURS[operator] ?? JUNCTIONS[operator] ?? SUMS[operator];
  if (after === undefined) return;
  const start = source.indexOf(operator, left.end);
  if (start === -1 || start >= right.start) return;
  const kind = operator in NEIGHBOURS ? 'comparison' : operator in JUNCTIONS ? 'junction' : 'sum';
  add(kind, { start, end: start + operator.length }, after);
}

const isCall = (expression: unknown): boolean =>
  isNode(expression) &&
  (expression.type === 'CallExpression' || (expression.type === 'AwaitExpression' && isCall(expression['argument'])));

/** Visits a node and all below it, each with the body of the function around it. Parameters count as outside. */
function walk(node: Node, body: Place | undefined, visit: (node: Node, body: Place | undefined) => void): void {
  if (IDLE.test(node.type)) return;
  visit(node, body);
  for (const [field, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isNode(child)) continue;
      const isBody = field === 'body' && /Function/.test(node.type);
      walk(child, isBody ? { start: child.start, end: child.end } : body, visit);
    }
  }
}

const lineOf = (source: string, position: number): number => source.slice(0, position).split('\n').length;

/** A file with a mistake in it. */
export const withMutant = (source: string, { start, end, after }: Mutant): string =>
  source.slice(0, start) + after + source.slice(end);

/** The bodies of functions in which mistakes stand, each once. */
export function bodiesOf(mutants: readonly Mutant[]): Place[] {
  const bodies = new Map(mutants.map(({ body }) => [body?.start, body]));
  return [...bodies.values()].filter((body) => body !== undefined);
}

/**
 * A file whose functions note in another file that they were called: a line for each with its place among `bodies`, a tab and
 * the path of the test that runs, which is empty in a process or thread that a test started.
 *
 * @param notes path of that file
 * @param first number of the first of the bodies, where several files note their calls in one
 */
export function withNotes(source: string, bodies: readonly Place[], notes: string, first: number = 0): string {
  let noted = source;
  const places = bodies.flatMap(({ start, end }, index) =>
    source[start] === '{'
      ? [{ at: start + 1, text: `noteCall__(${first + index});` }]
      : [
          { at: start, text: `(noteCall__(${first + index}), ` },
          { at: end, text: ')' },
        ],
  );
  for (const { at, text } of places.toSorted((a, b) => b.at - a.at))
    noted = noted.slice(0, at) + text + noted.slice(at);
  return `${noted}
function noteCall__(index) {
  const line = index + '\\t' + (globalThis.__vitest_worker__?.filepath ?? '') + '\\n';
  const noted = (globalThis.__noted ??= new Set());
  if (noted.has(line)) return;
  noted.add(line);
  process.getBuiltinModule('node:fs').appendFileSync(${JSON.stringify(notes)}, line);
}
`;
}
