/** Numbers of openings and times, in minutes, that can be chosen. The API takes others, too. */
const TIMES = [2, 3, 4, 5, 6, 8, 10, 15, 20];
const WITHIN = [5, 10, 15, 30, 60, 120, 240, 720, 1440];

/** "5 times". */
export const timesLabel = (count: number): string => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);

/** "30 min", "2 h". */
export const withinLabel = (minutes: number): string =>
  minutes < 60 || minutes % 60 !== 0 ? `${minutes} min` : `${minutes / 60} h`;

/** What can be chosen, with what is set already. */
const choices = (offered: readonly number[], set: number, label: (value: number) => string) =>
  [...new Set([...offered, set])]
    .toSorted((one, other) => one - other)
    .map((value) => ({ value, label: label(value) }));

/** How often a problem opens at most without flapping. */
export const timesChoices = (set: number) => choices(TIMES, set, timesLabel);

/** In which time that is counted. */
export const withinChoices = (set: number) => choices(WITHIN, set, withinLabel);
