import { LABEL_INDEX, labelKey } from '#backend/alerts/alert/alert-list.ts';
import type { Database } from '#backend/platform/database/database.ts';

/**
 * Different labels that are looked at. Alerts keep those of rules that were changed or deleted, so there may be more: of what comes
 * after these, the spelling that is asked for is found, and no other.
 */
const MOST_LABELS = 1_000;

/** Labels of these names as alerts have them, whatever their case; a name that is none of these stands as it is written. */
export async function labelsStored(
  { reads, dialect }: Pick<Database, 'reads' | 'dialect'>,
  names: readonly string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const byKey = new Map(names.map((name) => [labelKey(name), [name.trim()]]));
  const rows: { value: string }[] = await reads.query(
    dialect.distinctTexts('alerts', 'label', LABEL_INDEX, MOST_LABELS),
  );
  const alike = Map.groupBy(
    rows.map(({ value }) => value),
    labelKey,
  );
  const isCut = rows.length === MOST_LABELS;
  return [...byKey].flatMap(([key, written]) => {
    const found = alike.get(key) ?? [];
    return found.length === 0 || isCut ? found.concat(written.filter((one) => !found.includes(one))) : found;
  });
}
