import { marksOf } from '#backend/platform/database/conditions.ts';
import { In } from 'typeorm';
import { isFlapping, isPaused } from '#backend/alerts/alert/rhythm.ts';
import { type NewHistoryEntry, addHistories } from '#backend/alerts/alert/write-history.ts';
import { announceApplied, applyCommand, lockDecided } from '#backend/alerts/commands/apply-command.ts';
import type { Command } from '#backend/alerts/commands/command.ts';
import { type RuleHit, addRuleHits, findNewHits } from '#backend/alerts/insight/rule-hits.ts';
import { stillFires, unmark, writeMark } from '#backend/alerts/maintenance/mark-alerts.ts';
import { OccurrenceEntity } from '#backend/alerts/maintenance/window-entities.ts';
import { countHits } from '#backend/alerts/rules/rule-hits.ts';
import type { CompiledRule, RuleSet, Ruling } from '#backend/alerts/rules/rule-set.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { EventOutcome } from '#backend/contract/delivery.ts';
import type { RuleActions } from '#backend/contract/rule.ts';
import { type User, findUser } from '#backend/identity/users/user.ts';
import { inSizes } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { BUILT_IN_SOURCE, type IncomingDelivery, type IncomingEvent } from './incoming-delivery.ts';
import { type Change, type ProblemAlert, routeEvent } from './problems.ts';
import type { TouchedAlert } from './write-rows.ts';

const MINUTE_MS = 60_000;

/** What a history keeps of a note, and of a name, in characters. */
const MAX_NOTE = 500;
const MAX_NAME = 100;

/** Outcomes of reports that change nothing: they hit no rule. */
const UNCOUNTED: ReadonlySet<EventOutcome> = new Set<EventOutcome>(['duplicate', 'echo', 'nothing-open']);

/** Whether a report says only what changes: senders leave out of it what they reported before. */
const isPartial = ({ amends, merge, state }: IncomingEvent): boolean =>
  amends !== undefined || merge !== undefined || state === 'acknowledged' || state === 'resolved';

/**
 * A report as the rules leave it. Rules do not apply to imports, which happened elsewhere.
 *
 * @param known the newest alert of the same problem; a partial report is judged with its fields, and with its label where it
 *   does not make a new alert
 */
export function ruledEvent(
  rules: RuleSet,
  delivery: IncomingDelivery,
  event: IncomingEvent,
  known: ProblemAlert | undefined,
): IncomingEvent {
  if (rules.rules.length === 0 || delivery.isImport) return event;
  const { id } = delivery.source;
  const sourceId = id === BUILT_IN_SOURCE ? null : id;
  const judged =
    known && isPartial(event)
      ? {
          ...event,
          customer: event.customer ?? known.customer,
          alertType: event.alertType ?? known.alertType,
          title: event.title ?? known.title,
          severity: event.severity === 'none' ? ((known.severity as AlertSeverity | null) ?? 'none') : event.severity,
          // A new alert begins without one.
          label: routeEvent(known, event, delivery.policy, delivery.receivedAt) === 'new' ? null : known.label,
        }
      : { ...event, label: null };
  const ruling = rules.judge({ ...judged, sourceId });
  return ruling ? { ...event, ...ruling.set, ruling } : event;
}

/** Counts what rules were applied to. */
export function countReport(hits: Map<string, number>, { ruling }: IncomingEvent, outcome: EventOutcome): void {
  if (!ruling || UNCOUNTED.has(outcome)) return;
  for (const { id } of ruling.applied) hits.set(id, (hits.get(id) ?? 0) + 1);
}

/** Whether rules have a report notify nobody. */
const isSilent = ({ notify, suppressedBy }: Ruling): boolean => notify === 'never' || suppressedBy !== undefined;

/** Whether rules snooze a new alert. What is assigned is not snoozed: its owner would not see it. */
const isSnoozed = ({ assign, snooze }: Ruling): boolean => snooze !== undefined && assign === undefined;

/** Records what rules decided about an alert that a report makes. */
export function noteMade(touched: TouchedAlert, { ruling }: IncomingEvent): void {
  touched.ruling = ruling;
  if (!ruling) return;
  if (isSilent(ruling) || isSnoozed(ruling)) touched.isQuiet = true;
  for (const rule of ruling.applied) touched.ruled.push({ rule, did: described(rule.actions) });
}

/**
 * Records what rules decided about a report that changes an alert. Owners and snoozes are people's to change by then.
 *
 * @returns the change and the delivery, as they notify by the rules
 */
