import { SHOWN_EVERY_MS, SHOWN_MAX_MS, liveShownSchema } from '#backend/contract/latency.ts';
import type { LiveObserver } from '#backend/platform/metrics/observers.ts';
import type { PendingEvent } from './live-frames.ts';

/** A longer message is no report. In UTF-16 units. */
const MAX_REPORT_LENGTH = 200;

/** Alerts that pages can still report: the last of each window of 10 ms, for as long as a page may take. */
const MAX_REMEMBERED = SHOWN_MAX_MS / 10;

/** A live client that may report. */
export interface ReportingClient {
  /** When its last report was taken, a moment of `performance.now()`. */
  reportedAt: number;
}

/**
 * Measures the time from a webhook that was read to its alert at live clients, on this server's clock alone. What comes
 * after the sockets is reported by pages: of an alert that was sent a moment ago, now and then, and never more than the
 * time that has passed here since, so that a page with a wrong clock spoils no figure.
 */
export function createLatencyReports(observer: Pick<LiveObserver, 'delivered' | 'shown'>): {
  /** The events of a window were handed to all clients, at a moment of `performance.now()`. */
  sent(window: readonly PendingEvent[], at: number): void;
  /** Takes what a client sent, if it is a report. */
  receive(client: ReportingClient, text: string, at: number): void;
} {
  const sentAlerts = new Map<string, { tookMs: number; at: number }>();

  const remember = (alertId: string, tookMs: number, at: number): void => {
    for (const [id, oldest] of sentAlerts) {
      if (sentAlerts.size < MAX_REMEMBERED && at - oldest.at <= SHOWN_MAX_MS) break;
      sentAlerts.delete(id);
    }
    sentAlerts.set(alertId, { tookMs, at });
  };

  return {
    sent(window, at) {
      let last: { alertId: string; tookMs: number } | undefined;
      for (const { event, origin } of window) {
        if (typeof event === 'string' || event.type !== 'new_alert' || event.readAt === undefined) continue;
        const tookMs = at - event.readAt;
        observer.delivered(tookMs / 1000, origin);
        last = { alertId: event.alert.id, tookMs };
      }
      if (last) remember(last.alertId, last.tookMs, at);
    },
    receive(client, text, at) {
      if (text.length > MAX_REPORT_LENGTH || at - client.reportedAt < SHOWN_EVERY_MS) return;
      const { data: report } = liveShownSchema.safeParse(parseJson(text));
      const sent = report && sentAlerts.get(report.alertId);
      if (!sent || report.afterMs > at - sent.at) return;
      client.reportedAt = at;
      observer.shown((sent.tookMs + report.afterMs) / 1000);
    },
  };
}

/** What a client sent, as JSON; undefined when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
