import { vi } from 'vitest';
import type { PushMessage } from '#backend/contract/push.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import type { PushOutcome } from '#backend/platform/metrics/observers.ts';
import type { AttemptResult } from '#backend/outgoing/push/deliver-message.ts';
import { PUSH_LIMITS } from '#backend/outgoing/push/device-queue.ts';
import type { NamesAtHand, Recipient } from '#backend/outgoing/push/push-recipients.ts';
import { createPushSender } from '#backend/outgoing/push/push-sender.ts';
import { memberSettings } from './member-settings.ts';

/** One message on its way, until the test says how it ends. */
interface Attempt {
  device: string;
  attempt: number;
  message: PushMessage;
  end(verdict: AttemptResult): void;
}

/** Steps of one millisecond that follow each time a test lets time pass. */
export const STEPS = 10;

/** The product's, with smaller limits. */
export const limits = { ...PUSH_LIMITS, backlog: 10, concurrency: 4, failingConcurrency: 2 };

/**
 * A push sender on fake time, among what it asks of its surroundings and what it did with them. The real surroundings
 * are in the server tests.
 */
export function surroundSender() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const devices = new Map<string, Recipient>();
  const attempts: Attempt[] = [];
  const asked: NamesAtHand[] = [];
  const outcomes: PushOutcome[] = [];
  const troubles: unknown[] = [];
  const clock = { now: Date.parse('2026-11-16T12:00:00Z') };
  const listening = new Set<string>();
  const database = { isAway: false, whileReading: () => undefined as void };
  const sender = createPushSender({
    loadRecipients: async (names) => {
      asked.push(names);
      const read = new Map(devices);
      database.whileReading();
      if (database.isAway) throw new Error('away');
      return read;
    },
    deliver: (recipient, message, attempt, signal) =>
      new Promise((resolve) => {
        attempts.push({ device: recipient.id, attempt, message, end: resolve });
        signal.addEventListener('abort', () => resolve({ kind: 'dropped' }));
      }),
    limits,
    onOutcome: (outcome) => outcomes.push(outcome),
    onError: (error) => troubles.push(error),
    clock: () => clock.now,
    isListening: (sessionId) => listening.has(sessionId),
  });

  return {
    sender,
    clock,
    /** Sessions whose pages are connected. */
    listening,
    devices,
    attempts,
    asked,
    outcomes,
    troubles,
    database,
    addDevice(id: string, more: Partial<Recipient> = {}) {
      const record = { sessionId: `session of ${id}`, lastSuccessAt: null, failures: 0 };
      const keys = { endpoint: `https://push.example.com/${id}`, p256dh: '', auth: '' };
      devices.set(id, { id, userId: `member of ${id}`, ...keys, ...record, settings: memberSettings(), ...more });
    },
    notify(id: string, customer: string | null = null) {
      const alert = {
        id,
        customer,
        alertType: null,
        sourceId: null,
        ownerId: null,
        status: 'pending',
        isSnoozed: false,
        isQuiet: false,
        content: {
          folderId: null,
          isTest: false,
          label: null,
          isFlapping: false,
          severity: 'none',
          title: null,
          url: '',
          payload: '{}',
        },
        json: jsonText('{}'),
      } as const;
      sender.notify(alert, false);
    },
    /** Lets time pass, and then what follows from it happen step by step. */
    async pass(milliseconds = 0) {
      await vi.advanceTimersByTimeAsync(milliseconds);
      for (let step = 0; step < STEPS; step += 1) {
        await new Promise(setImmediate);
        await vi.advanceTimersByTimeAsync(1);
      }
    },
    /** Device and alert of each attempt; the count for a message about several. */
    sent: () =>
      attempts.map(
        ({ device, message }) =>
          `${device}: ${'count' in message ? message.count : 'alertId' in message ? message.alertId : message.type}`,
      ),
    /** Ends every attempt so far that has not ended. */
    endAll(verdict: AttemptResult = { kind: 'sent' }) {
      for (const { end } of attempts) end(verdict);
    },
    async destroy() {
      const stopped = sender.stop();
      await vi.advanceTimersByTimeAsync(limits.stopGraceMs);
      await stopped;
      vi.useRealTimers();
    },
  };
}
