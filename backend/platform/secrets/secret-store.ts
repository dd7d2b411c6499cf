import { EntitySchema } from 'typeorm';
import { primary, textColumn } from '#backend/platform/database/columns.ts';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { Database } from '#backend/platform/database/database.ts';
import { SECRETS_FILE, makeDataFile, refusalOf } from '#backend/platform/database/private-files.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';

/** A generated secret that several servers on one database share. */
export interface StoredSecret {
  name: string;
  value: string;
}

export const SecretEntity = new EntitySchema<StoredSecret>({
  name: 'Secret',
  tableName: 'secrets',
  columns: {
    name: primary(textColumn('name', 64)),
    value: textColumn('value', 500),
  },
});

/** Small generated secrets by name, such as SESSION_SECRET. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  /** The stored value, or `make()` kept from now on. Of several servers that start at once, one value wins. */
  getOrCreate(name: string, make: () => string): Promise<string>;
  /** Stores this value in the place of another. */
  put(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** Secrets of an installation with the embedded database: one file beside it, readable by its owner only. */
export function createFileSecretStore(dataDir: string): SecretStore {
  const file = join(dataDir, SECRETS_FILE);
  const read = async (): Promise<Record<string, string>> => {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '{}';
      throw new StartError(refusalOf(file, error) ?? `The file ${file} cannot be read (${error.code}).`, {
        cause: error,
      });
    });
    try {
      return JSON.parse(text) as Record<string, string>;
    } catch (error) {
      throw new StartError(
        `The file ${file} is damaged: it is not JSON. Restore it, or remove it to make new secrets.`,
        {
          cause: error,
        },
      );
    }
  };
  const write = async (secrets: Record<string, string>) => {
    // Written aside and moved into place, so that a crash leaves the old file or the new one. Always under the same name, so
    // that the next change writes over what a crash left: no copy keeps secrets that were replaced.
    const aside = `${file}.new`;
    try {
      makeDataFile(aside);
      await writeFile(aside, `${JSON.stringify(secrets, null, 2)}\n`, { flush: true });
      await rename(aside, file);
    } catch (error) {
      await rm(aside, { force: true });
      throw error;
    }
  };
  // A change is made of what was read, so each waits for the one before.
  const inTurn = pLimit(1);
  return {
    get: async (name) => (await read())[name],
    getOrCreate: (name, make) =>
      inTurn(async () => {
        const secrets = await read();
        const value = secrets[name] ?? make();
        if (secrets[name] === undefined) await write({ ...secrets, [name]: value });
        return value;
      }),
    put: (name, value) => inTurn(async () => write({ ...(await read()), [name]: value })),
    remove: (name) =>
      inTurn(async () => {
        const { [name]: removed, ...rest } = await read();
        if (removed !== undefined) await write(rest);
      }),
  };
}

/** Secrets of servers that share a database: one table of it. */
export function createTableSecretStore(database: Database): SecretStore {
  const find = async (name: string) => (await database.reads.getRepository(SecretEntity).findOneBy({ name }))?.value;
  return {
    get: find,
    async getOrCreate(name, make) {
      const existing = await find(name);
      if (existing !== undefined) return existing;
      try {
        const value = make();
        await database.transaction((tx) => tx.getRepository(SecretEntity).insert({ name, value }));
        return value;
      } catch (error) {
        if (!database.dialect.isDuplicate(error)) throw error;
        const winner = await find(name);
        if (winner === undefined) throw error;
        return winner;
      }
    },
    async put(name, value) {
      await database.transaction(async (tx) => {
        await tx.getRepository(SecretEntity).delete({ name });
        await tx.getRepository(SecretEntity).insert({ name, value });
      });
    },
    async remove(name) {
      await database.transaction((tx) => tx.getRepository(SecretEntity).delete({ name }));
    },
  };
}

/** Where an installation keeps its generated secrets. */
export const openStore = (
  { dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | undefined },
  database: Database,
): SecretStore => (databaseUrl === undefined ? createFileSecretStore(dataDir) : createTableSecretStore(database));
