import { In } from 'typeorm';
import { type MatchedAlert, compileList } from '#backend/alerts/alert/match-list.ts';
import { narrowStored } from '#backend/alerts/lists/stored-search.ts';
import { isTimeKey, parseSearch } from '#backend/contract/search.ts';
import { coalesce } from '#backend/platform/database/coalesce.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import { ProblemError, unacceptable } from '#backend/platform/endpoint/errors.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { OccurrenceEntity, type StoredOccurrence } from './window-entities.ts';

/** Names of customers and sources may stand for others after this, in milliseconds. */
const NAMES_MS = 15_000;

/** Within this time every server has read what was changed, even where the feed is late, in milliseconds. */
export const KNOWN_MS = NAMES_MS + 5_000;

/** Occurrences that begin later than this are read again before they do, in milliseconds. */
const AHEAD_MS = 10 * 60_000;

/** A window that is on, or will be soon, decided without the database. */
export interface QuietWindow extends Pick<StoredOccurrence, 'id' | 'name' | 'startsAt' | 'endsAt'> {
  matches: (alert: MatchedAlert) => boolean;
  /** Whether that is decided by texts, so that it cannot be without a payload. */
  readsTexts: boolean;
}

/** The windows that are on, in the memory of each server: who stores an alert asks it without waiting. */
export interface QuietWindows {
  /** The windows that are on at a moment, the one that ends last first. */
  onAt(at: number): readonly QuietWindow[];
  /** Reads them again: whoever changed one waits for this before they answer. Where that fails, the next reading follows. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

/** What storing alerts reads of it. */
export type WindowsNow = Pick<QuietWindows, 'onAt'>;

/** For whoever stores alerts where no windows are. */
export const NO_WINDOWS: WindowsNow = { onAt: () => [] };

/** What of the search language is about people, and not about what a sender reports. */
const OF_PEOPLE: ReadonlySet<string | undefined> = new Set(['owner', 'status', 'folder']);

/**
 * A window is about what senders report: whoever takes an alert changes nothing of whether it is kept quiet, and neither does
 * time.
 *
 * @throws {ProblemError} 422 for a search that no window can have
 */
export function requireWindowSearch(search: string): void {
  const { hints, tokens } = parseSearch(search, { now: Date.now(), timeZone: 'UTC' });
  const messages = hints.map(({ message }) => message);
  for (const { key } of tokens) {
    if (OF_PEOPLE.has(key)) messages.push(`${key}: cannot be used in a window, which is about what senders report.`);
    if (isTimeKey(key)) messages.push(`${key}: cannot be used in a window, which has times of its own.`);
  }
  if (messages.length === 0) return;
  throw unacceptable(
    messages.join(' '),
    messages.map((message) => ({ path: 'search', message })),
  );
}

/** The windows that are on by now or soon, compiled. @param onBroken is given each whose search is not understood */
export async function loadQuietWindows(
  database: Pick<Database, 'reads' | 'dialect'>,
  onBroken: (window: Pick<StoredOccurrence, 'id' | 'name'>, error: ProblemError) => void = () => undefined,
): Promise<QuietWindow[]> {
  const stored = await database.reads
    .getRepository(OccurrenceEntity)
    .find({ where: { state: In(['planned', 'on']) }, order: { endsAt: 'DESC', id: 'ASC' } });
  const windows: QuietWindow[] = [];
  for (const { id, name, search, startsAt, endsAt } of stored) {
    if (startsAt > Date.now() + AHEAD_MS) continue;
    try {
      const list = await narrowStored(database, search);
      windows.push({ id, name, startsAt, endsAt, matches: compileList(list), readsTexts: list.texts.length > 0 });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      onBroken({ id, name }, error);
    }
  }
  return windows;
}

/** Reads the windows, and again when one changes. */
export async function openQuietWindows(deps: {
  database: Pick<Database, 'reads' | 'dialect'>;
  events: Pick<EventBus, 'subscribe'>;
  logger: Logger;
}): Promise<QuietWindows> {
  const { database, events, logger } = deps;
  let known: readonly QuietWindow[] = [];
  /** Occurrences that a warning was written about. */
  const broken = new Set<string>();
  const read = async (): Promise<void> => {
    known = await loadQuietWindows(database, ({ id, name }, error) => {
      if (broken.has(id)) return;
      broken.add(id);
      // Its page says so, too.
      logger.warn({ err: error, window: name }, 'a window keeps nothing quiet, because its search is not understood');
    });
  };
  const onError = (error: unknown): void =>
    logger.error({ err: error }, 'the maintenance windows could not be read; the next attempt follows');
  await read();
  /** What was changed is stored: whoever changed it is not to repeat it. A run of a configuration announces many changes at once. */
  const readAgain = coalesce(() => read().catch(onError));
  let reading = Promise.resolve();
  const refresh = (): Promise<void> => (reading = readAgain());
  const repeating: Repeating = startRepeating(refresh, { intervalMs: NAMES_MS, onError });
  const unsubscribe = events.subscribe((event) => {
    const mayChange =
      event.type === 'maintenance_changed' ||
      event.type === 'resync' ||
      (event.type === 'source_changed' && event.isEdited === true);
    if (mayChange) void refresh();
  });
  return {
    onAt: (at) => (known.length === 0 ? known : known.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt)),
    refresh,
    async stop() {
      unsubscribe();
      await repeating.stop();
      await reading;
    },
  };
}
