import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Document, LineCounter, type Node, isMap, isNode, isPair, parseDocument } from 'yaml';
import {
  type Configuration,
  SECTION_NAMES,
  type SectionName,
  configurationSchema,
  secretFieldsOf,
} from '#backend/contract/configuration.ts';
import { IN_ENGLISH, type InputError } from '#backend/platform/endpoint/errors.ts';
import { Complaint } from '#scripts/complaint.ts';
import { fieldsAt } from './schema-fields.ts';

/** A file that is read. */
export interface ConfigurationFile {
  /** With the secrets that it names; those that are not there are left out. */
  configuration: Configuration;
  /** What somebody should know who applies it, a line each. */
  remarks: string[];
  /** Errors with the line and column at which the file has what they are about. */
  describe(errors: readonly InputError[]): string;
}

/** Aliases (`*name`) that a file may have: each repeats what it stands for. */
const MAX_ALIASES = 100;

type Path = readonly (string | number)[];

/**
 * Reads a configuration, as YAML or JSON.
 *
 * @param environment has the variables that secrets name
 * @throws {Complaint} with a line for everything that is wrong, or where the file cannot be read
 */
export async function readConfigurationFile(
  file: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ConfigurationFile> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Complaint(`The file ${file} cannot be read.`, { cause: error });
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    throw new Complaint(document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message}`).join('\n'));
  const describe = (errors: readonly InputError[]): string =>
    errors
      .map(({ path, message }) => ({ path: stepsOf(path), message }))
      .map(({ path, message }) => `${at(offsetOf(document, path))}: ${placeOf(document, path)}${message}`)
      .join('\n');
  const raw = valuesOf(document, file);
  const { errors, remarks, values } = await readSecrets(raw, environment, dirname(file));
  const parsed = configurationSchema.safeParse(values, IN_ENGLISH);
  const faults = [
    ...errors,
    ...(parsed.error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message })),
    ...unknownFields(values, parsed.data),
  ];
  if (faults.length > 0 || !parsed.success) throw new Complaint(describe(faults));
  return { configuration: parsed.data, remarks, describe };
}

function valuesOf(document: Document, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new Complaint(`${file}: ${(error as Error).message}`, { cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new Complaint(`${file} names no section. There are ${SECTION_NAMES.join(', ')}.`);
}

const stepsOf = (path: string): Path =>
  path === '' ? [] : path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));

/** Where the file has something; what is missing is where it would be. */
function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const name = path[length - 1];
    const pair =
      length > 0 && isMap(parent)
        ? parent.items.find(({ key }) => isNode(key) && (key as { value?: unknown }).value === name)
        : undefined;
    if (pair && isPair(pair) && isNode(pair.key) && pair.key.range) return pair.key.range[0];
    const node = length === 0 ? document.contents : (document.getIn(path.slice(0, length), true) as Node | undefined);
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** Names the entry that a path is in, and the field: `heartbeats "Backup", schedule.expression: `. */
function placeOf(document: Document, [section, index, ...rest]: Path): string {
  if (section === undefined) return '';
  if (index === undefined) return `${section}: `;
  const name = document.getIn([section, index, 'name']);
  const entry = typeof name === 'string' ? `${section} "${name}"` : `${section}, entry ${Number(index) + 1}`;
  return rest.length === 0 ? `${entry}: ` : `${entry}, ${rest.join('.')}: `;
}

/**
 * What is there and is no field: it would be left out without a word.
 *
 * @param taken what the schema made of it; undefined where something else is wrong, and the schema itself says what it takes
 */
function unknownFields(given: unknown, taken: unknown, path: Path = []): InputError[] {
  if (typeof given !== 'object' || given === null) return [];
  const fields = fieldsAt(configurationSchema, path);
  const known = (name: string): boolean =>
    typeof taken === 'object' && taken !== null ? Object.hasOwn(taken, name) : (fields?.includes(name) ?? true);
  return Object.entries(given).flatMap(([name, value]: [string, unknown]) => {
    const here = [...path, Array.isArray(given) ? Number(name) : name];
    if (known(name)) return unknownFields(value, (taken as Record<string, unknown> | undefined)?.[name], here);
    if (value === undefined) return [];
    const what = path.length === 0 ? 'There is no section of this name.' : 'There is no field of this name here.';
    return [{ path: here.join('.'), message: `${what}${fields ? ` There are ${fields.join(', ')}.` : ''}` }];
  });
}

/** Has every secret in the place of what names it. */
async function readSecrets(
  raw: Record<string, unknown>,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
) {
  const errors: InputError[] = [];
  const remarks: string[] = [];
  const values = { ...raw };
  for (const section of SECTION_NAMES) {
    const entries = raw[section];
    if (!Array.isArray(entries)) continue;
    values[section] = await Promise.all(
      entries.map((entry: unknown, index) =>
        readSecretsOf(section, entry, index, { environment, folder, errors, remarks }),
      ),
    );
  }
  return { errors, remarks, values };
}

interface SecretReading {
  environment: Readonly<Record<string, string | undefined>>;
  folder: string;
  errors: InputError[];
  remarks: string[];
}

async function readSecretsOf(
  section: SectionName,
  entry: unknown,
  index: number,
  { environment, folder, errors, remarks }: SecretReading,
): Promise<unknown> {
  if (typeof entry !== 'object' || entry === null) return entry;
  const own: Record<string, unknown> = { ...entry };
  for (const field of secretFieldsOf(section, own['kind'])) {
    const reference = own[field];
    if (reference === undefined) continue;
    delete own[field];
    const path = `${section}.${index}.${field}`;
    const [how, name, ...more] =
      typeof reference === 'object' && reference !== null ? Object.entries(reference).flat() : [];
    if (typeof name !== 'string' || more.length > 0 || (how !== 'env' && how !== 'file')) {
      const message = 'Write a secret as { env: NAME } or { file: PATH }: it does not belong into this file.';
      errors.push({ path, message });
    } else if (how === 'env') {
      const value = environment[name];
      if (value) own[field] = value;
      else remarks.push(`${String(own['name'])}: ${name} is not set, so what is stored as ${field} stays.`);
    } else {
      const text = await readFile(resolve(folder, name), 'utf8').catch(() => undefined);
      if (text === undefined) errors.push({ path, message: `The file ${name} cannot be read.` });
      else own[field] = text.replace(/\r?\n$/, '');
    }
  }
  return own;
}
