import type { Source } from '#backend/contract/source.ts';
import { markOf, senderOf } from '#renderer/features/sources/shown/sender-tile.tsx';
import type { HealthState } from '#renderer/features/sources/shown/health-labels.ts';

const RANKS: Partial<Record<HealthState, number>> = { refusing: 0, silent: 1 };

const byName = (a: Source, b: Source): number => a.name.localeCompare(b.name, undefined, { sensitivity: 'base' });

/** Ids in the order in which the list opens: refusing, silent, then by name. */
export const orderOf = (sources: readonly Source[]): string[] =>
  sources
    .toSorted((a, b) => (RANKS[a.health.state] ?? 2) - (RANKS[b.health.state] ?? 2) || byName(a, b))
    .map(({ id }) => id);

/** The sources in a fixed order; those that are not in it follow by name. */
export function inOrder(sources: readonly Source[], order: readonly string[]): Source[] {
  const places = new Map(order.map((id, place) => [id, place]));
  const placeOf = ({ id }: Source): number => places.get(id) ?? order.length;
  return sources.toSorted((a, b) => placeOf(a) - placeOf(b) || byName(a, b));
}

/** The sources whose name, sender or sender's other names contain `text`, and of one health when given. */
export function matching(sources: readonly Source[], text: string, health: HealthState | undefined): Source[] {
  const wanted = text.trim().toLowerCase();
  return sources.filter((source) => {
    if (health !== undefined && source.health.state !== health) return false;
    if (wanted === '') return true;
    const { name, alsoKnownAs = [] } = markOf(senderOf(source));
    return [source.name, name, ...alsoKnownAs].some((known) => known.toLowerCase().includes(wanted));
  });
}
