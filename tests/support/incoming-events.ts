import { DEFAULT_SOURCE_SETTINGS } from '#backend/contract/source.ts';
import type { IncomingEvent } from '#backend/intake/write/incoming-delivery.ts';
import { incomingEvents } from '#backend/intake/webhooks/deliver.ts';
import type { ProblemPolicy } from '#backend/intake/write/problems.ts';
import { readDelivery } from '#backend/intake/reading/read-delivery.ts';

/** The policy of a source that nobody has changed. */
export const DEFAULT_POLICY: ProblemPolicy = {
  completesResolved: DEFAULT_SOURCE_SETTINGS.onResolved === 'complete',
  reopenWithinMs: DEFAULT_SOURCE_SETTINGS.reopenWithinMinutes * 60_000,
  notifyAgainAfterMs: null,
};

type PlainAlert = Pick<IncomingEvent, 'payload' | 'extraData' | 'customer' | 'alertType' | 'url'>;

/** An event that says nothing of a problem. */
export const plainEvent = (alert: PlainAlert, delivery?: IncomingEvent['delivery']): IncomingEvent => ({
  ...alert,
  title: null,
  severity: 'none',
  state: 'event',
  dedupKey: null,
  sender: null,
  groupKey: null,
  groupTitle: null,
  isTest: false,
  delivery,
});

/** Reads a body of one alert as the webhook does, up to what is written. @throws {ProblemError} as the webhook answers */
export function readRequest(text: string, target = '/webhook'): IncomingEvent {
  const receivedAt = Date.now();
  const read = readDelivery({ headers: {}, body: text, contentType: '', receivedAt });
  if ('error' in read) throw read.error;
  const source = { id: 'source', name: 'Source', settings: DEFAULT_SOURCE_SETTINGS, pausedAt: null };
  const [event] = incomingEvents(read, { source, secretId: null, headers: {}, text, target, receivedAt });
  if (!event) throw new Error('The body has no alert.');
  return event;
}
