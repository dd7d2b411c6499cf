/** One bullet of the specification: where it stands, and what it says. */
export interface Bullet {
  /** Its headings, as `2. Screens and routes / Sidebar`. */
  place: string;
  text: string;
}

/** The sections whose every bullet is shown by a test. */
const SECTIONS = new Set(['2', '4', '5', '8', '9']);

/** Headings of the specification's tables of routes and of errors; their rows are bullets, too. */
const TABLE_HEADS = new Set(['Route', 'Situation']);

/** Bullets and table rows of those sections, in their order. A list of success toasts is one for each toast. */
export function readBullets(specification: string): Bullet[] {
  const bullets: Bullet[] = [];
  let [section, subsection, hasToasts] = ['', '', false];
  for (const line of specification.split('\n')) {
    if (line.startsWith('## ')) [section, subsection, hasToasts] = [line.slice(3), '', false];
    else if (line.startsWith('### ')) subsection = ` / ${line.slice(4)}`;
    else if (line.startsWith('Success toasts:')) hasToasts = true;
    if (!SECTIONS.has(section.split('.')[0] ?? '')) continue;
    const texts = hasToasts ? textsOf(line).flatMap(splitToasts) : textsOf(line);
    bullets.push(...texts.map((text) => ({ place: section + subsection, text })));
  }
  return bullets;
}

function textsOf(line: string): string[] {
  if (/^\s*- /.test(line)) return [line.trim().slice(2)];
  if (!line.startsWith('|') || /^\|\s*-/.test(line)) return [];
  const cells = cellsOf(line);
  return TABLE_HEADS.has(cells[0] ?? '') ? [] : [cells.join(' — ')];
}

/** The cells of a row of a Markdown table. */
export const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** At the commas that are not inside of brackets. */
const splitToasts = (text: string): string[] => text.split(/, (?![^(]*\))/);
