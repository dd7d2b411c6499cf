import { type PendingEvent, placeText } from './live-frames.ts';

/** How often clients that follow the feed are sent their place in it while something happens, in milliseconds. */
export const PLACE_EVERY_MS = 1_000;

/** Decides when clients that follow the feed are sent their place. */
export interface FollowedPlace {
  /** Something is sent: their place is another one. */
  moved(): void;
  /** Something was left out, so that nobody may move on before {@link FollowedPlace.resume}. */
  pause(): void;
  resume(): void;
  /** The place to send now, after everything that was published; undefined when none is due. */
  next(): PendingEvent | undefined;
  stop(): void;
}

/**
 * A place follows what is sent, once in {@link PLACE_EVERY_MS} at most.
 *
 * @param place in the feed, up to which everything was published
 * @param flush called when a place is due and nothing else may be
 */
export function createFollowedPlace(place: () => string, flush: () => void): FollowedPlace {
  let isMoved = false;
  let isPaused = false;
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  return {
    moved: () => void (isMoved = true),
    pause: () => void (isPaused = true),
    resume: () => void (isPaused = false),
    next() {
      if (!isMoved || isPaused) return undefined;
      const now = performance.now();
      clearTimeout(timer);
      if (now - sentAt < PLACE_EVERY_MS) {
        timer = setTimeout(flush, sentAt + PLACE_EVERY_MS - now);
        return undefined;
      }
      isMoved = false;
      sentAt = now;
      return { event: 'place', origin: 'here', text: placeText(place()) };
    },
    stop: () => clearTimeout(timer),
  };
}
