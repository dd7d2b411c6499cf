import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import Papa from 'papaparse';
import { Complaint } from '#scripts/complaint.ts';
import { type Fields, type ImportRecord, adapterOf, sourceRecord, textOf, timeOf, userRecord } from './records.ts';
import { severityOf } from './systems.ts';

const OPTIONS = {
  header: true,
  skipEmptyLines: 'greedy',
  transformHeader: (name: string) =>
    name
      .trim()
      .replace(/^\uFEFF/, '')
      .toLowerCase(),
} as const;

/** Whether a decoder met bytes that are none of UTF-8, such as those of a device's old code page. */
export const isNotUtf8 = (error: unknown): boolean =>
  error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';

async function* decoded(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of createReadStream(file)) yield decoder.decode(chunk as Buffer, { stream: true });
  yield decoder.decode();
}

/**
 * Makes sure that a CSV file means what it says. A quote that nothing closes takes every row behind it into one cell, and
 * the parser's stream does not say so.
 *
 * @throws {Complaint} naming the row
 */
export async function checkCsv(file: string): Promise<void> {
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw new Complaint(`There is no file ${file}.`);
  let row = 1;
  const fault = await new Promise<unknown>((resolve) => {
    Papa.parse(Readable.from(decoded(file)), {
      ...OPTIONS,
      step({ errors }, parser) {
        row += 1;
        if (!errors.some(({ type }) => type === 'Quotes')) return;
        resolve(
          new Complaint(
            `${file}, row ${row}: a quote is not closed, or one inside quotes is not doubled. Nothing was imported.`,
          ),
        );
        parser.abort();
      },
      complete: () => resolve(undefined),
      error: resolve,
    });
  });
  if (isNotUtf8(fault))
    throw new Complaint(`${file} is not UTF-8: save it as such, in Excel as "CSV UTF-8".`, { cause: fault });
  if (fault !== undefined) throw fault;
}

/** Columns that say what a CSV file is a list of. */
const CSV_KINDS = 'email (users), adapter (sources) or title (alerts)';

/** Rows of a CSV file below a line of column names, one at a time. */
export async function* readCsv(file: string): AsyncGenerator<ImportRecord> {
  const rows = createReadStream(file, 'utf8').pipe(Papa.parse(Papa.NODE_STREAM_INPUT, OPTIONS));
  let row = 1;
  for await (const fields of rows as AsyncIterable<Fields>) {
    row += 1;
    yield readRow(fields, `${file}, row ${row}`);
  }
}

/** Where the parser puts cells for which there is no column. */
const EXTRA = '__parsed_extra';

function readRow(row: Fields, where: string): ImportRecord {
  const name = textOf(row, 'name');
  const extra = row[EXTRA];
  if (Array.isArray(extra) && extra.some((cell) => String(cell).trim() !== '')) return misplaced(row, where);
  if ('title' in row) return alertOfRow(row, where);
  if ('email' in row) {
    const [email, role] = [textOf(row, 'email'), textOf(row, 'role').toLowerCase()];
    if (!['', 'user', 'admin'].includes(role))
      return { kind: 'none', what: 'user', where, name: email, reason: 'Its role is neither "admin" nor "user".' };
    return userRecord(where, { id: email, email, name, isAdmin: role === 'admin' });
  }
  if ('adapter' in row) return sourceRecord(where, { id: name, name, type: textOf(row, 'adapter'), isPaused: false });
  throw new Complaint(`${where}: the first line names no column ${CSV_KINDS}.`);
}

/** A comma that no quotes are around moves what is behind it into other columns. */
const misplaced = (row: Fields, where: string): ImportRecord => ({
  kind: 'none',
  what: 'title' in row ? 'alert' : 'email' in row ? 'user' : 'adapter' in row ? 'source' : 'other',
  where,
  name: textOf(row, 'title') || textOf(row, 'email') || textOf(row, 'name'),
  reason: 'It has more cells than the first line names columns: put quotes around text with a separator in it.',
});

function alertOfRow(row: Fields, where: string): ImportRecord {
  const title = textOf(row, 'title');
  const createdAt = timeOf(textOf(row, 'created_at'));
  const status = textOf(row, 'status').toLowerCase();
  const skipped = (reason: string): ImportRecord => ({ kind: 'none', what: 'alert', where, name: title, reason });
  if (['closed', 'resolved', 'completed'].includes(status)) return skipped(`It is ${status}.`);
  if (title === '' || !createdAt)
    return skipped('It has no title, or its created_at is no time such as 2026-11-01T10:00:00Z.');
  const [source, adapter] = [textOf(row, 'source') || 'CSV', textOf(row, 'adapter')];
  return {
    kind: 'alert',
    where,
    source: { id: source, name: source.slice(0, 100), adapter: adapter === '' ? undefined : adapterOf(adapter) },
    owner: textOf(row, 'owner') || undefined,
    alert: {
      // Without a key of its own, the same row is the same alert.
      dedupKey: textOf(row, 'dedup_key') || `csv:${hash('sha256', JSON.stringify(row))}`,
      title,
      severity: severityOf(textOf(row, 'severity')),
      state: status === 'acknowledged' ? 'acknowledged' : 'firing',
      customer: textOf(row, 'customer') || null,
      alertType: textOf(row, 'type') || null,
      link: textOf(row, 'link') || null,
      createdAt,
      payload: row,
    },
  };
}
