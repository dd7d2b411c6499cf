import type { ReadEvent } from '#backend/contract/delivery.ts';
import type { JsonNode } from '#renderer/lib/json-lines.ts';
import { locate, nodeAt, stepsOf } from '#renderer/features/sources/shown/json-paths.ts';

/** Names at the top of the body, and of the alert's own element, that no field was taken from. */
export function notUsed(root: JsonNode, { origins, element }: Pick<ReadEvent, 'origins' | 'element'>): string[] {
  if (root.kind !== 'object') return [];
  const own = stepsOf(element);
  const used = origins.flatMap(({ path }) => {
    const steps = path === '' || path.startsWith('header:') ? undefined : locate(root, path, own);
    return steps ? [steps] : [];
  });
  const inside = nodeAt(root, own);
  return root.members.flatMap(({ key }) => {
    const ofKey = used.filter(([first]) => first === key);
    if (ofKey.length === 0) return [key];
    if (own[0] !== key || inside?.kind !== 'object') return [];
    return inside.members
      .filter((member) => !ofKey.some((steps) => steps[own.length] === member.key))
      .map((one) => one.key);
  });
}
