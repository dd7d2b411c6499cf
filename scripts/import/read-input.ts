import { readFile, readdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { Complaint } from '#scripts/complaint.ts';
import { checkCsv, isNotUtf8, readCsv } from './read-csv.ts';
import { type ImportRecord, type System, isFields } from './records.ts';
import { type ReadRecord, readOnCall, readOpsgenie } from './systems.ts';

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

/**
 * Reads everything once, before anything is written: a file that cannot be read half-way has imported nothing.
 *
 * @throws {Complaint} naming the file, and the place in it; also where there is nothing in it
 */
export async function checkInput(system: System, path: string): Promise<void> {
  if (system === 'csv') await checkCsv(path);
  const records = readInput(system, path);
  if ((await records.next()).done) {
    throw new Complaint(
      system === 'csv'
        ? `${path} has no rows below a first line of column names: there is nothing to import.`
        : `${path} has no records: there is nothing to import.`,
    );
  }
  while (!(await records.next()).done);
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
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)));
  } catch (error) {
    if (isNotUtf8(error)) throw new Complaint(`${file} is not UTF-8: save it as such.`, { cause: error });
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
