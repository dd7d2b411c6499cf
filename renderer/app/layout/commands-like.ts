import type { CommandGroup } from '#renderer/alerts/keys/list-commands.ts';

/** The commands whose labels have every word of a text, in whatever order; groups without one are left out. */
export function commandsLike(text: string, groups: readonly CommandGroup[]): CommandGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isLike = (label: string): boolean => words.every((word) => label.toLowerCase().includes(word));
  return groups
    .map(({ heading, commands }) => ({ heading, commands: commands.filter(({ label }) => isLike(label)) }))
    .filter(({ commands }) => commands.length > 0);
}
