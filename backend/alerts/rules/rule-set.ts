import { performance } from 'node:perf_hooks';
import type { NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import { type MatchedAlert, compileList } from '#backend/alerts/alert/match-list.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import { type RuleActions, SLOW_RULE_MS } from '#backend/contract/rule.ts';
import { type IndexedAlert, createRuleIndex } from './rule-index.ts';

/** What a report says, as far as rules read and set it. */
export interface RuledReport extends IndexedAlert {
  severity: AlertSeverity;
  isTest: boolean;
}

/** A rule that is decided without the database. */
export interface CompiledRule {
  id: string;
  name: string;
  version: number;
  actions: RuleActions;
  list: NarrowedList;
  matches: (alert: MatchedAlert) => boolean;
}

/** What rules decide about a report. Of two that decide on the same, the later one counts. */
export interface Ruling {
  /** What takes the place of what the sender says. */
  set: Partial<Pick<RuledReport, 'severity' | 'customer' | 'alertType' | 'title'>> & { label?: string };
  /** The member to whom a new alert is assigned, and the rule that says so. */
  assign: { userId: string; rule: CompiledRule } | undefined;
  /** For how long a new alert is snoozed, in minutes, and the rule that says so. */
  snooze: { minutes: number; rule: CompiledRule } | undefined;
  notify: RuleActions['notify'];
  /** The rule that keeps the alert quiet. */
  suppressedBy: CompiledRule | undefined;
  /** The rules that were applied, in order. */
  applied: readonly CompiledRule[];
}

/** An alert that a transaction stores or changes, as far as rules are concerned. */
export interface RuledAlert {
  /** What rules decided about the newest report of it, and which of them did what, for its history. */
  ruling?: Ruling | undefined;
  ruled: { rule: CompiledRule; did: string }[];
  /** Its sender reported it, and did not merely amend what it said. */
  isReported?: boolean;
  /** A rule has filed it under another label than before. */
  isLabelNew?: boolean;
  /** A rule keeps it quiet. */
  isSuppressed?: boolean;
}

/** Why a rule is switched off. */
export interface RuleFault {
  rule: CompiledRule;
  reason: string;
}

/** Rules in their order, compiled. */
export interface RuleSet {
  readonly rules: readonly CompiledRule[];
  /**
   * What the rules make of a report; undefined where none is about it. A rule that throws or is slow is left out from then on, and
   * reported: the report is stored whatever its rules do.
   */
  judge(report: RuledReport): Ruling | undefined;
}

/** Times that a slow rule is measured again: a pause of the process is not its fault. */
const MEASURED_AGAIN = 3;

/** Rules are measured again after this at the earliest, in milliseconds: measuring delays what arrives. */
const MEASURE_MS = 60_000;

/** When rules were measured last, a moment of `performance.now()`. */
interface Measuring {
  lastAt: number;
}

export const newMeasuring = (): Measuring => ({ lastAt: Number.NEGATIVE_INFINITY });

/** Compiles a rule. @param list what its search means now */
export const compileRule = (
  { id, name, version }: Pick<CompiledRule, 'id' | 'name' | 'version'>,
  actions: RuleActions,
  list: NarrowedList,
): CompiledRule => ({ id, name, version, actions, list, matches: compileList(list) });

/**
 * @param onFault is given each rule that is left out from then on, once
 * @param measuring shared by all sets of a server, which makes a new one each time that it reads the rules
 */
export function createRuleSet(
  rules: readonly CompiledRule[],
  onFault: (fault: RuleFault) => void,
  measuring: Measuring = newMeasuring(),
): RuleSet {
  if (rules.length === 0) return { rules, judge: () => undefined };
  const index = createRuleIndex(rules.map(({ list }) => list));
  const faulty = new Set<CompiledRule>();
  /** The rules that were asked about the report that is judged, in one array for all reports. */
  const asked: CompiledRule[] = [];
  const leaveOut = (rule: CompiledRule, reason: string): void => {
    if (faulty.has(rule)) return;
    faulty.add(rule);
    onFault({ rule, reason });
  };
  const matches = (rule: CompiledRule, alert: MatchedAlert): boolean => {
    try {
      return rule.matches(alert);
    } catch (error) {
      leaveOut(rule, `It failed: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    }
  };
  const judgeAll = (report: RuledReport): Ruling | undefined => {
    const candidates = index.candidatesFor(report);
    let at = candidates.next(0);
    if (at === -1) return undefined;
    const alert = matchedOf(report);
    const applied: CompiledRule[] = [];
    for (; at !== -1; at = candidates.next(at + 1)) {
      const rule = rules[at];
      if (!rule || faulty.has(rule)) continue;
      asked.push(rule);
      if (!matches(rule, alert)) continue;
      applied.push(rule);
      if (change(alert, report, rule.actions)) candidates.renew();
      if (rule.actions.stop) break;
    }
    return applied.length === 0 ? undefined : rulingOf(applied);
  };
  /** All rules together were slow. Of those that were asked, each one that is so by itself is left out. */
  const measureAsked = (report: RuledReport): void => {
    for (const rule of asked) {
      if (faulty.has(rule)) continue;
      const tookMs = fastestOf(rule, report);
      if (tookMs > SLOW_RULE_MS) leaveOut(rule, slowReason(tookMs, report.title));
    }
  };
  return {
    rules,
    judge(report) {
      const beganAt = performance.now();
      asked.length = 0;
      // A copy: rules change it for those that follow.
      const ruling = judgeAll({ ...report });
      const endedAt = performance.now();
      if (endedAt - beganAt > SLOW_RULE_MS && endedAt - measuring.lastAt >= MEASURE_MS) {
        measuring.lastAt = endedAt;
        measureAsked(report);
      }
      return ruling;
    },
  };
}

const slowReason = (tookMs: number, title: string | null): string =>
  `It took ${Math.round(tookMs)} ms for one alert, ${SLOW_RULE_MS} ms are allowed${title === null ? '' : `: ${title}`}`;

function fastestOf({ matches }: CompiledRule, report: RuledReport): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let time = 0; time < MEASURED_AGAIN; time += 1) {
    const beganAt = performance.now();
    try {
      matches(matchedOf(report));
    } catch {
      // It is left out for that already.
    }
    fastest = Math.min(fastest, performance.now() - beganAt);
    if (fastest <= SLOW_RULE_MS) break;
  }
  return fastest;
}

/** A report as lists know alerts: rules are about what senders say, not about who has an alert. */
const matchedOf = ({ customer, alertType, sourceId, severity, label, title, url, payload, isTest }: RuledReport) => ({
  id: '',
  customer,
  alertType,
  sourceId,
  ownerId: null,
  status: 'pending' as const,
  isSnoozed: false,
  isQuiet: false,
  // Whether it flaps is decided with what rules have set.
  content: { folderId: null, label, isTest, isFlapping: false, severity, title, url, payload },
});

/** Has what a rule sets stand for what the sender said, for the rules that follow. @returns whether anything has changed */
function change(alert: ReturnType<typeof matchedOf>, report: RuledReport, actions: RuleActions): boolean {
  const set = setBy(actions);
  if (Object.keys(set).length === 0) return false;
  Object.assign(report, set);
  Object.assign(alert, { customer: report.customer, alertType: report.alertType });
  Object.assign(alert.content, { severity: report.severity, title: report.title, label: report.label });
  return true;
}

/** What a rule sets of a report. */
const setBy = ({ severity, customer, alertType, title, label }: RuleActions): Ruling['set'] => ({
  ...(severity !== undefined && { severity }),
  ...(customer !== undefined && { customer }),
  ...(alertType !== undefined && { alertType }),
  ...(title !== undefined && { title }),
  ...(label !== undefined && { label }),
});

function rulingOf(applied: readonly CompiledRule[]): Ruling {
  const ruling: Ruling = {
    set: {},
    assign: undefined,
    snooze: undefined,
    notify: undefined,
    suppressedBy: undefined,
    applied,
  };
  for (const rule of applied) {
    const { assigneeId, snoozeMinutes, notify, suppress } = rule.actions;
    Object.assign(ruling.set, setBy(rule.actions));
    if (assigneeId !== undefined) ruling.assign = { userId: assigneeId, rule };
    if (snoozeMinutes !== undefined) ruling.snooze = { minutes: snoozeMinutes, rule };
    if (notify !== undefined) ruling.notify = notify;
    if (suppress) ruling.suppressedBy = rule;
  }
  return ruling;
}
