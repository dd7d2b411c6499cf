import { type Bullet, cellsOf } from './read-bullets.ts';

/** A row of docs/specification.md: a bullet, and what shows it. */
export interface Row extends Bullet {
  /** Tests by file and title, as `tests/e2e/inbox.spec.ts › an empty inbox says so`. */
  tests: { file: string; title: string }[];
  /** What is in the cell and is no test. */
  unread: string[];
}

/** Reads the rows of the page's tables, in their order. */
export function readRows(page: string): Row[] {
  const rows: Row[] = [];
  let [section, subsection] = ['', ''];
  for (const line of page.split('\n')) {
    if (line.startsWith('## ')) [section, subsection] = [line.slice(3), ''];
    else if (line.startsWith('### ')) subsection = ` / ${line.slice(4)}`;
    if (!line.startsWith('|') || /^\|\s*-/.test(line)) continue;
    const [text = '', shownBy = ''] = cellsOf(line);
    if (text !== 'specification') rows.push({ place: section + subsection, text, ...readShownBy(shownBy) });
  }
  return rows;
}

function readShownBy(cell: string): Pick<Row, 'tests' | 'unread'> {
  const row: Pick<Row, 'tests' | 'unread'> = { tests: [], unread: [] };
  for (const part of cell.split('<br>')) {
    const [, file, title] = /^`(.+?)` › (.+)$/.exec(part) ?? [];
    if (file !== undefined && title !== undefined) row.tests.push({ file, title });
    else row.unread.push(part);
  }
  return row;
}
