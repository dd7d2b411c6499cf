import type { Alert } from '#backend/contract/alert.ts';
import { describeNews, newsOf } from '#renderer/toasts/toast-queue.ts';

/** Time between two numbers of a storm, in milliseconds. */
export const STORM_INTERVAL_MS = 10_000;

/** Announces news to screen readers: what comes at first, and of a storm after that its number now and then. */
export interface StormVoice {
  /** Takes alerts in that the member is notified of; returns how many came since the last pause of ten seconds, with them. */
  add(alerts: readonly Alert[]): number;
  /** Says nothing more. */
  close(): void;
}

/** @param say has screen readers say a text when there is a pause */
export function createStormVoice(say: (text: string) => void): StormVoice {
  let count = 0;
  let said = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const wait = (): void => {
    timer = setTimeout(() => {
      if (count === said) {
        // Nothing came since: what comes next is the first of its own.
        timer = undefined;
        count = 0;
        return;
      }
      said = count;
      say(`${count.toLocaleString('en')} new alerts.`);
      wait();
    }, STORM_INTERVAL_MS);
  };

  return {
    add(alerts) {
      const news = newsOf(alerts);
      if (!news) return count;
      count += alerts.length;
      if (timer !== undefined) return count;
      said = count;
      const customers = new Set(alerts.flatMap(({ customer }) => customer ?? []));
      const mark = alerts.every(({ isTest }) => isTest) ? 'Test: ' : '';
      say(`${mark}${news.title}. ${describeNews({ alerts: alerts.length, customers })}.`);
      wait();
      return count;
    },
    close: () => clearTimeout(timer),
  };
}
