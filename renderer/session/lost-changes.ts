import { countText } from '#backend/contract/count-text.ts';
import type { LongWork } from '#renderer/lib/long-work.ts';
import * as texts from './sign-out-texts.ts';

/**
 * Says which changes a sign-out lost: those that failed, and those that did not end in time: of the work of many calls, and of
 * the other deletions that could still be undone, so many of which are unanswered. Undefined for none.
 */
export function describeLost(
  failures: readonly Error[],
  unfinished: readonly LongWork[],
  unanswered: number,
): string | undefined {
  // A deletion of many that failed is among both.
  const others = failures.filter((failure) => !unfinished.some(({ error }) => error === failure));
  const lost = unfinished.reduce((sum, { left }) => sum + left, others.length + unanswered);
  if (lost === 0) return undefined;
  const what = lost === 1 ? texts.lastChange : texts.someChanges(countText(lost));
  const why = [...failures, ...unfinished.flatMap(({ error }) => error ?? [])][0]?.message ?? texts.tookTooLong;
  // The server completes what it was asked for and has not answered yet.
  const isKnown = unanswered === 0 && unfinished.every(({ error }) => error !== undefined);
  return (isKnown ? texts.couldNotBeSaved : texts.mayNotBeSaved)(what, why);
}
