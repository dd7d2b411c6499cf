import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import Papa from 'papaparse';
import { Complaint } from '#scripts/complaint.ts';
import {
  type Fields,
  type ImportRecord,
  type System,
  adapterOf,
  isFields,
  sourceRecord,
  textOf,
  timeOf,
  userRecord,
} from './records.ts';
import { type ReadRecord, readOnCall, readOpsgenie, severityOf } from './systems.ts';

/** Largest JSON file, in bytes: it is read whole. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** Members that hold lists in answers of APIs, without a name of their own. */
const ENVELOPES = new Set(['data', 'results']);

/**
 * The records of a file, or of every `.json` file below a folder, one file in memory at a time.
 *
 * @throws {Complaint} naming the file that cannot be read, and the place in it
 */
export async function* readInput(system: System, path: string): AsyncGenerator<ImportRecord> {
  if (system === 'csv') {
    yield* readCsv(path);
    return;
  }
  const read = system === 'opsgenie' ? readOpsgenie : readOnCall;
  for (const file of await filesBelow(path)) {
    const list = listName(basename(file, extname(file))) ?? listName(basename(dirname(file))) ?? '';
    yield* recordsOf(await readJsonFile(file), file, list, read);
  }
}

/** Names of lists, as files and folders have them. */
const LISTS = ['users', 'integrations', 'alerts', 'alert_groups'];
const listName = (name: string): string | undefined => LISTS.find((list) => name.toLowerCase() === list);

async function filesBelow(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw new Complaint(`There is no file or folder ${path}.`);
  if (!found.isDirectory()) {
    if (extname(path) === '.zip') throw new Complaint(`${path} is an archive: unpack it, and name the folder.`);
    return [path];
  }
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) === '.json');
  if (files.length === 0) throw new Complaint(`There is no .json file in ${path}.`);
  return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}

async function readJsonFile(file: string): Promise<unknown> {
  if ((await stat(file)).size > MAX_FILE_BYTES) throw new Complaint(`${file} is larger than 256 MiB: split it.`);
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Complaint(`${file} is not JSON: ${(error as Error).message}`, { cause: error });
  }
}

function* recordsOf(value: unknown, where: string, list: string, read: ReadRecord): Generator<ImportRecord> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* recordsOf(item, `${where}[${index}]`, list, read);
    return;
  }
  if (!isFields(value)) {
    yield { kind: 'none', what: 'other', where, name: '', reason: 'It is no object.' };
    return;
  }
  const inner = Object.entries(value).filter(([name, item]) => isList(name, item));
  if (inner.length === 0) yield read(value, where, list);
  for (const [name, item] of inner) {
    yield* recordsOf(item, `${where}.${name}`, ENVELOPES.has(name) ? list : name, read);
  }
}

/** `data` and `results` of an answer, and lists by the names of what they hold; not members of a record, such as its tags. */
const isList = (name: string, value: unknown): boolean =>
  (ENVELOPES.has(name) && typeof value === 'object' && value !== null) ||
  (LISTS.includes(name) && (Array.isArray(value) || isFields(value)));

/** Columns that say what a CSV file is a list of. */
const CSV_KINDS = 'email (users), adapter (sources) or title (alerts)';

/** Rows of a CSV file below a line of column names, one at a time. */
async function* readCsv(file: string): AsyncGenerator<ImportRecord> {
  if (!(await stat(file).catch(() => undefined))?.isFile()) throw new Complaint(`There is no file ${file}.`);
  const rows = createReadStream(file, 'utf8').pipe(
    Papa.parse(Papa.NODE_STREAM_INPUT, {
      header: true,
      skipEmptyLines: 'greedy',
      transformHeader: (name) =>
        name
          .trim()
          .replace(/^\uFEFF/, '')
          .toLowerCase(),
    }),
  );
  let row = 1;
  for await (const fields of rows as AsyncIterable<Fields>) {
    row += 1;
    yield readRow(fields, `${file}, row ${row}`);
  }
}

function readRow(row: Fields, where: string): ImportRecord {
  const name = textOf(row, 'name');
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

function alertOfRow(row: Fields, where: string): ImportRecord {
  const title = textOf(row, 'title');
  const createdAt = timeOf(textOf(row, 'created_at'));
  const status = textOf(row, 'status').toLowerCase();
  const skipped = (reason: string): ImportRecord => ({ kind: 'none', what: 'alert', where, name: title, reason });
  if (['closed', 'resolved', 'completed'].includes(status)) return skipped(`It is ${status}.`);
  if (title === '' || !createdAt) return skipped('It has no title, or its created_at is no time.');
  const source = textOf(row, 'source') || 'CSV';
  return {
    kind: 'alert',
    where,
    source: { id: source, name: source.slice(0, 100), adapter: adapterOf(textOf(row, 'adapter')) },
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
