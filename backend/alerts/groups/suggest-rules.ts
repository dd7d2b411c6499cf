import { marksOf } from '#backend/platform/database/conditions.ts';
import { type GroupingKind, SUGGESTION_DAYS, groupingKindSchema } from '#backend/contract/alert-group.ts';
import { selectAlert } from '#backend/alerts/alert/alert.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { inSizes } from '#backend/platform/database/dialect.ts';
import { type GroupedFacts, groupKeyOf, groupingPartOf } from './group-key.ts';

/** Newest entries of histories that are looked through, and alerts that are read of those. */
const MAX_ENTRIES = 20_000;
const MAX_ALERTS = 2_000;

/** Alerts that one person accepts within so many milliseconds were accepted together. */
const TOGETHER_MS = 1_000;

/** A rule is suggested from so many times on. */
const MIN_TIMES = 3;

/** Alerts that somebody accepted in one go. */
type Handled = readonly GroupedFacts[];

/** How often a rule would have put together what was accepted together. */
export interface Suggestion {
  times: number;
  alerts: number;
  /** How often several alerts were accepted together at all. */
  ofTimes: number;
}

/** What was accepted together in the last days, as far as the newest entries say. */
export async function readHandled({ reads }: Pick<Database, 'reads'>, now = Date.now()): Promise<Handled[]> {
  const entries: { alertId: string; name: string; action: string; at: unknown }[] = await reads.query(
    'SELECT alert_id AS alertId, user_display_name AS name, action, created_at AS at ' +
      `FROM alert_history ORDER BY id DESC LIMIT ${MAX_ENTRIES}`,
  );
  const after = now - SUGGESTION_DAYS * 24 * 60 * 60 * 1000;
  const batches: string[][] = [];
  const open = new Map<string, { at: number; ids: string[] }>();
  for (const { alertId, name, action, at } of entries) {
    if (action !== 'accepted' || Number(at) < after) continue;
    const known = open.get(name);
    if (known && Math.abs(known.at - Number(at)) <= TOGETHER_MS) known.ids.push(alertId);
    else {
      const ids = [alertId];
      batches.push(ids);
      open.set(name, { at: Number(at), ids });
    }
  }
  const several = batches.filter(({ length }) => length > 1);
  const ids = [...new Set(several.flat())].slice(0, MAX_ALERTS);
  const facts = new Map<string, GroupedFacts>();
  for (const some of inSizes(ids)) {
    const rows: (GroupedFacts & { id: string })[] = await reads.query(
      `SELECT ${selectAlert(['id', 'customer', 'alertType', 'sourceId', 'groupKey', 'groupTitle'])}, ` +
        `SUBSTR(payload, 1, 65536) AS payload FROM alerts WHERE id IN (${marksOf(some)})`,
      [...some],
    );
    // Payloads are large, and there may be thousands.
    for (const { id, ...alert } of rows) facts.set(id, { ...alert, payload: groupingPartOf(alert.payload) });
  }
  return several.map((batch) => batch.flatMap((id) => facts.get(id) ?? [])).filter(({ length }) => length > 1);
}

/** Which rules would have put together what people handled together: counted, each rule by itself. */
export function suggestRules(handled: readonly Handled[]): Map<GroupingKind, Suggestion> {
  const suggestions = new Map<GroupingKind, Suggestion>();
  for (const kind of groupingKindSchema.options) {
    const rule = { kind, withinMinutes: 1 };
    let [times, alerts] = [0, 0];
    for (const batch of handled) {
      const keys = batch.flatMap((alert) => groupKeyOf([rule], alert)?.key ?? []);
      const together = [...Map.groupBy(keys, (key) => key).values()].filter(({ length }) => length > 1);
      if (together.length === 0) continue;
      times += 1;
      alerts += together.flat().length;
    }
    if (times >= MIN_TIMES) suggestions.set(kind, { times, alerts, ofTimes: handled.length });
  }
  return suggestions;
}
