import type { JsonLine, JsonNode } from '#renderer/lib/json-lines.ts';

/** Steps of a path such as `alerts[0].labels['k8s.io/app']`, without the `$` that it may begin with. */
export function stepsOf(path: string): string[] {
  const steps = path.replace(/^\$\.?/, '').matchAll(/\[(?:'([^']*)'|"([^"]*)")\]|\[(\d+)\]|([^.[\]]+)/g);
  return [...steps].map(([, single, double, index, plain]) => single ?? double ?? index ?? plain?.trim() ?? '');
}

/** A name that a path can hold as it is. */
const PLAIN_NAME = /^[A-Za-z_][\w]*$/;

/** The path of a value as a mapping names it. Numbers are indexes where `isIndex` says so. */
export function pathText(steps: readonly string[], isIndex: (depth: number) => boolean): string {
  return steps.reduce((path, step, depth) => {
    if (isIndex(depth)) return `${path}[${step}]`;
    if (!PLAIN_NAME.test(step)) return `${path}['${step}']`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

/**
 * The path of a line as a mapping names it: relative to the element that becomes the alert, else from the top of the body, with
 * `$` in front.
 */
export function pathOfLine(
  root: JsonNode,
  { path }: Pick<JsonLine, 'path'>,
  alertIndex: number,
  split?: readonly string[],
): string {
  const isIndex: boolean[] = [];
  let node: JsonNode | undefined = root;
  for (const step of path) {
    isIndex.push(node?.kind === 'array');
    node = childOf(node, step);
  }
  const elements = elementsOf(root, alertIndex, split);
  const element = elements.find((steps) => steps.every((step, depth) => step === path[depth])) ?? [];
  const below = pathText(path.slice(element.length), (depth) => isIndex[depth + element.length] ?? false);
  if (element.length > 0 || elements.length === 0) return below;
  return below.startsWith('[') ? `$${below}` : `$.${below}`;
}

function childOf(node: JsonNode | undefined, step: string): JsonNode | undefined {
  if (node?.kind === 'array') return node.items[Number(step)];
  if (node?.kind === 'object') return node.members.findLast(({ key }) => key === step)?.node;
  return undefined;
}

const nodeAt = (root: JsonNode, steps: readonly string[]): JsonNode | undefined =>
  steps.reduce<JsonNode | undefined>(childOf, root);

/**
 * Where the value of a field is in the body. Its path may begin at the body's top or at the element that became the alert, so
 * elements of the body's lists are tried first. Undefined when there is no such value.
 */
export function locate(
  root: JsonNode,
  path: string,
  alertIndex: number,
  split?: readonly string[],
): string[] | undefined {
  const steps = stepsOf(path);
  if (steps.length === 0) return undefined;
  return [...(path.startsWith('$') ? [] : elementsOf(root, alertIndex, split)), []]
    .map((element) => element.concat(steps))
    .find((whole) => nodeAt(root, whole) !== undefined);
}

/**
 * The elements that the alert of this index can have been: of the list that the mapping splits, of the body itself, or of a
 * list in it.
 */
function elementsOf(root: JsonNode, index: number, split?: readonly string[]): string[][] {
  if (split && nodeAt(root, split)?.kind === 'array') return [[...split, String(index)]];
  if (root.kind === 'array') return [[String(index)]];
  if (root.kind !== 'object') return [];
  return root.members
    .filter(({ node }) => node.kind === 'array' && node.items[index]?.kind === 'object')
    .map(({ key }) => [key, String(index)]);
}

/** Number of the line that shows the value at `steps`, or that it is in; -1 when there is none. */
export function lineAt(lines: readonly JsonLine[], steps: readonly string[]): number {
  for (let length = steps.length; length >= 0; length -= 1) {
    const found = lines.findIndex(
      ({ path, isEnd }) => !isEnd && path.length === length && path.every((step, depth) => step === steps[depth]),
    );
    if (found !== -1) return found;
  }
  return -1;
}

/** Whether a mapping's path names a value of the body, not a header or a text of its own. */
export const isOfBody = (path: string): boolean => !/^\s*(?:=|header:)/i.test(path);

/** A path as people read it: without the element of a list that the whole alert comes from. */
export const shortPath = (path: string): string => path.replace(/^[A-Za-z_$]*[\w$]*\[\d+\]\./, '');
