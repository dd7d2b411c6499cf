import type { Database } from '#backend/platform/database/database.ts';
import { startRepeating } from '#backend/platform/database/repeat.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { GroupingRuleEntity } from './group-entities.ts';
import { type ActiveRule, inOrder } from './group-key.ts';

/** Within this time every server knows a rule that another one has changed, in milliseconds. */
const KNOWN_MS = 15_000;

/** The rules that are on, in the memory of each server: whoever stores an alert asks without waiting. */
export interface GroupingRules {
  active: () => readonly ActiveRule[];
  /** Reads them again: whoever changed one waits for this before they answer. Where that fails, the next reading follows. */
  refresh: () => Promise<void>;
  stop: () => Promise<void>;
}

/** What storing alerts reads of it. */
export type GroupingNow = Pick<GroupingRules, 'active'>;

/** For whoever stores alerts that are not grouped. */
export const NO_GROUPING: GroupingNow = { active: () => [] };

/** Reads the rules, and again every few seconds: another server may have changed one. */
export async function openGroupingRules({
  database,
  logger,
}: {
  database: Pick<Database, 'reads'>;
  logger: Logger;
}): Promise<GroupingRules> {
  let known: readonly ActiveRule[] = [];
  let reading: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    const rules = await database.reads.getRepository(GroupingRuleEntity).findBy({ isOn: true });
    known = inOrder(rules).map(({ kind, withinMinutes }) => ({ kind, withinMinutes }));
  };
  /** One after the other, so that what is read last is what counts. */
  const refresh = (): Promise<void> => (reading = reading.then(read, read));
  const onError = (error: unknown): void =>
    logger.error({ err: error }, 'the grouping rules could not be read; the next attempt follows');
  await refresh();
  const repeating = startRepeating(refresh, { intervalMs: KNOWN_MS, onError });
  return {
    active: () => known,
    // What was changed is stored: whoever changed it is not to repeat it.
    refresh: () => refresh().catch(onError),
    async stop() {
      await repeating.stop();
      await reading.catch(() => undefined);
    },
  };
}
