import type { Connection, RowDataPacket } from 'mysql2/promise';
import { mysqlDialect } from '#backend/platform/database/dialect.ts';
import { eachGramCode, nameCode } from './gram-codes.ts';
import { SEGMENT_ALERTS, createSegmentBuilder, firstPositionOf, withPosition } from './segment.ts';
import { INDEXED_NAMES, type SearchedAlert, searchTextOf } from './search-text.ts';

/** Alerts of a new segment; the rest is for those that are stored late. */
const NEW_SEGMENT_ALERTS = SEGMENT_ALERTS - 64;

/** Bytes after which a segment is complete, however few alerts it has: what is in none is looked through. */
const NEW_SEGMENT_BYTES = 8 * 1024 * 1024;

/** Alerts that are read together, and rows that one statement stores. */
const ALERTS_AT_ONCE = 256;
const ROWS_AT_ONCE = 1_000;

/** How often a title is written before its error is thrown: another server may write the same rows. */
const MAX_ATTEMPTS = 3;

/** What of an alert may change: its title, with its notes after it. And when that was, as far as is known. */
const WRITTEN = "CONCAT_WS('\\n', title, note_text) AS title";
const CHANGED_AT =
  'GREATEST(COALESCE(last_seen_at, 0), COALESCE((SELECT MAX(COALESCE(edited_at, created_at)) FROM alert_notes ' +
  'WHERE alert_notes.alert_id = alerts.id), 0))';

/** A range of alerts: those with ids above one and up to the other. */
interface Segment {
  number: number;
  after_id: string;
  last_id: string;
  built_at: unknown;
}

/** Alerts in the order of their ids, each with the title that was read. */
type Titles = Map<string, string | null>;

interface AlertRow extends SearchedAlert {
  id: string;
}

/** The codes of an alert's names. */
const namesOf = (alert: AlertRow): number[] =>
  INDEXED_NAMES.flatMap((column) => {
    const name = alert[column];
    return name === null ? [] : [nameCode(column, name)];
  });

/** Keeps the segments of a MySQL database, one at a time. */
export interface SegmentIndexer {
  /**
   * Makes the next segment of alerts with ids up to this one, when there are enough for one.
   *
   * @returns whether there may be another to make
   */
  indexNext(upTo: string): Promise<boolean>;
  /** Has these alerts found by their present titles and notes. */
  retitle(ids: readonly string[]): Promise<void>;
  /**
   * Compares one segment after the other with its alerts: makes it again where an alert is missing or was reported again
   * since, or more than half were deleted, and forgets it where all were.
   */
  check(): AsyncGenerator<void, void>;
}

/**
 * @param connection one of its own, on which nothing else happens.
 * @param pause is waited for after each small part of the work that holds no lock.
 * @param fence begins each transaction that makes or forgets segments, and throws where another server has the turn.
 */
