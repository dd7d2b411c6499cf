import { presentSnoozedUntil, visibleStatusOf, type StoredStatus } from '#backend/alerts/alert/stored-status.ts';

/** The format of exports. It is raised when a program that reads one would misread the next; new kinds and fields leave it. */
export const EXPORT_FORMAT = 'alertdesk-export';
export const EXPORT_VERSION = 1;

/**
 * How a column becomes a value: `time` is ISO 8601 in UTC, `json` the JSON that the column holds as text, `status` an alert's
 * status as people see it, `until` the end of a snooze (`next-firing` without a time). Any of them may be null.
 */
export type FieldType = 'text' | 'number' | 'flag' | 'time' | 'json' | 'status' | 'until';

/** One field of a line, and what it means. */
export interface ExportField {
  type: FieldType;
  about: string;
}

/** What the lines of one kind are made of. A field's column has its name in snake case. */
export interface ExportKind {
  /** The value of `type` in its lines. */
  kind: string;
  table: string;
  about: string;
  /** The primary key: lines come in its order. */
  key: readonly [string] | readonly [string, string];
  fields: Readonly<Record<string, ExportField>>;
  /** Columns that are in no export, each with the reason. */
  leftOut?: Readonly<Record<string, string>>;
  /** Columns of long texts, which decide how many rows are read at once. */
  long?: readonly string[];
  /** The column with the person whose data a line is, and how their rows are found. */
  own?: { column: string; by: 'index' | 'scan' };
}

const field =
  (type: FieldType) =>
  (about: string): ExportField => ({ type, about });

export const text = field('text');
export const number = field('number');
export const flag = field('flag');
export const time = field('time');
export const json = field('json');
export const status = field('status');
export const until = field('until');

/** Why columns are left out, where several have the same reason. */
export const SECRET = 'A secret, or made from one.';
export const DERIVED = 'Follows from other fields.';

/** The column of a field. */
export const columnOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A row as the database's driver gives it: MySQL's hands whole numbers of 64 bits over as text. */
export type ExportRow = Readonly<Record<string, unknown>>;

/** One row as its line of JSON, without the line break. Values that are JSON already stay as they are, every digit. */
export function writeLine({ kind, fields }: Pick<ExportKind, 'kind' | 'fields'>, row: ExportRow): string {
  const members = Object.entries(fields).map(
    ([name, { type }]) => `${JSON.stringify(name)}:${writeValue(type, row[columnOf(name)])}`,
  );
  return `{"type":${JSON.stringify(kind)},${members.join(',')}}`;
}

function writeValue(type: FieldType, value: unknown): string {
  if (value === null || value === undefined) return 'null';
  switch (type) {
    case 'text':
      return JSON.stringify(String(value));
    case 'number':
      return String(Number(value));
    case 'flag':
      return Number(value) === 0 ? 'false' : 'true';
    case 'time':
      return JSON.stringify(new Date(Number(value)).toISOString());
    case 'until':
      return JSON.stringify(presentSnoozedUntil(Number(value)));
    case 'status':
      return JSON.stringify(visibleStatusOf(value as StoredStatus));
    case 'json':
      // Payloads are as they came, perhaps on several lines. JSON has line breaks between its tokens alone.
      return value === '' ? 'null' : String(value).replaceAll(/[\r\n]+/g, ' ');
  }
}
