import { type NarrowedList, labelKey } from '#backend/alerts/alert/alert-list.ts';
import { type MatchedAlert, compileList, requirementOf } from '#backend/alerts/alert/match-list.ts';
import { louder } from '#backend/contract/announcement.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';

/** One member's choice for one view, with the list that the view is for them. */
export interface Choice {
  userId: string;
  notify: NoticeLevel;
  list: NarrowedList;
}

/** Choices of several members for lists that are the same: looked at once for all of them. */
interface Rule {
  isIn: (alert: MatchedAlert) => boolean;
  choices: Choice[];
}

const NOBODY: ReadonlyMap<string, NoticeLevel> = new Map();

/**
 * Compiles each list once, and files it under the value of a field that all its alerts have in common. So an alert is
 * compared with the few lists that ask for its own label, source, customer, type, owner or severity, and with those that ask for none.
 *
 * @returns who chose what for views that an alert is in, by the member's id
 */
export function createChoiceIndex(all: readonly Choice[]): (alert: MatchedAlert) => ReadonlyMap<string, NoticeLevel> {
  const rules = new Map<string, Rule>();
  const everywhere: Rule[] = [];
  const byValue = new Map<string, Rule[]>();
  for (const choice of all) {
    const key = JSON.stringify(choice.list);
    const known = rules.get(key);
    if (known) {
      known.choices.push(choice);
      continue;
    }
    const rule: Rule = { isIn: compileList(choice.list), choices: [choice] };
    rules.set(key, rule);
    const required = requirementOf(choice.list);
    if (!required) everywhere.push(rule);
    for (const value of required?.values ?? []) {
      const filed = byValue.get(keyOf(required?.field ?? '', value)) ?? [];
      filed.push(rule);
      byValue.set(keyOf(required?.field ?? '', value), filed);
    }
  }
  if (all.length === 0) return () => NOBODY;
  return (alert) => {
    const found = new Map<string, NoticeLevel>();
    const look = (some: readonly Rule[] | undefined): void => some?.forEach((rule) => take(found, rule, alert));
    look(everywhere);
    const { sourceId, customer, alertType, ownerId, content } = alert;
    const { label, severity } = content;
    const values = { label: label && labelKey(label), sourceId, customer, alertType, ownerId, severity };
    for (const [field, value] of Object.entries(values)) if (value !== null) look(byValue.get(keyOf(field, value)));
    return found;
  };
}

const keyOf = (field: string, value: string): string => `${field} ${value}`;

function take(found: Map<string, NoticeLevel>, { isIn, choices }: Rule, alert: MatchedAlert): void {
  // Of an accepted alert its owner alone is notified. Of several views the loudest level counts.
  const open = choices.filter(({ userId }) => found.get(userId) !== 'always' && (alert.ownerId ?? userId) === userId);
  if (open.length === 0 || !isIn(alert)) return;
  for (const { userId, notify } of open) found.set(userId, louder(notify, found.get(userId) ?? notify));
}
