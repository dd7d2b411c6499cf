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
 * The path of a value as a mapping names it: relative to the element that becomes the alert, else from the top of the body, with
 * `$` in front.
 *
 * @param path the value's, from the top of the body
 * @param element the steps to the element; none where the body is the alert
 */
export function mappingPath(root: JsonNode, path: readonly string[], element: readonly string[]): string {
  const isIndex: boolean[] = [];
  let node: JsonNode | undefined = root;
  for (const step of path) {
    isIndex.push(node?.kind === 'array');
    node = childOf(node, step);
  }
  const isOwn = element.every((step, depth) => step === path[depth]);
  const from = isOwn ? element.length : 0;
  const text = pathText(path.slice(from), (depth) => isIndex[depth + from] ?? false);
  if (isOwn) return text;
  return text.startsWith('[') ? `$${text}` : `$.${text}`;
}

/**
 * What a mapping has to say so that a field is read from where a sender's rule took it; empty where no path leads there, such as
 * a value that was put together, or one of a text with JSON in it.
 *
 * @param origin the rule's path from the top of the body, or a header's name
 */
export function pathOfRule(root: JsonNode | undefined, origin: string, element: readonly string[]): string {
  if (!isOfBody(origin)) return origin;
  const steps = stepsOf(origin);
  return root && steps.length > 0 && nodeAt(root, steps) ? mappingPath(root, steps, element) : '';
}

function childOf(node: JsonNode | undefined, step: string): JsonNode | undefined {
  if (node?.kind === 'array') return node.items[Number(step)];
  if (node?.kind === 'object') return node.members.findLast(({ key }) => key === step)?.node;
  return undefined;
}

/** What stands behind some steps from the top of the body. */
export const nodeAt = (root: JsonNode, steps: readonly string[]): JsonNode | undefined =>
  steps.reduce<JsonNode | undefined>(childOf, root);

/**
 * Where the value of a field is in the body. Its path begins at the element that became the alert, or at the body's top.
 * Undefined when there is no such value.
 */
export function locate(root: JsonNode, path: string, element: readonly string[]): string[] | undefined {
  const steps = stepsOf(path);
  if (steps.length === 0) return undefined;
  const places = path.startsWith('$') ? [steps] : [[...element, ...steps], steps];
  return places.find((whole) => nodeAt(root, whole) !== undefined);
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
