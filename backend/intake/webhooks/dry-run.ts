import type * as z from 'zod/mini';
import type { Delivery, DryRunResult, ReadEvent, dryRunSchema } from '#backend/contract/delivery.ts';
import type { Mapping } from '#backend/contract/mapping.ts';
import { presentSummary } from '#backend/intake/delivery-log/delivery-list.ts';
import { type LoggedDelivery, readResults } from '#backend/intake/delivery-log/delivery-entity.ts';
import { type IngestAddress, readCredentials } from '#backend/intake/sources/credentials.ts';
import { maskSentRequest } from '#backend/intake/delivery-log/mask-request.ts';
import { headersOf, whyNoAlert } from './own-deliveries.ts';
import { findableSecrets } from '#backend/intake/reading/mask-secret.ts';
import type { ReadDelivery } from '#backend/intake/adapters/adapter.ts';
import { type ReadingDeps, readBeside } from '#backend/intake/reading/read-beside.ts';
import { mappingErrors } from '#backend/intake/reading/mapping.ts';
import type { KnownSource } from '#backend/intake/sources/source-registry.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Where a pasted request is taken to have been sent. */
const PASTED: IngestAddress = { route: '/webhook', token: undefined, target: '/webhook', queryToken: undefined };

/** Most alerts of a delivery that are shown as they are read. */
const MAX_SHOWN = 100;

/** Reads a logged delivery by other settings than the source's own, where they are given; nothing is stored. */
export async function dryRunLogged(
  deps: ReadingDeps,
  source: Pick<KnownSource, 'id' | 'settings'>,
  row: LoggedDelivery,
  body: string | null,
  settings: z.infer<typeof dryRunSchema>,
): Promise<DryRunResult> {
  const ignored = whyNoAlert(row);
  if (ignored === undefined) return dryRun(deps, source, body, headersOf(row), settings);
  const { sender, recognisedBy } = row;
  const nothing = noEvents(settings.mapping ?? source.settings.mapping);
  return { ...nothing, sender: sender ?? nothing.sender, recognisedBy: recognisedBy ?? nothing.recognisedBy, ignored };
}

const noEvents = (mapping: Mapping): DryRunResult => ({
  sender: 'generic',
  recognisedBy: '',
  events: [],
  errors: mappingErrors(mapping),
  splitInto: null,
  leftOut: [],
  ignored: null,
  handshake: null,
  problem: null,
});

/** Reads a request by other settings than the source's own, where they are given; nothing is stored. */
export async function dryRun(
  deps: ReadingDeps,
  { id, settings }: Pick<KnownSource, 'id' | 'settings'>,
  text: string | null,
  headers: Record<string, string>,
  { adapter = settings.adapter, mapping = settings.mapping }: z.infer<typeof dryRunSchema>,
): Promise<DryRunResult> {
  const unread = (problem: string): DryRunResult => ({ ...noEvents(mapping), problem });
  if (text === null) return unread('Its body is no longer kept.');
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const presented = readCredentials(lower, PASTED).map(({ plain }) => plain);
  const masked = maskSentRequest(
    { headers: lower, text, target: PASTED.target },
    findableSecrets(presented),
    PASTED.route,
  );
  const contentType = lower['content-type'] ?? '';
  const read = await readBeside(
    deps,
    // What an administrator tries does not use up what the source's own deliveries have.
    `dry run ${id}`,
    { headers: masked.headers, body: masked.text, contentType, receivedAt: Date.now() },
    { adapter, mapping },
    MAX_SHOWN,
  );
  if ('error' in read) return unread(read.error.message);
  return {
    sender: read.sender,
    recognisedBy: read.recognisedBy,
    events: presentEvents(read, settings.defaultCustomer),
    errors: read.mappingErrors,
    splitInto: read.splitInto,
    leftOut: read.leftOut,
    ignored: read.ignored,
    handshake: read.events.length === 0 ? (read.handshake?.summary ?? null) : null,
    problem: read.problem,
  };
}

/** A delivery as administrators see it, with how its body is read now. */
export async function presentDelivery(
  deps: ReadingDeps,
  row: LoggedDelivery,
  body: string | null,
  source: KnownSource | undefined,
): Promise<Delivery> {
  const days = source?.settings.keepDeliveriesDays;
  return {
    ...presentSummary(row),
    way: row.way,
    method: row.method,
    path: row.path,
    headers: row.headers,
    body,
    isBodyCut: row.isBodyCut,
    isUnverified: row.isUnverified,
    keptUntil: body === null || days === undefined ? null : new Date(row.receivedAt + days * DAY_MS).toISOString(),
    recognisedBy: row.recognisedBy,
    results: readResults(row),
    events: source && body !== null && !row.isBodyCut ? (await dryRunLogged(deps, source, row, body, {})).events : [],
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
      element: event.element,
      payload: event.payload,
    };
  });
