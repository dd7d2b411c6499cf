import type { FieldOrigin } from '#backend/contract/delivery.ts';
import type { JsonNode } from '#renderer/lib/json-lines.ts';
import { locate } from '#renderer/features/sources/shown/json-paths.ts';

/** Names at the top of the body, and of the alert's own element, that no field was taken from. */
export function notUsed(root: JsonNode, origins: readonly FieldOrigin[], alertIndex: number): string[] {
  if (root.kind !== 'object') return [];
  const used = origins.flatMap(({ path }) => {
    const steps = path === '' || path.startsWith('header:') ? undefined : locate(root, path, alertIndex);
    return steps ? [steps] : [];
  });
  return root.members.flatMap(({ key, node }) => {
    const inside = used.filter(([first]) => first === key);
    const element = node.kind === 'array' ? node.items[alertIndex] : undefined;
    if (inside.length === 0) return [key];
    if (element?.kind !== 'object') return [];
    return element.members
      .filter((member) => !inside.some((steps) => steps[2] === member.key))
      .map(({ key: name }) => name);
  });
}
