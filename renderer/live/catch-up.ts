import { type Changes, changesSchema } from '#backend/contract/change.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { apiGet, mayAnswerLater } from '#renderer/lib/api-client.ts';

/** After so long without an answer everything is read again, in milliseconds. */
const ANSWER_MS = 5_000;

/** Between two attempts, in milliseconds. */
const AGAIN_MS = 500;

/** Asks the server what changed since a place. */
export const askForChanges = (since: string, signal: AbortSignal): Promise<Changes> =>
  apiGet(`/api/changes?${new URLSearchParams({ since })}`, changesSchema, { signal });

type Hello = Extract<LiveEvent, { type: 'hello' }>;

/** What catching up asks of its caller. */
interface CatchUpDeps {
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
 * not answer in time or is of another version, the greeting is delivered.
 */
export function createCatchUp({ ask, deliver, asking: begun, ended }: CatchUpDeps): CatchUp {
  /** Up to where everything was delivered. */
  let known: string | undefined;
  let asking: { held: LiveEvent[]; abort: AbortController } | undefined;

  /** Repeats what fails: reading everything again is asked of a server that is away, too. */
  const askUntil = async (since: string, signal: AbortSignal): Promise<Changes | undefined> => {
    for (;;) {
      try {
        return await ask(since, signal);
      } catch (error) {
        if (signal.aborted || !mayAnswerLater(error)) return undefined;
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        if (signal.aborted) return undefined;
      }
    }
  };
  const begin = (since: string, hello: Hello): void => {
    const current = { held: [] as LiveEvent[], abort: new AbortController() };
    asking = current;
    begun();
    const timer = setTimeout(() => current.abort.abort(), ANSWER_MS);
    void askUntil(since, current.abort.signal).then((answer) => {
      clearTimeout(timer);
      return end(current, hello, answer);
    });
  };
  const end = (asked: NonNullable<typeof asking>, hello: Hello, answer?: Changes): void => {
    if (asking !== asked) return;
    asking = undefined;
    known = answer?.place ?? hello.place;
    const missed = answer?.isComplete ? answer.events : undefined;
    handle([...(missed ?? [hello]), ...asked.held], true);
    ended(missed);
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
    if (!isAnswered && ready.some(({ type }) => type === 'hello')) ended(undefined);
  };

  const giveUp = (): void => {
    asking?.abort.abort();
    asking = undefined;
  };

  /** The answer after the next greeting is newer than all that was held, and has what came before it. */
  const leaveForNext = (): void => {
    const held = asking?.held.filter(({ type }) => type !== 'place') ?? [];
    giveUp();
    if (held.length > 0) deliver(held);
  };

  return {
    receive(events) {
      if (events.some(({ type }) => type === 'hello')) leaveForNext();
      handle(events);
    },
    lost: leaveForNext,
    close: giveUp,
  };
}
