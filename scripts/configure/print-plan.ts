import { styleText } from 'node:util';
import { type ConfigurationPlan, type PlannedChange, SECTION_NAMES } from '#backend/contract/configuration.ts';

const MARKS = { create: '+', change: '~', delete: '-' } as const;
const COLORS = { create: 'green', change: 'yellow', delete: 'red' } as const;

function linesOf({ name, action, fields }: PlannedChange): string[] {
  const head = styleText(COLORS[action], `${MARKS[action]} ${name}`, { stream: process.stdout });
  const details = fields.map(({ path, before, after }) => {
    if (action === 'create') return `${path}: ${after}`;
    if (action === 'delete') return `${path}: ${before}`;
    return `${path}: ${before ?? 'none'} → ${after ?? 'none'}`;
  });
  return [`  ${head}`, ...details.map((line) => `      ${line}`)];
}

/** How many of a section are made, changed, deleted and stay. */
function countOf(changes: readonly PlannedChange[], same: number): string {
  const counts = Object.entries(MARKS).map(([action, mark]) => {
    const count = changes.filter((one) => one.action === action).length;
    return count === 0 ? [] : [`${mark} ${count}`];
  });
  return [...counts.flat(), `= ${same}`].join(', ');
}

/** A plan as text: each section that the file names, with what is made (+), changed (~) and deleted (-), and what stays (=). */
export function describePlan({ changes, same }: ConfigurationPlan): string {
  const lines: string[] = [];
  for (const section of SECTION_NAMES) {
    if (same[section] === undefined) continue;
    const own = changes.filter((change) => change.section === section);
    lines.push(`${section}: ${countOf(own, same[section])}`, ...own.flatMap(linesOf));
  }
  return lines.join('\n');
}
