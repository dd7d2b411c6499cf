import { LABEL_INDEX, labelKey } from '#backend/alerts/alert/alert-list.ts';
import type { Database } from '#backend/platform/database/database.ts';

/** Different labels that are looked at. There are about as many as rules that give one. */
const MOST_LABELS = 1_000;

/** Labels of these names as alerts have them, whatever their case; a name that no alert has by now stands as it is written. */
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
  return [...byKey].flatMap(([key, written]) => alike.get(key) ?? written);
}
