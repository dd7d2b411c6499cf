/** `alertdesk backup FILE`: copies the embedded database to a file, while a server may be running. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { COMMAND_LINE } from '#backend/identity/audit/audit-log.ts';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import { backUp } from '#backend/transfer/backup/backup.ts';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import { SECRETS_FILE } from '#backend/platform/database/private-files.ts';
import { INSIDE_KEY, SEALED_THINGS, SEALING_CHECK } from '#backend/platform/secrets/keyring.ts';
import { Complaint } from '#scripts/complaint.ts';
import { readEmbedded } from '#scripts/open-installation.ts';

const BACKED_UP: AuditAction = 'database_backed_up';

/** @param args the command line behind the command */
export async function run(args: string[]): Promise<void> {
  const file = readFile(args);
  const { dataDir } = readEmbedded();
  const bytes = await backUp(dataDir, resolve(file));
  auditBackup(dataDir, resolve(file), bytes);
  const secretsFile = join(dataDir, SECRETS_FILE);
  console.log(
    `Backed up to ${resolve(file)} (${bytes.toLocaleString('en')} bytes).\n` +
      `It does not contain the secrets: SESSION_SECRET, VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY. To restore it elsewhere, also copy ${secretsFile}, ` +
      'or set these variables to the same values there; otherwise open pages must be reloaded, and browsers subscribe to notifications again.',
  );
  const key = findKey(resolve(file), secretsFile);
  if (key === undefined) return;
  console.log(
    `What is secret in it (${SEALED_THINGS}) is sealed under ${key}: keep that too, apart from the backup. Without it nobody can open them.`,
  );
}

/** The file that is asked for. An option, such as `--help`, is no name of a file. */
function readFile(args: string[]): string {
  try {
    const [file, ...rest] = parseArgs({ args, allowPositionals: true, options: {} }).positionals;
    if (file !== undefined && rest.length === 0) return file;
  } catch {
    // An unknown option.
  }
  throw new Complaint(`Usage: ${commandLine('backup', 'FILE')}`);
}

/** Writes the backup to the audit trail. It is there whatever keeps the trail from that, such as a full disk. */
function auditBackup(dataDir: string, file: string, bytes: number): void {
  try {
    const database = new BetterSqlite3(join(dataDir, SQLITE_FILE), { fileMustExist: true, timeout: 10_000 });
    try {
      database
        .prepare(
          'INSERT INTO audit_log (id, action, actor_name, subject, detail, created_at) VALUES (?, ?, ?, ?, ?, ?)',
        )
        .run(newId(), BACKED_UP, COMMAND_LINE.name, file.slice(-254), `${bytes} bytes`, Date.now());
    } finally {
      database.close();
    }
  } catch (error) {
    console.error(`The backup is not in the audit trail (${errorCode(error) || String(error)}).`);
  }
}

/** What the key is called that opens the sealed secrets in a backup; undefined when it has none. */
function findKey(file: string, secretsFile: string): string | undefined {
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    const check = database.prepare('SELECT value FROM secrets WHERE name = ?').pluck().get(SEALING_CHECK);
    if (typeof check !== 'string') return undefined;
    if (check.startsWith('inside:')) return `the key ${INSIDE_KEY} in ${secretsFile}`;
    return 'the key of SECRETS_KEY or SECRETS_KEY_FILE';
  } finally {
    database.close();
  }
}
