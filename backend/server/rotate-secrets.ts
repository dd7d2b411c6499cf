import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '#backend/platform/database/database.ts';
import { idTokenOwner } from '#backend/identity/oidc/provider-session.ts';
import { totpOwner } from '#backend/identity/factors/totp.ts';
import {
  FOLLOW_MS,
  INSIDE_KEY,
  type Keyring,
  isOfKeyring,
  isProtected,
  protectSecret,
  revealSecret,
} from '#backend/platform/secrets/keyring.ts';
import { SecretEntity, type SecretStore } from '#backend/platform/secrets/secret-store.ts';

/** A column whose texts are sealed, one of each row. */
interface SealedColumn {
  table: string;
  id: string;
  column: string;
  /** The column that names whom the text is sealed for. */
  owner: string;
  ownerOf: (value: string) => string;
  /** Which rows have one, where not all of them that are not null. */
  kind?: string;
}

const itself = (id: string): string => id;

/** Everything that is sealed, apart from the generated secrets. */
const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'source_secrets', id: 'id', column: 'sealed', owner: 'id', ownerOf: itself },
  { table: 'outgoing_destinations', id: 'id', column: 'sealed', owner: 'id', ownerOf: itself },
  { table: 'outgoing_calendars', id: 'id', column: 'sealed', owner: 'id', ownerOf: itself },
  { table: 'silencing', id: 'id', column: 'sealed', owner: 'id', ownerOf: itself },
  { table: 'mails', id: 'id', column: 'sealed', owner: 'id', ownerOf: itself },
  { table: 'totp_keys', id: 'user_id', column: 'sealed', owner: 'user_id', ownerOf: totpOwner },
  { table: 'sessions', id: 'id', column: 'id_token', owner: 'user_id', ownerOf: idTokenOwner },
  { table: 'ceremonies', id: 'id', column: 'data', owner: 'user_id', ownerOf: totpOwner, kind: 'totp' },
  { table: 'ceremonies', id: 'id', column: 'details', owner: 'user_id', ownerOf: idTokenOwner, kind: 'oidc_app' },
];

/** Rows of one step, so that nobody waits for long. */
const STEP = 100;

/** Servers that run have followed after this, in milliseconds. */
const ALL_FOLLOWED_MS = 2 * FOLLOW_MS + 2_000;

/** What rotating takes. */
export interface RotateDeps {
  database: Database;
  /** Where generated secrets are kept, as they are stored. */
  store: SecretStore;
  keyring: Keyring;
  /** How long servers are waited for; default: as long as they may take. */
  followedMs?: number;
}

/**
 * Has all servers seal under the first key outside, seals everything again that is under another one, and then removes
 * the key inside. It may be killed at any moment and run again; servers that have the key go on meanwhile.
 *
 * @returns how many texts were sealed again, and how many no key opens: these stay as they are
 */
export async function rotateSecrets(deps: RotateDeps): Promise<{ sealed: number; unopened: number }> {
  const { database, store, keyring, followedMs = ALL_FOLLOWED_MS } = deps;
  await keyring.moveOutside();
  await wait(followedMs);
  const first = await sealAll(deps);
  // What a server was writing meanwhile.
  await wait(first.sealed === 0 ? 0 : followedMs);
  const last = await sealAll(deps);
  const isInTable = database.dialect.name === 'mysql';
  const values = isInTable ? await sealStore(deps) : 0;
  await store.remove(INSIDE_KEY);
  return { sealed: first.sealed + last.sealed + values, unopened: last.unopened };
}

async function sealAll({ database, keyring }: RotateDeps): Promise<{ sealed: number; unopened: number }> {
  let [sealed, unopened] = [0, 0];
  for (const column of SEALED_COLUMNS) {
    for (let after: string | undefined = ''; after !== undefined;) {
      const step: Step = await sealStep(database, keyring, column, after);
      sealed += step.sealed;
      unopened += step.unopened;
      after = step.last;
    }
  }
  return { sealed, unopened };
}

interface Step {
  sealed: number;
  unopened: number;
  /** The last id of this step; undefined after the last step. */
  last: string | undefined;
}

async function sealStep(
  database: Database,
  keyring: Keyring,
  { table, id, column, owner, ownerOf, kind }: SealedColumn,
  after: string,
): Promise<Step> {
  const rows: { id: string; owner: string; text: string }[] = await database.reads.query(
    `SELECT ${id} AS id, ${owner} AS owner, ${column} AS text FROM ${table} ` +
      `WHERE ${id} > ? AND ${column} IS NOT NULL${kind === undefined ? '' : ' AND kind = ?'} ORDER BY ${id} LIMIT ${STEP}`,
    kind === undefined ? [after] : [after, kind],
  );
  const again: [text: string, id: string, before: string][] = [];
  let unopened = 0;
  for (const row of rows) {
    const whose = ownerOf(row.owner);
    try {
      if (!keyring.isCurrent(row.text, whose))
        again.push([keyring.seal(keyring.open(row.text, whose), whose), row.id, row.text]);
    } catch {
      unopened += 1;
    }
  }
  if (again.length > 0) {
    // Only what is as it was read: who changed it meanwhile has sealed it.
    await database.transaction(async (tx) => {
      for (const values of again)
        await tx.query(`UPDATE ${table} SET ${column} = ? WHERE ${id} = ? AND ${column} = ?`, values);
    });
  }
  return { sealed: again.length, unopened, last: rows.length < STEP ? undefined : rows.at(-1)?.id };
}

async function sealStore({ database, store, keyring }: RotateDeps): Promise<number> {
  const secrets = await database.reads.getRepository(SecretEntity).find();
  let sealed = 0;
  for (const { name, value } of secrets) {
    if (isOfKeyring(name) || isProtected(keyring, name, value)) continue;
    await store.put(name, protectSecret(keyring, name, revealSecret(keyring, name, value)));
    sealed += 1;
  }
  return sealed;
}
