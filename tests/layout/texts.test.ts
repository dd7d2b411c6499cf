import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSync } from 'vite';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** Modules that hold texts: those of a page or an area, labels of values, and how each sender is set up. */
const TEXT_MODULE = /(?:^|[/-])(?:texts|labels|set-ups(?:-\w+)?)\.tsx?$/;

/** The attributes and fields whose strings people read, in whatever component or call they are. */
const SHOWN =
  /^(?:alt|aria-(?:description|label|roledescription|valuetext)|copyLabel|countLabel|data-tip|description|done|heading|hint|label|labelInfo|message|placeholder|question|reason|subtitle|summary|text|title|what)$/;

/** Elements whose text is no language: what to type, keys to press. */
const VERBATIM = new Set(['code', 'kbd']);

/** Names of products and keys, which are the same in all languages. */
const NAME =
  /^(?:Alertmanager|Ctrl|curl|Enter|Esc|F8|GitHub|Google Chat|Grafana|Harbor & Finch|https:.*|Microsoft Teams|Standard Webhooks|Uptime Kuma|[A-Z](?: [A-Z]\w*)?)$/;

/** Two words and more, the first with a capital, as sentences and titles begin. */
const SENTENCE = /^(?:A|I|\p{Lu}\p{Ll}+[’']?\p{Ll}*) .*\p{L}{2}/u;

/** Read by other programs: the columns of files. */
const LEFT_OUT = /^renderer\/(?:features\/insight\/export-insight|alerts\/export\/export-file)\.ts/;

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

/** The nodes below a node, each with the name of the field that it is in. */
const childrenOf = (node: Node): { field: string; child: Node }[] =>
  Object.entries(node).flatMap(([field, value]) =>
    (Array.isArray(value) ? (value as unknown[]) : [value]).filter(isNode).map((child) => ({ field, child })),
  );

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return '';
  return String(node['name'] ?? node['value'] ?? '');
};

/** The string that a node is, with … for what a template fills in; undefined for any other node. */
const stringOf = (node: Node): string | undefined => {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…');
};

/** What surrounds a string: whether its letters are shown, and whether it is an error's message for developers. */
interface Place {
  isShown: boolean;
  isThrown: boolean;
}

/** The texts of a module, each with the place where it begins. */
function textsIn(file: string, source: string): { at: number; text: string }[] {
  const { program, errors } = parseSync(file, source);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const found: { at: number; text: string }[] = [];
  const visit = (node: Node, place: Place): void => {
    // Types, names of fields, what is compared or looked up, and paths of modules are no texts.
    if (/^(?:TS(?!AsExpression|SatisfiesExpression|NonNull)|Import)/.test(node.type)) return;
    if (node.type === 'JSXElement' && VERBATIM.has(nameOf((node['openingElement'] as Node)['name']))) return;
    const text = node.type === 'JSXText' ? String(node['value']) : stringOf(node);
    if (text !== undefined && /\p{L}/u.test(text) && !NAME.test(text)) {
      const isShown = node.type === 'JSXText' || place.isShown;
      if (isShown || (SENTENCE.test(text) && !place.isThrown)) found.push({ at: node.start, text });
    }
    for (const { field, child } of childrenOf(node)) visit(child, placeOf(node, field, place));
  };
  visit(program as unknown as Node, { isShown: false, isThrown: false });
  return found;
}

/** The place of what a node has in a field. */
function placeOf(node: Node, field: string, place: Place): Place {
  switch (node.type) {
    case 'JSXAttribute':
      return { ...place, isShown: SHOWN.test(nameOf(node['name'])) };
    case 'Property':
      return {
        ...place,
        isShown: field === 'value' && nameOf(node['key']) !== 'what' && SHOWN.test(nameOf(node['key'])),
      };
    case 'JSXElement':
    case 'JSXFragment':
      return { ...place, isShown: field === 'children' };
    case 'NewExpression':
      return { isShown: false, isThrown: true };
    case 'ConditionalExpression':
      return field === 'test' ? { ...place, isShown: false } : place;
    case 'JSXExpressionContainer':
    case 'LogicalExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return place;
    default:
      return { ...place, isShown: false };
  }
}

const modules = readdirSync(join(PROJECT_DIR, 'renderer'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('renderer', name).replaceAll('\\', '/'))
  .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|d)\.tsx?$/.test(name));

test.each([
  ['text between tags', '<p>Not saved</p>'],
  ['a choice of two', '<p>{isOn ? "On" : off}</p>'],
  ['a name for screen readers', '<b aria-label={`Remove ${name}`} />'],
  ['a title in a call', 'toasts.show({ title: "Saved" })'],
  ['a sentence', 'const reason = "Nothing is selected.";'],
])('%s is found', (_, code) => expect(textsIn('a.tsx', code)).toHaveLength(1));

test.each([
  '<b className="a b" />',
  '<code>HOST</code>',
  'if (key === "Enter") run();',
  'throw new Error("No root here")',
])('%s has no text', (code) => expect(textsIn('a.tsx', code)).toEqual([]));

test('what people read stands in modules of texts', () => {
  const holders = modules.filter((file) => TEXT_MODULE.test(file));
  expect(holders.length).toBeGreaterThan(40);
  const others = modules.filter((file) => !TEXT_MODULE.test(file) && !LEFT_OUT.test(file));
  const found = others.flatMap((file) => {
    const source = readFileSync(join(PROJECT_DIR, file), 'utf8');
    return textsIn(file, source).map(
      ({ at, text }) => `${file}:${source.slice(0, at).split('\n').length} ${text.trim()}`,
    );
  });
  expect(found).toEqual([]);
});
