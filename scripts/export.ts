/** `npm run export -- FILE`: everything of the installation, or of one member, as JSON lines, while servers run. */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { findUserByEmail } from '#backend/identity/users/user.ts';
import { commandLine } from '#backend/platform/logger/command-line.ts';
import { COMMAND_LINE, addAudit } from '#backend/identity/audit/audit-log.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { beginPartial } from '#backend/transfer/backup/partial-file.ts';
import { type ExportPart, exportInstallation, exportMember } from '#backend/transfer/export/export-lines.ts';
import { Complaint } from '#scripts/complaint.ts';
import { openInstallation } from '#scripts/open-installation.ts';

const USAGE = `Usage: ${commandLine('export', 'FILE [--member EMAIL]')}

Writes everything of this installation to FILE as JSON lines, or with --member what is stored of one member.
A name that ends in .gz is compressed. Passwords, keys, tokens and other secrets are never written.
docs/export-format.md describes every line.`;

/** Read and written by whoever runs the command alone. */
const PRIVATE_FILE = 0o600;

/** How often the progress is reported, in milliseconds. */
const PROGRESS_MS = 2_000;

export async function run(args: string[]): Promise<void> {
  const { file, member } = readOptions(args);
  if (await stat(file).catch(() => undefined))
    throw new Complaint(`The file ${file} exists already; name another one.`);
  const { database } = await openInstallation();
  try {
    const lines = await writeExport(database, file, member);
    console.log(`Exported ${lines.toLocaleString('en')} lines to ${file}.`);
  } finally {
    await database.close();
  }
}

function readOptions(args: string[]): { file: string; member: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { member: { type: 'string' } },
    });
    const [file, ...rest] = positionals;
    if (file !== undefined && rest.length === 0) return { file: resolve(file), member: values.member };
  } catch (error) {
    throw new Complaint(`${(error as Error).message}\n\n${USAGE}`, { cause: error });
  }
  throw new Complaint(USAGE);
}

/** Writes the export beside its name first: a file with the name is whole. @returns how many lines it has */
async function writeExport(database: Database, file: string, member: string | undefined): Promise<number> {
  const user = member === undefined ? undefined : await findUserByEmail(database.reads, member);
  if (user === null) throw new Complaint(`There is no account with the e-mail ${member}.`);
  let partial: string | undefined;
  let lines = 0;
  const progress = reportProgress();
  try {
    const beside = await beginPartial(file);
    partial = beside;
    await database.snapshot(async (query) => {
      const now = Date.now();
      const parts = user ? exportMember(query, database.dialect, user.id, now) : exportInstallation(query, now);
      const texts = async function* (): AsyncGenerator<string> {
        for await (const part of parts) {
          lines += part.lines;
          progress.note(part);
          yield part.text;
        }
      };
      const out = createWriteStream(beside, { mode: PRIVATE_FILE, flags: 'wx', flush: true });
      const readable = Readable.from(texts());
      await (file.endsWith('.gz') ? pipeline(readable, createGzip(), out) : pipeline(readable, out));
    });
    // Not before it is whole, and before anybody can find it: the trail has what was made, and nothing is made without it.
    await database.transaction((tx) =>
      user
        ? addAudit(tx, COMMAND_LINE, 'member_data_exported', user.email)
        : addAudit(tx, COMMAND_LINE, 'installation_exported'),
    );
    await rename(beside, file);
    return lines;
  } catch (error) {
    if (partial !== undefined) await rm(partial, { force: true });
    const code = errorCode(error);
    if (!/^E[A-Z]+$/.test(code)) throw error;
    throw new Complaint(`The export could not be written to ${file} (${code}).`, { cause: error });
  } finally {
    progress.end();
  }
}

/** Says on standard error what is being written, now and then. */
function reportProgress(): { note: (part: ExportPart) => void; end: () => void } {
  const counts = new Map<string, number>();
  let latest = '';
  const timer = setInterval(() => {
    if (latest !== '') console.error(`${latest}: ${(counts.get(latest) ?? 0).toLocaleString('en')}`);
  }, PROGRESS_MS);
  return {
    note({ kind, lines }) {
      latest = kind;
      counts.set(kind, (counts.get(kind) ?? 0) + lines);
    },
    end: () => clearInterval(timer),
  };
}
