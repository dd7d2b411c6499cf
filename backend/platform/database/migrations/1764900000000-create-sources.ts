import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Rows that are moved by one statement. */
const ROWS_AT_ONCE = 500;

/** Longest name of a source, and of its key for comparison, in characters. */
const NAME_LENGTH = 100;
const NAME_KEY_LENGTH = 200;

interface ApiKeyRow {
  id: string;
  name: string;
  key_hash: string;
  created_at: number | string;
  last_used_at: number | string | null;
}

/**
 * What sends alerts, with its secrets. Each API key becomes a source with one key, under the same id, so that alerts'
 * deliveries stay recognised. Names differ without regard to case from now on: of equal ones the later get a number.
 * Each step may be repeated.
 */
export class CreateSources1764900000000 implements MigrationInterface {
  readonly name = 'CreateSources1764900000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const key = { isPrimary: true };
    const optional = { isNullable: true };
    await runner.createTable(
      new Table({
        name: 'sources',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), ...key },
          { name: 'name', ...text(NAME_LENGTH) },
          { name: 'name_key', ...text(NAME_KEY_LENGTH) },
          { name: 'settings', ...longText() },
          { name: 'paused_at', ...time(), ...optional },
          { name: 'paused_by', ...text(100), ...optional },
          { name: 'recognised_as', ...text(32), ...optional },
          { name: 'created_at', ...time() },
        ],
        indices: [new TableIndex({ name: 'sources_name_key', columnNames: ['name_key'], isUnique: true })],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'source_secrets',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), ...key },
          { name: 'source_id', ...id() },
          { name: 'kind', ...text(16) },
          { name: 'hash', ...text(64), ...optional },
          { name: 'sealed', ...longText(), ...optional },
          { name: 'hint', ...text(8) },
          { name: 'created_at', ...time() },
          { name: 'created_by', ...text(100), ...optional },
          { name: 'expires_at', ...time(), ...optional },
          { name: 'last_used_at', ...time(), ...optional },
          { name: 'last_used_from', ...text(64), ...optional },
        ],
        indices: [
          new TableIndex({ name: 'source_secrets_hash', columnNames: ['hash'], isUnique: true }),
          new TableIndex({ name: 'source_secrets_source', columnNames: ['source_id'] }),
        ],
      }),
      true,
    );
    if (!(await runner.hasTable('api_keys'))) return;
    await moveKeys(runner);
    await runner.dropTable('api_keys');
  }

  async down(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'api_keys',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'name', ...text(NAME_LENGTH) },
          { name: 'key_hash', ...text(64) },
          { name: 'created_at', ...time() },
          { name: 'last_used_at', ...time(), isNullable: true },
        ],
        indices: [new TableIndex({ name: 'api_keys_hash', columnNames: ['key_hash'], isUnique: true })],
      }),
      true,
    );
    if (!(await runner.hasTable('source_secrets'))) return;
    // A source's newest key takes the source's id, which alerts' deliveries name; the others keep their own.
    const keys = "source_secrets WHERE kind = 'key'";
    await runner.query(
      'INSERT INTO api_keys (id, name, key_hash, created_at, last_used_at) ' +
        'SELECT CASE WHEN secret.id = newest.id THEN source.id ELSE secret.id END, source.name, secret.hash, ' +
        'secret.created_at, secret.last_used_at FROM source_secrets secret ' +
        'JOIN sources source ON source.id = secret.source_id ' +
        `JOIN (SELECT source_id, MAX(id) AS id FROM ${keys} GROUP BY source_id) newest ` +
        'ON newest.source_id = secret.source_id ' +
        "WHERE secret.kind = 'key' AND (secret.expires_at IS NULL OR secret.expires_at > ?) " +
        'AND NOT EXISTS (SELECT 1 FROM api_keys WHERE api_keys.key_hash = secret.hash)',
      [Date.now()],
    );
    await runner.dropTable('source_secrets', true);
    await runner.dropTable('sources', true);
  }
}

/** Makes a source of each API key that has none yet, oldest first. */
async function moveKeys(runner: QueryRunner): Promise<void> {
  const present: { name_key: string }[] = await runner.query('SELECT name_key FROM sources');
  const taken = new Set(present.map(({ name_key: nameKey }) => nameKey));
  for (;;) {
    const keys: ApiKeyRow[] = await runner.query(
      'SELECT id, name, key_hash, created_at, last_used_at FROM api_keys ' +
        `WHERE id NOT IN (SELECT id FROM source_secrets) ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
    );
    if (keys.length === 0) return;
    for (const key of keys) {
      const [moved] = await runner.query('SELECT id FROM sources WHERE id = ?', [key.id]);
      if (!moved) {
        const name = freeName(key.name, taken);
        taken.add(nameKeyOf(name));
        await runner.query("INSERT INTO sources (id, name, name_key, settings, created_at) VALUES (?, ?, ?, '{}', ?)", [
          key.id,
          name,
          nameKeyOf(name),
          key.created_at,
        ]);
      }
      // Last, because it is what marks a key as moved.
      await runner.query(
        'INSERT INTO source_secrets (id, source_id, kind, hash, hint, created_at, last_used_at) ' +
          "VALUES (?, ?, 'key', ?, '', ?, ?)",
        [key.id, key.id, key.key_hash, key.created_at, key.last_used_at],
      );
    }
  }
}

/** How names were compared when this migration was written. */
const nameKeyOf = (name: string): string =>
  name.normalize('NFC').toLowerCase().slice(0, NAME_KEY_LENGTH).toWellFormed();

/** The name, or with a number behind it the first that no source has. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const suffix = number === 1 ? '' : ` ${number}`;
    const numbered = name.slice(0, NAME_LENGTH - suffix.length).toWellFormed() + suffix;
    if (!taken.has(nameKeyOf(numbered))) return numbered;
  }
}
