import { type Changes, changesSchema } from '#backend/contract/change.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { apiGet, mayAnswerLater } from '#renderer/lib/api-client.ts';

/** After so long without an answer everything is read again, in milliseconds. */
const ANSWER_MS = 5_000;

/** Between two attempts at first, in milliseconds. */
const AGAIN_MS = 500;

/** Asks the server what changed since a place. */
export const askForChanges = (since: string, signal: AbortSignal): Promise<Changes> =>
  apiGet(`/api/changes?${new URLSearchParams({ since })}`, changesSchema, { signal });

/**
 * Asks again while the server may answer later. Undefined once it answered that it does not, or `signal` gave it up.
 *
 * @param longestMs up to which the time between two attempts doubles, in milliseconds
 */
export async function askUntilAnswered<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  longestMs = AGAIN_MS,
): Promise<T | undefined> {
  for (let waitMs = AGAIN_MS; ; waitMs = Math.min(2 * waitMs, longestMs)) {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || !mayAnswerLater(error)) return undefined;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (signal.aborted) return undefined;
    }
  }
}

type Hello = Extract<LiveEvent, { type: 'hello' }>;

const isHello = ({ type }: LiveEvent): boolean => type === 'hello';

/** Whether something happened. Places are left out, too, where they hold only once what was missed is known. */
const isNews = (event: LiveEvent): boolean => !isHello(event) && event.type !== 'place';

/** What catching up asks of its caller. */
interface CatchUpDeps {
  /** Called with the events of each frame before anything else; they are dropped where it returns false. */
  arrived?: (events: readonly LiveEvent[]) => boolean;
  ask: (since: string, signal: AbortSignal) => Promise<Changes>;
  /** Events to apply, in order. A `hello` among them means that everything is to be read again. */
  deliver: (events: LiveEvent[]) => void;
  /** What was missed is asked for: until {@link CatchUpDeps.ended} it is not known. */
  asking: () => void;
  /** What was missed was delivered; undefined where everything is to be read again. */
  ended: (missed: readonly LiveEvent[] | undefined) => void;
}

/** Stands between a connection and what applies its events. */
export interface CatchUp {
  /** Processes the events of a frame. */
  receive(events: readonly LiveEvent[]): void;
  /** The connection is lost: what was missed is asked for when the next one is greeted. */
  lost(): void;
  close(): void;
}

/**
 * Asks for what was missed whenever the server greets, since the place up to which everything is known, and holds what comes
 * meanwhile. Delivers the answer instead of the greeting, so that nothing is read again. Where the server does not know, does
 * not answer in time or is of another version, the greeting is delivered. However often a connection is greeted, an answer
 * is waited for, and one more is asked for after it.
 */
export function createCatchUp({ arrived, ask, deliver, asking: begun, ended }: CatchUpDeps): CatchUp {
  /** Up to where everything was delivered. */
  let known: string | undefined;
  let asking: { held: LiveEvent[]; abort: AbortController } | undefined;

  const begin = (since: string, hello: Hello): void => {
    const current = { held: [] as LiveEvent[], abort: new AbortController() };
    asking = current;
    begun();
    const timer = setTimeout(() => current.abort.abort(), ANSWER_MS);
    void askUntilAnswered(() => ask(since, current.abort.signal), current.abort.signal).then((answer) => {
      clearTimeout(timer);
      return end(current, hello, answer);
    });
  };
  const end = (asked: NonNullable<typeof asking>, hello: Hello, answer?: Changes): void => {
    if (asking !== asked) return;
    asking = undefined;
    const { held } = asked;
    known = answer?.place ?? hello.place;
    const missed = answer?.isComplete ? answer.events : undefined;
    // What is read again from now on answers every greeting; what was missed is known up to this one alone.
    const next = missed ? held.findLastIndex(isHello) : -1;
    const news = next === -1 ? held.filter((event) => !isHello(event)) : held.slice(0, next).filter(isNews);
    handle([...(missed ?? [hello]), ...news], true);
    ended(missed);
    if (next !== -1) handle(held.slice(next));
  };

  /** @param isAnswered its greetings were answered already */
  const handle = (events: readonly LiveEvent[], isAnswered = false): void => {
    const ready: LiveEvent[] = [];
    for (const event of events) {
      if (asking) asking.held.push(event);
      else if (event.type === 'place') known = event.place;
      else if (event.type === 'hello' && !isAnswered) {
        if (known === undefined || event.place === undefined || event.version !== PRODUCT_VERSION) {
          known = event.place;
          ready.push(event);
        } else begin(known, event);
      } else ready.push(event);
    }
    if (ready.length > 0) deliver(ready);
    if (!isAnswered && ready.some(isHello)) ended(undefined);
  };

  const giveUp = (): void => {
    asking?.abort.abort();
    asking = undefined;
  };

  /** The answer after the next greeting is newer than all that was held, and has what came before it. */
  const leaveForNext = (): void => {
    const held = asking?.held.filter(isNews) ?? [];
    giveUp();
    if (held.length > 0) deliver(held);
  };

  return {
    receive(events) {
      if (arrived?.(events) !== false) handle(events);
    },
    lost: leaveForNext,
    close: giveUp,
  };
}
