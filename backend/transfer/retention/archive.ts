import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, open, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type EntityManager, In } from 'typeorm';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import { errorCode } from '#backend/platform/database/driver-errors.ts';
import { makeFolder, syncFolder } from '#backend/platform/database/private-files.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { NoteEntity, presentNote } from '#backend/alerts/notes/note.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { AlertEntity, presentAlert } from '#backend/alerts/alert/alert.ts';
import { HistoryEntity, presentHistoryEntry } from '#backend/alerts/alert/history.ts';

/** Read and written by the server's own user alone. */
const PRIVATE_FILE = 0o600;

/** Alerts that are in a file, on the disk, and still in the database. */
export interface WrittenAlerts {
  /**
   * Notes in the transaction that deletes them that the file has them.
   *
   * @param ids of the locked alerts that are to be deleted
   * @returns false, and nothing is noted, when these are others, or one of them has changed since it was written
   */
  note(tx: Transaction, ids: readonly string[]): Promise<boolean>;
}

/** A folder with what was deleted. */
export interface Archive {
  /**
   * Puts aside what files have at their end of alerts that were not deleted after all, because the server was killed in
   * between. They are in the database, and are written again.
   */
  recover(): Promise<void>;
  /** Writes alerts, with their histories and notes, and flushes them to the disk. In the place of what was not noted. */
  write(ids: readonly string[]): Promise<WrittenAlerts>;
}

/** @throws {StartError} when the folder cannot be made or written to */
export async function prepareArchiveDir(dir: string): Promise<void> {
  try {
    await makeFolder(dir);
    await access(dir, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new StartError(
      `Alerts cannot be archived in ${dir} (${errorCode(error)}); set ARCHIVE_DIR to a folder that can be written.`,
      { cause: error },
    );
  }
}

/**
 * Archives alerts as JSON lines, compressed, in a file for each day and start of a server: nobody else writes to it, whoever
 * shares the folder. How much of it counts is in the database and changes with the deletion, so each alert is in either.
 *
 * @param serverId of this start of the server
 */
export function openArchive(
  dir: string,
  { database, logger, serverId }: { database: Database; logger: Logger } & { serverId: string },
  now: () => number = Date.now,
): Archive {
  /** How many bytes count; notes the file before there is one, so that it is known whose it is. */
  const countedBytes = async (name: string): Promise<number> => {
    const find = 'SELECT bytes FROM archive_files WHERE name = ?';
    const [row]: { bytes: unknown }[] = await database.reads.query(find, [name]);
    if (row) return Number(row.bytes);
    const add = 'INSERT INTO archive_files (name, bytes, alerts, changed_at) VALUES (?, 0, 0, ?)';
    await database.transaction((tx) => tx.query(database.dialect.ignoreExisting(add, 'name'), [name, now()]));
    return 0;
  };

  return {
    async recover() {
      const rows: { name: string; bytes: unknown }[] = await database.reads.query(
        'SELECT name, bytes FROM archive_files ORDER BY name',
      );
      for (const { name, bytes } of rows) {
        const file = join(dir, name);
        const size = await sizeOf(file);
        // Another machine has it, or it was moved to where there is more room.
        if (size === undefined || size <= Number(bytes)) continue;
        const rest = `${file}.rest-${now()}`;
        await setAside(file, Number(bytes), rest);
        logger.warn(
          { file: rest },
          'archived alerts were put aside: they were not deleted and are still in the database',
        );
      }
    },

    async write(ids) {
      const name = `alerts-${new Date(now()).toISOString().slice(0, 10)}-${serverId}.jsonl.gz`;
      const [text, begin] = [await readLines(database.reads, ids), await countedBytes(name)];
      const data = await promisify(gzip)(text);
      await writeAt(join(dir, name), begin, data);
      return {
        async note(tx, deleted) {
          if (deleted.length !== ids.length || (await readLines(tx, deleted)) !== text) return false;
          await tx.query('UPDATE archive_files SET bytes = ?, alerts = alerts + ?, changed_at = ? WHERE name = ?', [
            begin + data.length,
            ids.length,
            now(),
            name,
          ]);
          return true;
        },
      };
    },
  };
}

/** One line for each alert, oldest first: as the API answers it, with its history and its notes. */
async function readLines(manager: EntityManager, ids: readonly string[]): Promise<string> {
  const where = { alertId: In(ids) };
  const alerts = await manager.getRepository(AlertEntity).find({ where: { id: In(ids) }, order: { id: 'ASC' } });
  const entries = await manager.getRepository(HistoryEntity).find({ where, order: { alertId: 'ASC', id: 'ASC' } });
  const notes = await manager.getRepository(NoteEntity).find({ where, order: { alertId: 'ASC', id: 'ASC' } });
  const owners = [...new Set(alerts.flatMap(({ ownerId }) => ownerId ?? []))];
  const names = await findDisplayNames(manager, owners);
  const [entriesOf, notesOf] = [
    Map.groupBy(entries, ({ alertId }) => alertId),
    Map.groupBy(notes, ({ alertId }) => alertId),
  ];
  const lines = alerts.map((alert) => {
    const json = presentAlert(alert, names.get(alert.ownerId ?? '') ?? null);
    // Of folders the names too: whoever reads the archive can read the database.
    const history = (entriesOf.get(alert.id) ?? []).map((entry) =>
      presentHistoryEntry(entry, entry.folderOwnerId ?? ''),
    );
    const ownNotes = (notesOf.get(alert.id) ?? []).map(presentNote);
    const line = `${json.slice(0, -1)},"history":${JSON.stringify(history)},"notes":${JSON.stringify(ownNotes)}}`;
    // Payloads are as they came, perhaps on several lines. JSON has line breaks between its tokens alone.
    return `${line.replaceAll(/[\r\n]+/g, ' ')}\n`;
  });
  return lines.join('');
}

/** @throws {Error} when the file is shorter than what counts of it */
async function writeAt(file: string, begin: number, data: Buffer): Promise<void> {
  const handle = await open(file, constants.O_WRONLY | constants.O_CREAT, PRIVATE_FILE);
  try {
    const { size } = await handle.stat();
    if (size < begin) {
      throw new Error(
        `The archive's file ${file} has ${size} bytes of ${begin}: put it back, or restart the server, which begins another.`,
      );
    }
    await handle.truncate(begin);
    for (let done = 0; done < data.length;) {
      done += (await handle.write(data, done, data.length - done, begin + done)).bytesWritten;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  if (begin === 0) await syncFolder(dirname(file));
}

/** Moves the end of a file into one of its own. */
async function setAside(file: string, begin: number, rest: string): Promise<void> {
  await pipeline(
    createReadStream(file, { start: begin }),
    createWriteStream(rest, { mode: PRIVATE_FILE, flush: true }),
  );
  await truncate(file, begin);
}

const sizeOf = (file: string): Promise<number | undefined> =>
  stat(file).then(
    ({ size }) => size,
    () => undefined,
  );
