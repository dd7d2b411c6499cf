import { countText } from '#backend/contract/count-text.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import { actionsOf, keyLabel } from '#renderer/alerts/actions/action-table.ts';
import { alertName } from '#renderer/alerts/data/alert-labels.ts';
import type { ListSubject } from './list-commands.ts';
import * as texts from './list-command-texts.ts';

/** Something that can be done now, as the command palette lists it. */
export interface Command {
  label: string;
  /** It is a path: where there is no space for all of it, its end is shown. */
  isPath?: boolean;
  /** Keys that do the same, one after the other. */
  keys: readonly string[];
  /** How many alerts it leads to, or is about. */
  count?: number | undefined;
  run: () => void;
}

/** Commands about the same thing. */
export interface CommandGroup {
  /** What they are about: an alert's headline, "3 selected". */
  heading: string;
  commands: readonly Command[];
}

/** What can be done in the list on screen, with the alert that has the focus or with what is selected. */
export function commandsOf({ selection, selectAll, bar, alert, kind, offers, act }: ListSubject): CommandGroup[] {
  const all = { label: texts.selectAllThatMatch, keys: ['Ctrl', 'A'], run: selectAll };
  const list: CommandGroup = { heading: texts.thisList, commands: [all] };
  if (selection.count > 0) {
    const heading = texts.countSelected(countText(selection.count));
    const clear = { label: texts.clearSelection, keys: ['Esc'], run: selection.clear };
    return [
      { heading, commands: commandsFor(bar?.actions ?? [], (action) => bar?.run(action)) },
      { ...list, commands: [all, clear] },
    ];
  }
  if (!alert) return [list];
  const offered = actionsOf(kind).filter((action) => offers(action, alert));
  return [{ heading: alertName(alert), commands: commandsFor(offered, (action) => act(action, alert)) }, list];
}

const commandsFor = (offered: readonly AlertAction[], run: (action: AlertAction) => void) =>
  offered.map((action) => ({
    label: action.label,
    keys: action.key === undefined ? [] : [keyLabel(action)],
    run: () => run(action),
  }));

/** The commands whose labels have every word of a text, in whatever order; groups without one are left out. */
export function commandsLike(text: string, groups: readonly CommandGroup[]): CommandGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isLike = (label: string): boolean => words.every((word) => label.toLowerCase().includes(word));
  return groups
    .map(({ heading, commands }) => ({ heading, commands: commands.filter(({ label }) => isLike(label)) }))
    .filter(({ commands }) => commands.length > 0);
}
