import type * as z from 'zod/mini';
import type { Delivery, DryRunResult, ReadEvent, dryRunSchema } from '#backend/contract/delivery.ts';
import { presentSummary } from './delivery-list.ts';
import { type LoggedDelivery, readResults } from './delivery-entity.ts';
import { headersOf } from './own-deliveries.ts';
import type { ReadDelivery } from './reading/adapter.ts';
import { readDelivery } from './reading/read-delivery.ts';
import { mappingErrors } from './reading/mapping.ts';
import type { KnownSource } from './source-registry.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Most alerts of a delivery that are shown as they are read. */
const MAX_SHOWN = 100;

/** Reads a request by other settings than the source's own, where they are given; nothing is stored. */
export function dryRun(
  { settings }: KnownSource,
  text: string | null,
  headers: Record<string, string>,
  { adapter = settings.adapter, mapping = settings.mapping }: z.infer<typeof dryRunSchema>,
): DryRunResult {
  const empty = {
    sender: 'generic',
    recognisedBy: '',
    events: [],
    errors: mappingErrors(mapping),
    handshake: null,
  } as const;
  if (text === null) return { ...empty, errors: [...empty.errors], events: [], problem: 'Its body is no longer kept.' };
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const read = readDelivery(
    { headers: lower, body: text, contentType: lower['content-type'] ?? '', receivedAt: Date.now() },
    { adapter, mapping },
  );
  if ('error' in read) return { ...empty, errors: [...empty.errors], events: [], problem: read.error.message };
  return {
    sender: read.sender,
    recognisedBy: read.recognisedBy,
    events: presentEvents(read, settings.defaultCustomer),
    errors: read.mappingErrors,
    handshake: read.events.length === 0 ? (read.handshake?.summary ?? null) : null,
    problem: read.problem,
  };
}

/** A delivery as administrators see it, with how its body is read now. */
export function presentDelivery(row: LoggedDelivery, body: string | null, source: KnownSource | undefined): Delivery {
  const days = source?.settings.keepDeliveriesDays;
  return {
    ...presentSummary(row),
    way: row.way,
    method: row.method,
    path: row.path,
    headers: row.headers,
    body,
    isBodyCut: row.isBodyCut,
    keptUntil: body === null || days === undefined ? null : new Date(row.receivedAt + days * DAY_MS).toISOString(),
    recognisedBy: row.recognisedBy,
    results: readResults(row),
    events: source && body !== null && !row.isBodyCut ? dryRun(source, body, headersOf(row), {}).events : [],
  };
}

const presentEvents = ({ events }: ReadDelivery, defaultCustomer: string | null): ReadEvent[] =>
  events.slice(0, MAX_SHOWN).map((event) => {
    const isDefault = event.customer === null && defaultCustomer !== null;
    const note = 'the source’s default customer';
    return {
      title: event.title,
      customer: event.customer ?? defaultCustomer,
      alertType: event.alertType,
      severity: event.severity,
      state: event.state,
      dedupKey: event.dedupKey,
      link: event.link,
      origins: isDefault
        ? [...event.origins, { field: 'customer', value: defaultCustomer, path: '', note }]
        : event.origins,
      payload: event.payload,
    };
  });
