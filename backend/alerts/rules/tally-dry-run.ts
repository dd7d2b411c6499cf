import { DRY_RUN_EXAMPLES, type RuleDryRun, type Ruled } from '#backend/contract/rule.ts';
import type { RuleSet, RuledReport, Ruling } from './rule-set.ts';

/**
 * An alert as a dry run reads it. It is judged without its label, as a report of it arrives; it keeps that where no rule gives
 * another one.
 */
export interface TriedAlert extends RuledReport {
  id: string;
  receivedAt: number;
}

/** What rules make of an alert, with the id of the member in the place of their name. */
export interface RuledById extends Omit<Ruled, 'assigneeName'> {
  assigneeId?: string;
}

/** What a dry run found; names of members follow. */
export interface DryRunTally extends Omit<RuleDryRun, 'total' | 'tookMs' | 'since' | 'examples'> {
  oldestAt: number | undefined;
  examples: { id: string; before: RuledById; after: RuledById }[];
}

/**
 * Counts what other rules would make of alerts.
 *
 * @param ruleId the rule that is changed, whose matches are counted
 * @param assignable the members to whom rules may assign alerts: of others they assign none
 */
export function createTally(
  before: RuleSet,
  after: RuleSet,
  ruleId: string | undefined,
  assignable: ReadonlySet<string>,
): { add(alert: TriedAlert): void; result(): DryRunTally } {
  const tally = { judged: 0, matched: 0, changed: 0, fewerNotifications: 0, criticalSilenced: 0 };
  const byKind = { severity: 0, names: 0, quiet: 0, people: 0 };
  const silenced: DryRunTally['examples'] = [];
  const others: DryRunTally['examples'] = [];
  let oldestAt: number | undefined;
  return {
    add(alert) {
      tally.judged += 1;
      oldestAt = Math.min(oldestAt ?? alert.receivedAt, alert.receivedAt);
      const report = { ...alert, label: null };
      const rulings = [before.judge(report), after.judge(report)] as const;
      if (ruleId !== undefined && rulings[1]?.applied.some(({ id }) => id === ruleId)) tally.matched += 1;
      if (!rulings[0] && !rulings[1]) return;
      const [was, would] = [ruledBy(alert, rulings[0], assignable), ruledBy(alert, rulings[1], assignable)];
      const kinds = kindsOf(was, would);
      if (kinds.length === 0) return;
      tally.changed += 1;
      for (const kind of kinds) byKind[kind] += 1;
      tally.fewerNotifications += Number(isSilent(would)) - Number(isSilent(was));
      const isSilenced = alert.severity === 'critical' && isSilent(would) && !isSilent(was);
      if (isSilenced) tally.criticalSilenced += 1;
      const examples = isSilenced ? silenced : others;
      if (examples.length < DRY_RUN_EXAMPLES) examples.push({ id: alert.id, before: was, after: would });
    },
    result: () => ({
      ...tally,
      byKind,
      oldestAt,
      examples: [...silenced, ...others].slice(0, DRY_RUN_EXAMPLES),
    }),
  };
}

/** Whether nobody is notified of a new alert. */
const isSilent = ({ notify, snoozeMinutes }: RuledById): boolean =>
  notify === 'never' || notify === 'suppressed' || snoozeMinutes !== undefined;

function kindsOf(was: RuledById, would: RuledById): (keyof DryRunTally['byKind'])[] {
  const differs = (...fields: (keyof RuledById)[]): boolean => fields.some((field) => was[field] !== would[field]);
  return [
    ...(differs('severity') ? (['severity'] as const) : []),
    ...(differs('customer', 'alertType', 'title', 'label') ? (['names'] as const) : []),
    ...(differs('notify', 'snoozeMinutes') ? (['quiet'] as const) : []),
    ...(differs('assigneeId') ? (['people'] as const) : []),
  ];
}

function ruledBy(
  { severity, customer, alertType, title, label }: TriedAlert,
  ruling: Ruling | undefined,
  assignable: ReadonlySet<string>,
): RuledById {
  const said: Pick<RuledById, 'severity' | 'customer' | 'alertType' | 'title' | 'label'> = {
    severity,
    customer,
    alertType,
    title,
    label,
  };
  if (!ruling) return { ...said, notify: 'usual' };
  const { snooze } = ruling;
  const assign = ruling.assign && assignable.has(ruling.assign.userId) ? ruling.assign : undefined;
  return {
    ...said,
    ...ruling.set,
    ...(assign && { assigneeId: assign.userId }),
    ...(snooze && !assign && { snoozeMinutes: snooze.minutes }),
    notify: ruling.suppressedBy ? 'suppressed' : (ruling.notify ?? 'usual'),
  };
}
