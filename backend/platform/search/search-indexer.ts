import type BetterSqlite3 from 'better-sqlite3';
import { createSearchTables } from './search-files.ts';
import { INDEXED_NAMES, type SearchedAlert, searchTextOf, withoutRepeatedGrams } from './search-text.ts';

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

interface AlertRow extends SearchedAlert {
  id: string;
}

const NAMES = INDEXED_NAMES.join(', ');
/** What of an alert may change: its title, with its notes after it. */
const WRITTEN = "CASE WHEN note_text IS NULL THEN title ELSE COALESCE(title, '') || char(10) || note_text END AS title";
const ALERT = `id, ${WRITTEN}, ${NAMES}, url, payload`;

type TitledAlert = Pick<AlertRow, 'id' | 'title'>;

/** An alert as it is in the index. */
interface IndexedAlert {
  position: number;
  alert_id: string;
  title: string | null;
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
  /** Indexes those of the alerts again whose title, or whose notes, are not those that are indexed. */
  retitle(ids: string[]): void;
  /**
   * Compares index and alerts from the beginning: finds what a restored backup or a clock that was set back left out,
   * and titles and notes that changed unnoticed, and forgets what was deleted.
   */
  startCheck(): Generator<void, void>;
}

/** Reads alerts from one database (which may be read-only), and keeps their index in another. */
export function createSearchIndexer(alerts: BetterSqlite3.Database, index: BetterSqlite3.Database): SearchIndexer {
  createSearchTables(index);
  const nextAlerts = alerts.prepare<[string], AlertRow>(
    `SELECT ${ALERT} FROM alerts WHERE id > ? ORDER BY id LIMIT ${ALERTS_AT_ONCE}`,
  );
  const newestId = alerts.prepare<[], string>('SELECT id FROM alerts ORDER BY id DESC LIMIT 1').pluck();
  const nextTitles = alerts.prepare<[string], TitledAlert>(
    `SELECT id, ${WRITTEN} FROM alerts WHERE id > ? ORDER BY id LIMIT ${IDS_AT_ONCE}`,
  );
  const oneAlert = alerts.prepare<[string], AlertRow>(`SELECT ${ALERT} FROM alerts WHERE id = ?`);
  const indexedTo = index.prepare<[], string>('SELECT indexed_to FROM progress');
  const setIndexedTo = index.prepare<[string]>('UPDATE progress SET indexed_to = ?');
  const addDocument = index.prepare<(string | null)[]>(
    `INSERT OR IGNORE INTO documents (alert_id, title, ${NAMES}) VALUES (?, ?, ?, ?, ?)`,
  );
  const setTitle = index.prepare<[string | null, number]>('UPDATE documents SET title = ? WHERE position = ?');
  const oneDocument = index.prepare<[string], IndexedAlert>(
    'SELECT position, alert_id, title FROM documents WHERE alert_id = ?',
  );
  const addText = index.prepare<[number | bigint, string]>('INSERT INTO texts (rowid, text) VALUES (?, ?)');
  const documentsBetween = index.prepare<[string, string], IndexedAlert>(
    'SELECT position, alert_id, title FROM documents WHERE alert_id > ? AND alert_id <= ? ORDER BY alert_id ' +
      `LIMIT ${IDS_AT_ONCE}`,
  );
  const removeDocument = index.prepare<[number]>('DELETE FROM documents WHERE position = ?');
  const removeText = index.prepare<[number]>('DELETE FROM texts WHERE rowid = ?');
  indexedTo.pluck();

  /** Returns how many characters the index was given, with those that were only read at their lower cost. */
  const add = (alert: AlertRow): number => {
    const { changes, lastInsertRowid } = addDocument.run(
      alert.id,
      alert.title,
      ...INDEXED_NAMES.map((column) => alert[column]),
    );
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

  const addAgain = ({ position }: IndexedAlert, id: string): void => {
    const alert = oneAlert.get(id);
    if (!alert) return;
    removeText.run(position);
    addText.run(position, withoutRepeatedGrams(searchTextOf(alert)));
    setTitle.run(alert.title, position);
  };

  /** Returns up to where it compared: of many documents whose alerts are gone a part. */
  const repair = index.transaction((after: string, end: string, stored: TitledAlert[]): string => {
    const documents = documentsBetween.all(after, end);
    const upTo = documents.length === IDS_AT_ONCE ? (documents.at(-1)?.alert_id ?? end) : end;
    const missing = new Map(stored.flatMap(({ id, title }) => (id <= upTo ? [[id, title] as const] : [])));
    for (const document of documents) {
      const { position, alert_id: id } = document;
      const title = missing.get(id);
      if (missing.delete(id)) {
        if (title !== document.title) addAgain(document, id);
        continue;
      }
      removeText.run(position);
      removeDocument.run(position);
    }
    for (const id of missing.keys()) {
      const alert = oneAlert.get(id);
      if (alert) add(alert);
    }
    return upTo;
  });

  const retitle = index.transaction((ids: string[]) => {
    for (const id of ids) {
      // What is not indexed yet is indexed with the title that it has then.
      const document = oneDocument.get(id);
      if (document && oneAlert.get(id)?.title !== document.title) addAgain(document, id);
    }
  });

  return {
    indexNext: () => indexFrom(indexedTo.get() ?? ''),
    progress: () => ({ newest: newestId.get() ?? '', indexedTo: indexedTo.get() ?? '' }),
    retitle,
    *startCheck() {
      // Only what is indexed: what comes after is not missing yet.
      const end = indexedTo.get() ?? '';
      for (let after = ''; after < end;) {
        const stored = nextTitles.all(after).filter(({ id }) => id <= end);
        const upTo = stored.length === IDS_AT_ONCE ? (stored.at(-1)?.id ?? end) : end;
        after = repair(after, upTo, stored);
        yield;
      }
    },
  };
}

/**
 * The steps of a check, in turn with steps that index what arrived since: among a hundred million alerts a check takes a quarter
 * of an hour, and what is not indexed is looked through.
 *
 * @param newsNow the number of the latest news of alerts
 */
export function* checkAndIndex(indexer: SearchIndexer, newsNow: () => number): Generator<void, void> {
  let indexed = newsNow();
  for (const _ of indexer.startCheck()) {
    yield;
    const latest = newsNow();
    if (latest === indexed) continue;
    if (!indexer.indexNext().hasMore) indexed = latest;
    yield;
  }
}
