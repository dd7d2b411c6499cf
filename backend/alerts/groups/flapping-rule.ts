import { EntitySchema } from 'typeorm';
import type { FlappingTerms } from '#backend/alerts/alert/rhythm.ts';
import { DEFAULT_FLAPPING_RULE, type FlappingRule } from '#backend/contract/flapping-rule.ts';
import { primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { startRepeating } from '#backend/platform/database/repeat.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';

/** Within this time every server knows what another one has changed, in milliseconds. */
const KNOWN_MS = 15_000;

/** The id of the one row. */
export const FLAPPING_RULE_ID = 'all';

/** What an administrator has decided on; without a row the default applies. */
export interface StoredFlappingRule {
  id: typeof FLAPPING_RULE_ID;
  isOn: boolean;
  times: number;
  withinMinutes: number;
  /** Display name of an administrator. */
  changedBy: string;
  changedAt: number;
}

export const FlappingRuleEntity = new EntitySchema<StoredFlappingRule>({
  name: 'FlappingRule',
  tableName: 'flapping_rules',
  columns: {
    id: primary(textColumn('id', 16)),
    isOn: { type: 'boolean', name: 'is_on' },
    times: { type: 'int', name: 'times' },
    withinMinutes: { type: 'int', name: 'within_minutes' },
    changedBy: textColumn('changed_by', 100),
    changedAt: timeColumn('changed_at'),
  },
});

/** The rule as it leaves the server, which adds how many sources differ from it. */
export const presentFlappingRule = (stored: StoredFlappingRule | null): Omit<FlappingRule, 'ownSources'> =>
  stored
    ? {
        isOn: stored.isOn,
        times: stored.times,
        withinMinutes: stored.withinMinutes,
        changedBy: stored.changedBy,
        changedAt: new Date(stored.changedAt).toISOString(),
      }
    : DEFAULT_FLAPPING_RULE;

/** The rule in the memory of each server: whoever stores a report asks without waiting. */
export interface FlappingRules {
  /** Undefined while the rule is off. */
  terms: () => FlappingTerms | undefined;
  /** Reads it again: whoever changed it waits for this before they answer. Where that fails, the next reading follows. */
  refresh: () => Promise<void>;
  stop: () => Promise<void>;
}

/** What storing reports reads of it. */
export type FlappingNow = Pick<FlappingRules, 'terms'>;

/** For whoever stores reports of problems that never flap. */
export const NO_FLAPPING: FlappingNow = { terms: () => undefined };

/** Reads the rule, and again every few seconds: another server may have changed it. */
export async function openFlappingRules({
  database,
  logger,
}: {
  database: Pick<Database, 'reads'>;
  logger: Logger;
}): Promise<FlappingRules> {
  let known: FlappingTerms | undefined;
  let reading: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    const stored = await database.reads.getRepository(FlappingRuleEntity).findOneBy({ id: FLAPPING_RULE_ID });
    const { isOn, times, withinMinutes } = presentFlappingRule(stored);
    known = isOn ? { times, withinMinutes } : undefined;
  };
  /** One after the other, so that what is read last is what counts. */
  const refresh = (): Promise<void> => (reading = reading.then(read, read));
  const onError = (error: unknown): void =>
    logger.error({ err: error }, 'the rule for flapping problems could not be read; the next attempt follows');
  await refresh();
  const repeating = startRepeating(refresh, { intervalMs: KNOWN_MS, onError });
  return {
    terms: () => known,
    // What was changed is stored: whoever changed it is not to repeat it.
    refresh: () => refresh().catch(onError),
    async stop() {
      await repeating.stop();
      await reading.catch(() => undefined);
    },
  };
}
