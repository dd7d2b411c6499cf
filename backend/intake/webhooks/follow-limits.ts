import { calmAt, readRhythm, termsFor } from '#backend/alerts/alert/rhythm.ts';
import type { FlappingNow } from '#backend/alerts/groups/flapping-rule.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { pause } from '#backend/platform/database/repeat.ts';

/** Problems whose ends one statement reads at most, and the pause after it in milliseconds. */
const PAGE = 100;
const PAUSE_MS = 20;

/** Within this time every server knows a changed limit, in milliseconds. Until then one may store ends by the limit before. */
const KNOWN_MS = 60_000;

/** What says when problems flap, and has when they end. */
export interface LimitDeps {
  database: Database;
  sources: Pick<SourceRegistry, 'get' | 'all'>;
  flapping: FlappingNow;
}

/** When a problem that flaps is due to be calm, as it is stored, with what says when it should be. */
interface StoredEnd {
  alertId: string;
  sourceId: string | null;
  rhythm: string;
  dueAt: unknown;
}

/**
 * Follows the limits of the installation and of sources for what flaps already: each problem has opened and closed as its rhythm
 * says, and is calm by the limit of now. Whoever stores an opening stores its end by the limit of then.
 *
 * @returns corrects the ends, while limits have changed in the last minute or were not known before; how many it corrected
 */
export function createLimitFollower(deps: LimitDeps): (stopping: AbortSignal) => Promise<number> {
  let known: string | undefined;
  /** By the clock of this process, which nobody sets. */
  let until = 0;
  return async (stopping) => {
    const limits = limitsOf(deps);
    if (limits !== known) until = performance.now() + KNOWN_MS;
    if (performance.now() >= until) return 0;
    const corrected = await correctEnds(deps, stopping);
    known = limits;
    return corrected;
  };
}

/** All limits as a text: the installation's, and those of sources that differ. */
function limitsOf({ sources, flapping }: Omit<LimitDeps, 'database'>): string {
  const own = [...sources.all()].flatMap(({ id, settings }) =>
    settings.flapping === 'installation' ? [] : [[id, settings.flapping]],
  );
  return JSON.stringify([flapping.terms() ?? null, own]);
}

/** Stores for everything that flaps when it is calm by the limits of now. What may not flap at all is ended without that. */
async function correctEnds({ database, sources, flapping }: LimitDeps, stopping: AbortSignal): Promise<number> {
  let corrected = 0;
  let after = '';
  while (!stopping.aborted) {
    const ends: StoredEnd[] = await database.reads.query(
      'SELECT e.alert_id AS alertId, a.source_id AS sourceId, a.rhythm, e.due_at AS dueAt FROM flapping_ends e ' +
        `JOIN alerts a ON a.id = e.alert_id WHERE e.alert_id > ? AND a.rhythm IS NOT NULL ORDER BY e.alert_id LIMIT ${PAGE}`,
      [after],
    );
    const wrong = ends.flatMap(({ alertId, sourceId, rhythm, dueAt }) => {
      const terms = termsFor(sources.get(sourceId ?? '')?.settings.flapping, flapping.terms());
      const calm = terms && calmAt(readRhythm(rhythm), terms);
      return calm === undefined || calm === Number(dueAt) ? [] : [{ alertId, dueAt: Number(dueAt), calm }];
    });
    if (wrong.length > 0) {
      await database.transaction(async (tx) => {
        for (const { alertId, dueAt, calm } of wrong) {
          // An opening that was stored meanwhile has stored its own end: that is looked at next time.
          await tx.query('UPDATE flapping_ends SET due_at = ? WHERE alert_id = ? AND due_at = ?', [
            calm,
            alertId,
            dueAt,
          ]);
        }
      });
      corrected += wrong.length;
    }
    if (ends.length < PAGE) break;
    after = ends.at(-1)?.alertId ?? '';
    await pause(PAUSE_MS, stopping);
  }
  return corrected;
}
