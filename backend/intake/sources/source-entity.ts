import { EntitySchema } from 'typeorm';
import { lockActiveAdmins } from '#backend/identity/users/user.ts';
import type { Sender } from '#backend/contract/sender.ts';
import { MAX_SOURCES, type SecretKind } from '#backend/contract/source.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict } from '#backend/platform/endpoint/errors.ts';

/** A stored source. `settings` is the JSON of its settings. */
export interface StoredSource {
  id: string;
  name: string;
  /** The name as it is compared: no two sources have the same (see `nameKeyOf`). */
  nameKey: string;
  settings: string;
  pausedAt: number | null;
  /** Display name of the administrator who paused it. */
  pausedBy: string | null;
  /** The sender that its last delivery was recognised as. */
  recognisedAs: Sender | null;
  createdAt: number;
  /** Grows by one with each change of an administrator; what deliveries change of it leaves it. */
  version: number;
}

/** A stored secret of a source. Keys and tokens have a hash, signing secrets a sealed text. */
export interface StoredSourceSecret {
  id: string;
  sourceId: string;
  kind: SecretKind;
  /** SHA-256 of a key or token of 256 random bits; null for a signing secret. */
  hash: string | null;
  /** A signing secret, encrypted (see `sealing`); null for keys and tokens. */
  sealed: string | null;
  /** Last four characters; empty for keys of older versions. */
  hint: string;
  createdAt: number;
  /** Display name of the administrator who made it; null for keys of older versions. */
  createdBy: string | null;
  /** From this moment on it is refused. The row stays for a while, so that an error can be explained. */
  expiresAt: number | null;
  lastUsedAt: number | null;
  lastUsedFrom: string | null;
}

/** Longest name that is compared: lower case may be longer than the name. */
export const NAME_KEY_LENGTH = 200;

/** How names are compared: without regard to case. */
export const nameKeyOf = (name: string): string =>
  name.normalize('NFC').toLowerCase().slice(0, NAME_KEY_LENGTH).toWellFormed();

export const SourceEntity = new EntitySchema<StoredSource>({
  name: 'Source',
  tableName: 'sources',
  columns: {
    id: primary(idColumn('id')),
    name: textColumn('name', 100),
    nameKey: textColumn('name_key', NAME_KEY_LENGTH),
    settings: longTextColumn('settings'),
    pausedAt: nullable(timeColumn('paused_at')),
    pausedBy: nullable(textColumn('paused_by', 100)),
    recognisedAs: nullable(textColumn('recognised_as', 32)),
    createdAt: timeColumn('created_at'),
    version: { type: 'int', name: 'version', default: 1 },
  },
});

export const SourceSecretEntity = new EntitySchema<StoredSourceSecret>({
  name: 'SourceSecret',
  tableName: 'source_secrets',
  columns: {
    id: primary(idColumn('id')),
    sourceId: idColumn('source_id'),
    kind: textColumn('kind', 16),
    hash: nullable(textColumn('hash', 64)),
    sealed: nullable(longTextColumn('sealed')),
    hint: textColumn('hint', 8),
    createdAt: timeColumn('created_at'),
    createdBy: nullable(textColumn('created_by', 100)),
    expiresAt: nullable(timeColumn('expires_at')),
    lastUsedAt: nullable(timeColumn('last_used_at')),
    lastUsedFrom: nullable(textColumn('last_used_from', 64)),
  },
});

/**
 * @param leaving how many of them the same transaction deletes after this
 * @throws {ProblemError} 409 when there are as many sources as there may be; they are added by one transaction after the other
 */
export async function requireRoomForSource(tx: Transaction, leaving: number): Promise<void> {
  await lockActiveAdmins(tx);
  if ((await tx.getRepository(SourceEntity).count()) - leaving < MAX_SOURCES) return;
  throw conflict(`There are ${MAX_SOURCES.toLocaleString('en')} sources already. Delete one first.`);
}

/** Longest name of a source, in characters. */
const NAME_LENGTH = 100;

/** The name, or the first with a number behind it that no source has. */
export async function findFreeName(tx: Transaction, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const numbered = name.slice(0, NAME_LENGTH - suffix.length).toWellFormed() + suffix;
    if (!(await tx.getRepository(SourceEntity).existsBy({ nameKey: nameKeyOf(numbered) }))) return numbered;
  }
}