export function createSegmentIndexer(
  connection: Connection,
  pause: () => Promise<void>,
  fence: () => Promise<void> = async () => undefined,
): SegmentIndexer {
  const builder = createSegmentBuilder();

  const select = async <Row>(sql: string, values: unknown[] = []): Promise<Row[]> => {
    const [rows] = await connection.query<(RowDataPacket & Row)[]>(sql, values);
    return rows;
  };

  const insert = async (into: string, rows: unknown[][]): Promise<void> => {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await connection.query(`INSERT INTO ${into} VALUES ?`, [rows.slice(at, at + ROWS_AT_ONCE)]);
    }
  };

  const inTransaction = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await connection.beginTransaction();
    try {
      const result = await work();
      await connection.commit();
      return result;
    } catch (error) {
      await connection.rollback().catch(() => undefined);
      throw error;
    }
  };

  const newestSegment = async (): Promise<Segment | undefined> => {
    const [newest] = await select<Segment>('SELECT * FROM search_segments ORDER BY number DESC LIMIT 1');
    return newest;
  };

  const hasEnough = async (after: string, upTo: string): Promise<boolean> => {
    const [next] = await select<{ alerts: unknown; bytes: unknown }>(
      'SELECT COUNT(*) AS alerts, SUM(bytes) AS bytes FROM (SELECT OCTET_LENGTH(payload) AS bytes FROM alerts ' +
        `WHERE id > ? AND id <= ? ORDER BY id LIMIT ${NEW_SEGMENT_ALERTS}) AS next`,
      [after, upTo],
    );
    return Number(next?.alerts) >= NEW_SEGMENT_ALERTS || Number(next?.bytes) >= NEW_SEGMENT_BYTES;
  };

  /** Makes or forgets segments, where it is this server's turn. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> =>
    inTransaction(async () => {
      await fence();
      return work();
    });

  /** Gathers the alerts of a range, so many of them and so many characters. Returns their ids, with their titles. */
  const gather = async (
    range: { after: string; end: string },
    most: { alerts: number; characters: number },
  ): Promise<Titles> => {
    builder.take();
    const titles: Titles = new Map();
    let last = range.after;
    for (let characters = 0; titles.size < most.alerts && characters < most.characters;) {
      const rows = await select<AlertRow>(
        `SELECT id, ${WRITTEN}, ${INDEXED_NAMES.join(', ')}, url, payload FROM alerts WHERE id > ? AND id <= ? ORDER BY id ` +
          `LIMIT ${Math.min(ALERTS_AT_ONCE, most.alerts - titles.size)}`,
        [last, range.end],
      );
      for (const alert of rows) {
        const text = searchTextOf(alert);
        builder.add(titles.size, text, namesOf(alert));
        characters += text.length;
        titles.set(alert.id, alert.title);
        last = alert.id;
        if (characters >= most.characters) break;
      }
      if (rows.length === 0) break;
      await pause();
    }
    return titles;
  };

  const store = async (segment: Omit<Segment, 'built_at'>, titles: Titles): Promise<void> => {
    const { number } = segment;
    const postings = builder.take();
    // First, so that of two servers with the same segment one fails here.
    await insert('search_segments (number, after_id, last_id, built_at)', [
      [number, segment.after_id, segment.last_id, Date.now()],
    ]);
    await insert(
      'search_postings (segment, gram, positions)',
      postings.map(([code, positions]) => [number, code, positions]),
    );
    await insert(
      'search_alerts (position, alert_id)',
      [...titles.keys()].map((id, at) => [firstPositionOf(number) + at, id]),
    );
    // What another server notes of this segment from here on waits for the commit; what it noted before found no segment.
    const now = await select<{ id: string; title: string | null }>(
      `SELECT id, ${WRITTEN} FROM alerts WHERE id > ? AND id <= ?`,
      [segment.after_id, segment.last_id],
    );
    for (const { id, title } of now) {
      if (titles.has(id) && titles.get(id) !== title) await addTitleIn(number, id);
    }
  };

  const forget = async (number: number): Promise<void> => {
    await connection.query('DELETE FROM search_segments WHERE number = ?', [number]);
    await connection.query('DELETE FROM search_postings WHERE segment = ?', [number]);
    await connection.query('DELETE FROM search_alerts WHERE position >= ? AND position < ?', [
      firstPositionOf(number),
      firstPositionOf(number + 1),
    ]);
  };

  /** Whether a segment still holds what it should. */
  const stateOf = async ({ number, after_id, last_id, built_at }: Segment): Promise<'true' | 'outdated' | 'empty'> => {
    const alerts = await select<{ id: string; reported: unknown }>(
      `SELECT id, ${CHANGED_AT} AS reported FROM alerts WHERE id > ? AND id <= ?`,
      [after_id, last_id],
    );
    if (alerts.length === 0) return 'empty';
    const known = await select<{ id: string }>(
      'SELECT alert_id AS id FROM search_alerts WHERE position >= ? AND position < ?',
      [firstPositionOf(number), firstPositionOf(number + 1)],
    );
    const ids = new Set(known.map(({ id }) => id));
    const isOutdated = alerts.some(({ id, reported }) => !ids.has(id) || Number(reported ?? 0) >= Number(built_at));
    // What retention leaves of old segments would take the room of whole ones.
    const isHalfEmpty = alerts.length * 2 < ids.size;
    return isOutdated || isHalfEmpty ? 'outdated' : 'true';
  };

  const makeAgain = async (segment: Segment): Promise<void> => {
    const range = { after: segment.after_id, end: segment.last_id };
    const titles = await gather(range, { alerts: SEGMENT_ALERTS + 1, characters: Infinity });
    if (titles.size <= SEGMENT_ALERTS) {
      await inTurn(async () => {
        await forget(segment.number);
        await store(segment, titles);
      });
      return;
    }
    // Too many came late. From the newest on, so that what is left ends where the next segment begins.
    for (let newest = await newestSegment(); newest; newest = await newestSegment()) {
      const { number } = newest;
      if (number < segment.number) return;
      await inTurn(() => forget(number));
    }
  };

  const addTitle = async (id: string): Promise<void> => {
    // Nobody makes this segment again meanwhile. From the newest on: of old alerts titles seldom change.
    const [segment] = await select<Segment>(
      'SELECT * FROM search_segments WHERE after_id < ? ORDER BY number DESC LIMIT 1 FOR UPDATE',
      [id],
    );
    if (segment && segment.last_id >= id) await addTitleIn(segment.number, id);
  };

  /** A segment is written once it is gathered; a title can be written again, where another server wrote the same rows. */
  const retitleOne = async (id: string, attempts = 1): Promise<void> => {
    try {
      await inTransaction(() => addTitle(id));
    } catch (error) {
      if (attempts === MAX_ATTEMPTS || !mysqlDialect.isRetryable(error)) throw error;
      await retitleOne(id, attempts + 1);
    }
  };

  const addTitleIn = async (number: number, id: string): Promise<void> => {
    const [known] = await select<{ position: unknown; title: string | null }>(
      `SELECT position, ${WRITTEN} FROM search_alerts JOIN alerts ON alerts.id = alert_id ` +
        'WHERE position >= ? AND position < ? AND alert_id = ?',
      [firstPositionOf(number), firstPositionOf(number + 1), id],
    );
    if (!known) return;
    const position = Number(known.position) - firstPositionOf(number);
    const codes = new Set<number>();
    eachGramCode((known.title ?? '').toLowerCase(), (code) => codes.add(code));
    if (codes.size === 0) return;
    const stored = await select<{ gram: number; positions: Buffer }>(
      'SELECT gram, positions FROM search_postings WHERE segment = ? AND gram IN (?)',
      [number, [...codes]],
    );
    const before = new Map(stored.map(({ gram, positions }) => [gram, positions]));
    const changed = [...codes].flatMap((code) => {
      const positions = withPosition(before.get(code), position);
      return positions ? [[number, code, positions]] : [];
    });
    if (changed.length === 0) return;
    await connection.query(
      'INSERT INTO search_postings (segment, gram, positions) VALUES ? ON DUPLICATE KEY UPDATE positions = VALUES(positions)',
      [changed],
    );
  };

  return {
    async indexNext(upTo) {
      const newest = await newestSegment();
      const after = newest?.last_id ?? '';
      if (!(await hasEnough(after, upTo))) return false;
      const most = { alerts: NEW_SEGMENT_ALERTS, characters: NEW_SEGMENT_BYTES };
      const titles = await gather({ after, end: upTo }, most);
      const last = [...titles.keys()].at(-1);
      if (last === undefined) return false;
      const number = (newest?.number ?? 0) + 1;
      await inTurn(() => store({ number, after_id: after, last_id: last }, titles)).catch((error: unknown) => {
        // Another server was first.
        if (!mysqlDialect.isDuplicate(error)) throw error;
      });
      return true;
    },
    async retitle(ids) {
      for (const id of ids) await retitleOne(id);
    },
    async *check() {
      for (let number = 0; ;) {
        const [segment] = await select<Segment>(
          'SELECT * FROM search_segments WHERE number > ? ORDER BY number LIMIT 1',
          [number],
        );
        if (!segment) return;
        number = segment.number;
        const state = await stateOf(segment);
        if (state === 'outdated') await makeAgain(segment);
        // The newest one says where to go on, whatever is left of it.
        if (state === 'empty' && (await newestSegment())?.number !== number) await inTurn(() => forget(segment.number));
        yield;
      }
    },
  };
}