export function noteChanged(
  touched: TouchedAlert,
  event: IncomingEvent,
  change: Change,
  delivery: IncomingDelivery,
): [Change, IncomingDelivery] {
  const { ruling } = event;
  if (!event.amends) Object.assign(touched, { ruling, isReported: !isPartial(event) });
  if (change.reason !== undefined) noteLabel(touched, event);
  const made = touched.made?.event.ruling;
  const quiet = { ...delivery, isQuiet: true };
  // It is snoozed in this transaction.
  if (made && isSnoozed(made)) return [change, quiet];
  if (!ruling) return [change, delivery];
  const severityBy = ruling.applied.findLast(({ actions }) => actions.severity !== undefined);
  const isSeverityNew = change.entries.some(({ action }) => action === 'severity_change');
  if (severityBy && isSeverityNew) {
    touched.ruled.push({ rule: severityBy, did: described({ severity: severityBy.actions.severity }) });
  }
  if (isSilent(ruling)) {
    // It is the first report of this batch: none before it has notified anybody.
    if (!touched.isNew && !touched.isChanged) touched.isQuiet = true;
    return [change, quiet];
  }
  const notifiesAgain =
    ruling.notify === 'always' &&
    change.outcome === 'repeated' &&
    change.reason === 'repeated' &&
    touched.alert.snoozedUntil === null &&
    !isFlapping(touched.alert);
  return [notifiesAgain ? { ...change, reason: 'notify_again' } : change, delivery];
}

/** What a rule files an alert under takes the place of the label before; a report that no rule labels leaves it as it is. */
function noteLabel(touched: TouchedAlert, { label, ruling }: IncomingEvent): void {
  if (label === undefined || label === touched.alert.label) return;
  touched.alert.label = label;
  touched.isLabelNew = true;
  const rule = ruling?.applied.findLast(({ actions }) => actions.label !== undefined);
  if (rule) touched.ruled.push({ rule, did: described({ label }) });
}

/**
 * Marks stored alerts as rules have decided, before what else has changed is written, and finds those to whom rules assign new ones:
 * who is notified depends on it.
 */
export async function markRuled(tx: Transaction, alerts: readonly TouchedAlert[]): Promise<void> {
  const labelled = alerts.filter(({ made, isLabelNew }) => !made && isLabelNew);
  for (const [label, some] of Map.groupBy(labelled, ({ alert }) => alert.label)) {
    for (const ids of inSizes(some.map(({ alert }) => alert.id))) {
      await tx.query(`UPDATE alerts SET label = ? WHERE id IN (${marksOf(ids)})`, [label, ...ids]);
    }
  }
  await suppressRuled(tx, alerts);
  await findAssignees(tx, alerts);
}

/** A disabled account gets no alert: it stays in the inbox, or another rule snoozes it, and the rule's page says so. */
async function findAssignees(tx: Transaction, alerts: readonly TouchedAlert[]): Promise<void> {
  for (const [userId, some] of Map.groupBy(alerts, ({ made }) => made?.event.ruling?.assign?.userId)) {
    if (userId === undefined) continue;
    const user = await findUser(tx, userId);
    for (const one of some) {
      if (user?.isActive && !user.isService) one.assignee = user;
      else if (one.made?.event.ruling?.snooze) one.isQuiet = true;
    }
  }
}

/**
 * Marks what rules suppress, before it is written, in the place of a window's mark: what a rule suppresses stays quiet when a window
 * ends. What no rule suppresses any more, because its sender reports otherwise or the rule was changed, notifies as a new alert does.
 */
async function suppressRuled(tx: Transaction, alerts: readonly TouchedAlert[]): Promise<void> {
  const stored = new Map<CompiledRule, string[]>();
  const marked: TouchedAlert[] = [];
  for (const touched of alerts) {
    const { alert, ruling, made, isChanged } = touched;
    const rule = ruling?.suppressedBy;
    if (!made && (!isChanged || !stillFires(alert) || isPaused(alert))) continue;
    if (!rule) {
      if (!made && alert.quietById !== null) marked.push(touched);
      continue;
    }
    touched.isSuppressed = true;
    touched.isQuiet = true;
    if (alert.quietById === rule.id) continue;
    Object.assign(alert, { quietById: rule.id, quietByName: rule.name });
    if (made) continue;
    stored.set(rule, [...(stored.get(rule) ?? []), alert.id]);
    touched.ruled.push({ rule, did: described({ suppress: true }) });
  }
  for (const [{ id, name }, ids] of stored) await writeMark(tx, ids, { quietById: id, quietByName: name });
  await releaseUnruled(tx, marked);
}

/**
 * A mark of a window is the window's to release. A mark of a rule stays until its sender reports something that no rule
 * suppresses: a note or a tag is no such report, and no window takes its place.
 */
