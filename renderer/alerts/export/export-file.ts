import { formatISO } from 'date-fns';
import { unparse } from 'papaparse';
import type { Alert } from '#backend/contract/alert.ts';
import type { NoteOfAlert } from '#backend/contract/note.ts';
import { onTheWall } from '#renderer/lib/clock.ts';

/** What a list can be exported as. */
export type ExportFormat = 'csv' | 'json';

/** An alert with the notes on it, oldest first. */
export interface ExportedAlert {
  alert: Alert;
  notes: readonly NoteOfAlert[];
}

/** Columns of the CSV file. */
const COLUMNS: readonly { name: string; valueOf: (exported: ExportedAlert) => string | number }[] = [
  { name: 'Id', valueOf: ({ alert }) => alert.id },
  { name: 'Received', valueOf: ({ alert }) => timeOf(alert.timestamp) },
  { name: 'Title', valueOf: ({ alert }) => alert.title ?? '' },
  { name: 'Severity', valueOf: ({ alert }) => alert.severity },
  { name: 'State', valueOf: ({ alert }) => alert.state },
  { name: 'Customer', valueOf: ({ alert }) => alert.customer ?? '' },
  { name: 'Type', valueOf: ({ alert }) => alert.alertType ?? '' },
  { name: 'Source', valueOf: ({ alert }) => alert.sourceName ?? '' },
  { name: 'Status', valueOf: ({ alert }) => alert.status },
  { name: 'Owner', valueOf: ({ alert }) => alert.ownerName ?? '' },
  { name: 'Occurrences', valueOf: ({ alert }) => alert.occurrences },
  { name: 'Last seen', valueOf: ({ alert }) => timeOf(alert.lastSeenAt) },
  { name: 'Resolved', valueOf: ({ alert }) => timeOf(alert.resolvedAt) },
  { name: 'Link', valueOf: ({ alert }) => alert.url },
  { name: 'Payload', valueOf: ({ alert }) => JSON.stringify(alert.payload) },
  { name: 'Extra data', valueOf: ({ alert }) => JSON.stringify(alert.extraData) },
  { name: 'Notes', valueOf: ({ notes }) => notes.map(noteLine).join('\n') },
  // Whoever reads columns by their number finds the others where they were.
  { name: 'Label', valueOf: ({ alert }) => alert.label ?? '' },
];

/** A moment as a CSV file has it: ISO 8601, with the offset of the member's time zone. */
export const csvTime = (time: string): string => formatISO(onTheWall(time));

const timeOf = (time: string | undefined): string => (time === undefined ? '' : csvTime(time));

const noteLine = ({ createdAt, authorName, text }: NoteOfAlert): string =>
  `${csvTime(createdAt)} ${authorName}: ${text}`;

/** Writes a file piece by piece: its head, the alerts of each page, its end. */
export interface ExportWriter {
  head: string;
  write: (page: readonly ExportedAlert[]) => string;
  end: string;
}

/** Excel takes a file without this mark for one of the device's old code page. */
const BYTE_ORDER_MARK = '\uFEFF';

const NEW_LINE = '\r\n';

/** The first line of a CSV file. */
export const csvHead = (names: readonly string[]): string => `${BYTE_ORDER_MARK}${unparse([[...names]])}${NEW_LINE}`;

/** How a cell begins that a spreadsheet would take for a formula. Papaparse's own pattern passes over cells of several lines. */
const FORMULA = /^[=+\-@\t\r\n]/;

/** Lines of a CSV file. Cells that a spreadsheet would take for a formula begin with an apostrophe (OWASP, CSV injection). */
export const csvLines = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.length === 0
    ? ''
    : `${unparse(
        rows.map((row) => [...row]),
        { escapeFormulae: FORMULA, newline: NEW_LINE },
      )}${NEW_LINE}`;

function writeCsv(): ExportWriter {
  return {
    head: csvHead(COLUMNS.map(({ name }) => name)),
    write: (page) => csvLines(page.map((exported) => COLUMNS.map(({ valueOf }) => valueOf(exported)))),
    end: '',
  };
}

/** An array with one alert on each line, as the API answers it, and its notes. */
function writeJson(): ExportWriter {
  let isFirst = true;
  return {
    head: '[',
    write: (page) =>
      page
        .map(({ alert, notes }) => {
          const before = isFirst ? '\n' : ',\n';
          isFirst = false;
          return before + JSON.stringify({ ...alert, notes: notes.map(({ alertId: _alertId, ...note }) => note) });
        })
        .join(''),
    end: '\n]\n',
  };
}

export const exportWriter = (format: ExportFormat): ExportWriter => (format === 'csv' ? writeCsv() : writeJson());

/** `alertdesk-new-alerts-2026-11-22-1652.csv`, in the member's time zone. */
export function exportFileName(title: string, extension: ExportFormat | 'jsonl', now: Date): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  const time = formatISO(onTheWall(now)).slice(0, 16).replace('T', '-').replace(':', '');
  return `alertdesk-${name === '' ? 'alerts' : name}-${time}.${extension}`;
}
