/** Something that can be done now, as the command palette lists it. */
export interface Command {
  label: string;
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

let offer: (() => readonly CommandGroup[]) | undefined;

/** Has the palette ask the list on screen what can be done in it. Returns what ends that. */
export function offerCommands(groups: () => readonly CommandGroup[]): () => void {
  offer = groups;
  return () => {
    if (offer === groups) offer = undefined;
  };
}

/** What can be done in the list on screen, with the alert that has the focus or with what is selected. */
export const commandsOfList = (): readonly CommandGroup[] => offer?.() ?? [];

/** The commands whose labels have every word of a text, in whatever order; groups without one are left out. */
export function commandsLike(text: string, groups: readonly CommandGroup[]): CommandGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isLike = (label: string): boolean => words.every((word) => label.toLowerCase().includes(word));
  return groups
    .map(({ heading, commands }) => ({ heading, commands: commands.filter(({ label }) => isLike(label)) }))
    .filter(({ commands }) => commands.length > 0);
}
