import type { AlertNews } from '#backend/contract/alert-news.ts';
import { countText } from '#backend/contract/count-text.ts';
import { describeNews, newsOf } from '#renderer/toasts/toast-queue.ts';
import * as texts from './texts.ts';

/** Time between two numbers of a storm, in milliseconds. */
export const STORM_INTERVAL_MS = 10_000;

/** More alerts than this within that time are a storm. */
export const STORM_ALERTS = 20;

/** Announces news to screen readers: what comes at first, and of a storm after that its number now and then. */
export interface StormVoice {
  /** Takes alerts in that the member is notified of; returns whether they are part of a storm. */
  add(alerts: readonly AlertNews[]): boolean;
  /** Says nothing more. */
  close(): void;
}

/** @param say has screen readers say a text when there is a pause */
export function createStormVoice(say: (text: string) => void): StormVoice {
  let count = 0;
  let said = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let arrivedAt: readonly number[] = [];

  const isStormWith = (alerts: number): boolean => {
    const now = Date.now();
    const since = now - STORM_INTERVAL_MS;
    const arrived = [...arrivedAt, ...Array.from({ length: Math.min(alerts, STORM_ALERTS + 1) }, () => now)];
    arrivedAt = arrived.filter((at) => at > since && at <= now).slice(-STORM_ALERTS - 1);
    return arrivedAt.length > STORM_ALERTS;
  };

  const wait = (): void => {
    timer = setTimeout(() => {
      if (count === said) {
        // Nothing came since: what comes next is the first of its own.
        timer = undefined;
        count = 0;
        return;
      }
      said = count;
      say(texts.newAlertsInStorm(countText(count)));
      wait();
    }, STORM_INTERVAL_MS);
  };

  return {
    add(alerts) {
      const news = newsOf(alerts);
      const isStorm = isStormWith(alerts.length);
      if (!news) return isStorm;
      count += alerts.length;
      if (timer !== undefined) return isStorm;
      said = count;
      const customers = new Set(alerts.flatMap(({ customer }) => customer ?? []));
      const mark = alerts.every(({ isTest }) => isTest) ? 'Test: ' : '';
      say(`${mark}${news.title}. ${describeNews({ alerts: alerts.length, customers })}.`);
      wait();
      return isStorm;
    },
    close: () => clearTimeout(timer),
  };
}