async function releaseUnruled(tx: Transaction, marked: readonly TouchedAlert[]): Promise<void> {
  if (marked.length === 0) return;
  const ids = new Set(marked.map(({ alert }) => alert.quietById ?? ''));
  const windows = await tx.getRepository(OccurrenceEntity).find({ select: { id: true }, where: { id: In([...ids]) } });
  const ofWindows = new Set(windows.map(({ id }) => id));
  const ofRules = marked.filter(({ alert }) => !ofWindows.has(alert.quietById ?? ''));
  for (const one of ofRules) if (!one.isReported) one.isSuppressed = true;
  await unmark(
    tx,
    ofRules.filter(({ isReported }) => isReported),
  );
}

/**
 * Finishes what rules decided, once the alerts are stored: histories say which rule did what, new alerts are snoozed and assigned by
 * the commands of members, and hits are counted.
 */
export async function applyRulings(
  tx: Transaction,
  alerts: readonly TouchedAlert[],
  hits: ReadonlyMap<string, number>,
): Promise<void> {
  if (hits.size === 0) return;
  const now = Date.now();
  const entries = alerts.flatMap(({ alert, ruled }) =>
    ruled.flatMap(({ rule, did }): NewHistoryEntry[] =>
      did === '' ? [] : [{ alertId: alert.id, action: 'rule_applied', userDisplayName: rule.name, note: did }],
    ),
  );
  if (entries.length > 0) await addHistories(tx, entries);
  const stored = alerts.filter(({ made }) => !made);
  await addRuleHits(tx, [
    ...hitsOf(alerts.filter(({ made }) => made)),
    // A problem may repeat thousands of times: what is known of it is read, and not written again.
    ...(await findNewHits(tx, hitsOf(stored))),
  ]);
  await actOnNew(tx, alerts, now);
  await countHits(tx, hits, now);
}

const hitsOf = (alerts: readonly TouchedAlert[]): RuleHit[] =>
  alerts.flatMap(({ alert, ruling }) => ruling?.applied.map(({ id }) => ({ alertId: alert.id, ruleId: id })) ?? []);

async function actOnNew(tx: Transaction, alerts: readonly TouchedAlert[], now: number): Promise<void> {
  const snoozed = new Map<CompiledRule, string[]>();
  const assigned = new Map<CompiledRule, Assignment>();
  const assignedQuietly = new Map<CompiledRule, Assignment>();
  for (const { alert, made, assignee } of alerts) {
    // The report that made it decides, and no later one of the same batch.
    const ruling = made?.event.ruling;
    if (!ruling) continue;
    const { assign, snooze } = ruling;
    if (assign && assignee) {
      const wanted = isSilent(ruling) ? assignedQuietly : assigned;
      wanted.set(assign.rule, { assignee, ids: [...(wanted.get(assign.rule)?.ids ?? []), alert.id] });
    } else if (snooze) {
      snoozed.set(snooze.rule, [...(snoozed.get(snooze.rule) ?? []), alert.id]);
    }
  }
  for (const [rule, ids] of snoozed) {
    const end = now + (rule.actions.snoozeMinutes ?? 0) * MINUTE_MS;
    await act(tx, rule, ids, { action: 'snooze', end });
  }
  for (const [assignments, isQuiet] of [
    [assigned, false],
    [assignedQuietly, true],
  ] as const) {
    for (const [rule, { assignee, ids }] of assignments) {
      await act(tx, rule, ids, { action: 'assign', assignee, note: null }, isQuiet);
    }
  }
}

/** Whom a rule assigns new alerts to, and which. */
interface Assignment {
  assignee: User;
  ids: readonly string[];
}

/** Does with new alerts what a member would do, in the name of a rule. @param isQuiet nobody is notified of it */
async function act(
  tx: Transaction,
  { id, name }: CompiledRule,
  ids: readonly string[],
  command: Command,
  isQuiet = false,
) {
  const displayName = `Rule ${name}`.slice(0, MAX_NAME).toWellFormed();
  const actor = { id, email: '', displayName, role: 'user', sessionId: '', provedAt: 0 } as const;
  const applied = await applyCommand(tx, { actor, ip: '' }, command, await lockDecided(tx, ids));
  announceApplied(tx, isQuiet ? { ...applied, notices: [] } : applied);
}

/** What a rule did, as an alert's history says it; empty for what has entries of its own there, such as an assignment. */
export function described({ severity, customer, alertType, title, label, notify, suppress }: RuleActions): string {
  const did = [
    ...(severity === undefined ? [] : [`set the severity to ${severity}`]),
    ...(customer === undefined ? [] : [`set the customer to ${customer}`]),
    ...(alertType === undefined ? [] : [`set the type to ${alertType}`]),
    ...(title === undefined ? [] : [`set the headline to ${title}`]),
    ...(label === undefined ? [] : [`filed it under ${label}`]),
    ...(suppress ? ['kept it quiet'] : []),
    ...(notify === 'never' ? ['notified nobody'] : []),
  ];
  return did.join(', ').slice(0, MAX_NOTE).toWellFormed();
}
