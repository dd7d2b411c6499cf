import { AsyncLocalStorage } from 'node:async_hooks';
import { narrowStored } from '#backend/alerts/lists/stored-search.ts';
import { isTimeKey, parseSearch } from '#backend/contract/search.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import { coalesce } from '#backend/platform/database/coalesce.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { ProblemError, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { type EventBus, announce } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { RuleEntity, type StoredRule, actionsOf } from './rule-entities.ts';
import { type CompiledRule, type RuleSet, compileRule, createRuleSet, newMeasuring } from './rule-set.ts';

/** Names of customers and sources may stand for others after this, in milliseconds. */
const NAMES_MS = 15_000;

/** Longest reason that is stored, in characters. */
const MAX_REASON = 300;

/** Who switches off a rule that fails, in the audit trail. */
const AUTHOR = { id: null, name: 'rules', ip: null } as const;

/** The rules that are on, in the memory of each server: who stores an alert asks them without waiting. */
export interface Rules {
  current(): RuleSet;
  /** Reads them again: whoever changed one waits for this before they answer. Where that fails, the next reading follows. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** What storing alerts reads of it. */
export type RulesNow = Pick<Rules, 'current'>;

const NONE = createRuleSet([], () => undefined);

/** For whoever stores alerts where no rules are. */
export const NO_RULES: RulesNow = { current: () => NONE };

/** What of the search language is about people, and not about what a sender reports. */
const OF_PEOPLE: ReadonlySet<string | undefined> = new Set(['owner', 'status', 'folder']);

/**
 * A rule is about what senders report, at the moment at which they do.
 *
 * @throws {ProblemError} 422 for a search that no rule can have
 */
export function requireRuleSearch(search: string): void {
  const { hints, is, tokens } = parseSearch(search, { now: Date.now(), timeZone: 'UTC' });
  const messages = hints.map(({ message }) => message);
  for (const { key } of tokens) {
    if (OF_PEOPLE.has(key)) messages.push(`${key}: cannot be used in a rule, which is about what senders report.`);
    if (isTimeKey(key)) messages.push(`${key}: cannot be used in a rule, which is about alerts as they arrive.`);
  }
  for (const trait of is) {
    // Both are decided after the rules, with what they have set.
    if (trait !== 'test') messages.push(`is:${trait} cannot be used in a rule, which is about alerts as they arrive.`);
  }
  if (messages.length === 0) return;
  throw unacceptable(
    messages.join(' '),
    messages.map((message) => ({ path: 'search', message })),
  );
}

/** The order in which rules are applied. */
export const inOrder = <Rule extends Pick<StoredRule, 'place' | 'id'>>(rules: readonly Rule[]): Rule[] =>
  rules.toSorted((one, other) => one.place - other.place || (one.id < other.id ? -1 : 1));

/**
 * Compiles the rules that are on, in their order.
 *
 * @param onBroken is given each that cannot be: its search or its actions are not understood
 */
export async function compileRules(
  database: Pick<Database, 'reads' | 'dialect'>,
  stored: readonly StoredRule[],
  onBroken: (rule: StoredRule, error: Error) => void = () => undefined,
): Promise<CompiledRule[]> {
  const rules: CompiledRule[] = [];
  for (const rule of inOrder(stored)) {
    if (!rule.isOn) continue;
    const actions = actionsOf(rule);
    try {
      if (!actions) throw unacceptable('What it does is not understood.');
      rules.push(compileRule(rule, actions, await narrowStored(database, rule.search)));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      onBroken(rule, error);
    }
  }
  return rules;
}

/** Reads the rules, and again when one changes. */
export async function openRules(deps: {
  database: Database;
  events: Pick<EventBus, 'subscribe'>;
  logger: Logger;
  /** Reports to administrators that a rule has switched itself off, in the transaction that does it. */
  onSwitchedOff?: (tx: Transaction, rule: { id: string; name: string }, reason: string) => Promise<void>;
}): Promise<Rules> {
  const { database, events, logger, onSwitchedOff } = deps;
  let known: RuleSet = NONE;
  /** Rules that are being switched off. */
  const switching = new Set<Promise<void>>();
  const broken = new Set<string>();
  const measuring = newMeasuring();
  /** Rules are judged in the transactions that store alerts. What is done about one that fails is none of theirs. */
  const outside = AsyncLocalStorage.snapshot();
  const switchOffAndReport = async (rule: CompiledRule, reason: string): Promise<void> => {
    try {
      await switchOff(database, rule, reason, onSwitchedOff);
    } catch (error) {
      logger.error(
        { err: error, rule: rule.name },
        'a rule could not be switched off; this server leaves it out until it reads the rules again',
      );
    }
  };
  const switchOffLater = (rule: CompiledRule, reason: string): void => {
    logger.warn({ rule: rule.name, reason }, 'a rule is switched off');
    const work = outside(switchOffAndReport, rule, reason);
    switching.add(work);
    void work.finally(() => switching.delete(work));
  };
  const read = async (): Promise<void> => {
    const stored = await database.reads.getRepository(RuleEntity).findBy({ isOn: true });
    const rules = await compileRules(database, stored, ({ id, name }, error) => {
      if (broken.has(id)) return;
      broken.add(id);
      // Its page says so, too.
      logger.warn({ err: error, rule: name }, 'a rule does nothing, because it is not understood');
    });
    known =
      rules.length === 0 ? NONE : createRuleSet(rules, ({ rule, reason }) => switchOffLater(rule, reason), measuring);
  };
  const onError = (error: unknown): void =>
    logger.error({ err: error }, 'the rules could not be read; the next attempt follows');
  await read();
  /** What was changed is stored: whoever changed it is not to repeat it. A run of a configuration announces many changes at once. */
  const readAgain = coalesce(() => read().catch(onError));
  let reading = Promise.resolve();
  const refresh = (): Promise<void> => (reading = readAgain());
  const repeating: Repeating = startRepeating(refresh, { intervalMs: NAMES_MS, onError });
  const unsubscribe = events.subscribe((event) => {
    const mayChange =
      event.type === 'rules_changed' ||
      event.type === 'resync' ||
      (event.type === 'source_changed' && event.isEdited === true);
    if (mayChange) void refresh();
  });
  return {
    current: () => known,
    refresh,
    async stop() {
      unsubscribe();
      await repeating.stop();
      await reading;
      await Promise.all(switching);
    },
  };
}

/**
 * Switches a rule off by itself, and reports it: both or neither. One that is off, changed or gone by now stays as it is. Where that
 * fails, this server leaves the rule out until it reads the rules again; then it is applied, and tried again where it fails.
 */
const switchOff = (
  database: Database,
  { id, version }: Pick<StoredRule, 'id' | 'version'>,
  reason: string,
  report: ((tx: Transaction, rule: { id: string; name: string }, reason: string) => Promise<void>) | undefined,
): Promise<void> =>
  database.transaction(async (tx) => {
    const [rule] = await tx.lockRows(RuleEntity, { id });
    if (!rule?.isOn || rule.version !== version) return;
    await tx.getRepository(RuleEntity).update(
      { id },
      {
        isOn: false,
        offAt: Date.now(),
        offReason: reason.slice(0, MAX_REASON).toWellFormed(),
        version: rule.version + 1,
      },
    );
    await addAudit(tx, AUTHOR, 'rule_changed', rule.name, { detail: `switched off by itself: ${reason}` });
    announce(tx, { type: 'rules_changed' });
    await report?.(tx, rule, reason);
  });
