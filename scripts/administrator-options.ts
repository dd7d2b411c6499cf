import { type FileHandle, open, readFile } from 'node:fs/promises';
import process from 'node:process';
import { Complaint } from './complaint.ts';
import type { Credentials } from './demo/signed-in-client.ts';

/** Read and written by whoever runs the command alone. */
const PRIVATE_FILE = 0o600;

/** The address of the server that a command is for. @throws {Complaint} for what is no address */
export function readServerUrl(given: string | undefined): URL {
  const url = URL.parse(given ?? 'http://127.0.0.1:4400');
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new Complaint('--url takes an address such as http://127.0.0.1:4400.');
}

/** The account that a command works by: options, else variables of the environment. @throws {Complaint} where one is missing */
export async function readCredentials(
  values: { email?: string | undefined; 'password-file'?: string | undefined; code?: string | undefined },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Credentials> {
  const email = values.email ?? environment['ALERTDESK_EMAIL'];
  if (!email) throw new Complaint('Name the account of an administrator by --email, or set ALERTDESK_EMAIL.');
  const named = values['password-file'];
  const password = named === undefined ? environment['ALERTDESK_PASSWORD'] : await readPassword(named);
  if (!password) throw new Complaint('Set ALERTDESK_PASSWORD, or name a file by --password-file.');
  return { email, password, code: values.code };
}

/** The first line of a file. */
async function readPassword(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Complaint(`The file ${file} cannot be read.`, { cause: error });
  });
  return text.split(/\r?\n/, 1)[0] ?? '';
}

/** Makes a file for what is shown once. @throws {Complaint} where it is there already */
export async function openPrivateFile(file: string | undefined): Promise<FileHandle | undefined> {
  if (file === undefined) return undefined;
  return open(file, 'wx', PRIVATE_FILE).catch((error: unknown) => {
    throw new Complaint(`The file ${file} cannot be made; it must not exist yet.`, { cause: error });
  });
}
