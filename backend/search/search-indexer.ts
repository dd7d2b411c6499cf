import type BetterSqlite3 from 'better-sqlite3';
import { createSearchTables } from './search-files.ts';
import { searchTextOf, withoutRepeatedGrams } from './search-text.ts';

/**
 * Alerts, and characters that the index is given of them, in one transaction. The more there are, the less each costs: the
 * index is merged from fewer pieces.
 */
const ALERTS_AT_ONCE = 8_000;
const CHARACTERS_AT_ONCE = 2 * 1024 * 1024;

/** Reading a character takes so little time beside indexing one. */
const COST_OF_READING = 1 / 8;

/** Ids that one step of the check compares. */
const IDS_AT_ONCE = 2_000;

interface AlertRow {
  id: string;
  customer: string | null;
  url: string;
  payload: string;
}

/** What one step did. */
export interface IndexStep {
  indexed: number;
  /** False when everything is indexed. */
  hasMore: boolean;
}

/** Brings an index up to date, a little at a time. */
export interface SearchIndexer {
  /** Indexes the next alerts. */
  indexNext(): IndexStep;
  /** Ids of the newest alert, and of the newest that is indexed; empty where there is none. */
  progress(): { newest: string; indexedTo: string };
  /**
   * Compares index and alerts from the beginning: finds what a restored backup or a clock that was set back left out,
   * and forgets what was deleted.
   */
  startCheck(): Generator<void, void>;
}

/** Reads alerts from one database (which may be read-only), and keeps their index in another. */
export function createSearchIndexer(alerts: BetterSqlite3.Database, index: BetterSqlite3.Database): SearchIndexer {
  createSearchTables(index);
  const nextAlerts = alerts.prepare<[string], AlertRow>(
    `SELECT id, customer, url, payload FROM alerts WHERE id > ? ORDER BY id LIMIT ${ALERTS_AT_ONCE}`,
  );
  const newestId = alerts.prepare<[], string>('SELECT id FROM alerts ORDER BY id DESC LIMIT 1').pluck();
  const nextIds = alerts.prepare<[string], string>(
    `SELECT id FROM alerts WHERE id > ? ORDER BY id LIMIT ${IDS_AT_ONCE}`,
  );
  const oneAlert = alerts.prepare<[string], AlertRow>('SELECT id, customer, url, payload FROM alerts WHERE id = ?');
  const indexedTo = index.prepare<[], string>('SELECT indexed_to FROM progress');
  const setIndexedTo = index.prepare<[string]>('UPDATE progress SET indexed_to = ?');
  const addDocument = index.prepare<[string]>('INSERT OR IGNORE INTO documents (alert_id) VALUES (?)');
  const addText = index.prepare<[number | bigint, string]>('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  const documentsBetween = index.prepare<[string, string], { position: number; alert_id: string }>(
    'SELECT position, alert_id FROM documents WHERE alert_id > ? AND alert_id <= ? ORDER BY alert_id',
  );
  const removeDocument = index.prepare<[number]>('DELETE FROM documents WHERE position = ?');
  const removeText = index.prepare<[number]>('DELETE FROM texts WHERE rowid = ?');
  nextIds.pluck();
  indexedTo.pluck();

  /** Returns how many characters the index was given, with those that were only read at their lower cost. */
  const add = (alert: AlertRow): number => {
    const { changes, lastInsertRowid } = addDocument.run(alert.id);
    if (changes === 0) return 0;
    const whole = searchTextOf(alert);
    const text = withoutRepeatedGrams(whole);
    addText.run(lastInsertRowid, text);
    return text.length + whole.length * COST_OF_READING;
  };

  const indexFrom = index.transaction((after: string): IndexStep => {
    let [indexed, characters, to] = [0, 0, after];
    for (const alert of nextAlerts.iterate(after)) {
      characters += add(alert);
      indexed += 1;
      to = alert.id;
      if (characters >= CHARACTERS_AT_ONCE) break;
    }
    if (indexed > 0) setIndexedTo.run(to);
    return { indexed, hasMore: indexed === ALERTS_AT_ONCE || characters >= CHARACTERS_AT_ONCE };
  });

  const repair = index.transaction((after: string, upTo: string, ids: string[]) => {
    const missing = new Set(ids);
    for (const { position, alert_id: id } of documentsBetween.all(after, upTo)) {
      if (missing.delete(id)) continue;
      removeText.run(position);
      removeDocument.run(position);
    }
    for (const id of missing) {
      const alert = oneAlert.get(id);
      if (alert) add(alert);
    }
  });

  return {
    indexNext: () => indexFrom(indexedTo.get() ?? ''),
    progress: () => ({ newest: newestId.get() ?? '', indexedTo: indexedTo.get() ?? '' }),
    *startCheck() {
      // Only what is indexed: what comes after is not missing yet.
      const end = indexedTo.get() ?? '';
      for (let after = ''; after < end;) {
        const ids = nextIds.all(after).filter((id) => id <= end);
        const upTo = ids.length === IDS_AT_ONCE ? (ids.at(-1) ?? end) : end;
        repair(after, upTo, ids);
        after = upTo;
        yield;
      }
    },
  };
}
