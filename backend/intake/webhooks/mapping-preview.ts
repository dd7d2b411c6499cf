import { MAX_PREVIEWED, type MappingPreview, type PreviewedDelivery } from '#backend/contract/delivery.ts';
import { type MappedField, type Mapping, mappedFieldSchema } from '#backend/contract/mapping.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { ReadDelivery, SenderEvent } from '#backend/intake/adapters/adapter.ts';
import { type LoggedDelivery, readRows } from '#backend/intake/delivery-log/delivery-entity.ts';
import { newestDeliveries } from '#backend/intake/delivery-log/stored-deliveries.ts';
import { type ReadingDeps, readBeside } from '#backend/intake/reading/read-beside.ts';
import type { KnownSource } from '#backend/intake/sources/source-registry.ts';
import { headersOf, whyNoAlert } from './own-deliveries.ts';

/** Characters of bodies that one preview reads. */
const MAX_READ = 2 * 1024 * 1024;

/** Dependencies of the preview of a mapping. */
export interface PreviewDeps extends ReadingDeps {
  database: Pick<Database, 'reads'>;
}

/**
 * What the last deliveries of a source become by a mapping that is not saved, beside what the saved one makes of them. Nothing
 * is stored. It reads {@link MAX_PREVIEWED} deliveries and {@link MAX_READ} characters at most, and gives way to the server's
 * other work between two of them.
 *
 * @param bodyOf the kept body of a delivery; null when it is no longer kept
 */
export async function previewMapping(
  deps: PreviewDeps,
  source: KnownSource,
  mapping: Mapping,
  bodyOf: (row: LoggedDelivery) => Promise<string | null>,
): Promise<MappingPreview> {
  const { reads } = deps.database;
  const stored = await newestDeliveries(reads, source.id, MAX_PREVIEWED);
  const deliveries: PreviewedDelivery[] = [];
  let notRead = 0;
  let left = MAX_READ;
  for (const row of await readRows(reads, stored)) {
    const text = row.isBodyCut || row.size === 0 ? null : await bodyOf(row);
    if (text === null || text.length > left) {
      // An opened address has no body to read.
      if (row.size > 0) notRead += 1;
      continue;
    }
    left -= text.length;
    deliveries.push(await previewOne(deps, source, mapping, row, text));
  }
  return { deliveries, notRead, differ: deliveries.filter(isOther).length };
}

async function previewOne(
  deps: PreviewDeps,
  { id, settings }: KnownSource,
  mapping: Mapping,
  row: LoggedDelivery,
  text: string,
): Promise<PreviewedDelivery> {
  const noAlert = whyNoAlert(row);
  const headers = headersOf(row);
  const read = async (by: Mapping): Promise<ReadDelivery | undefined> => {
    const request = { headers, body: text, contentType: headers['content-type'] ?? '', receivedAt: row.receivedAt };
    // What an administrator tries does not use up what the source's own deliveries have.
    const reading = await readBeside(deps, `preview ${id}`, request, { adapter: settings.adapter, mapping: by });
    return 'error' in reading ? undefined : reading;
  };
  const saved = noAlert === undefined ? await read(settings.mapping) : undefined;
  const draft = noAlert === undefined ? await read(mapping) : undefined;
  return {
    id: row.id,
    receivedAt: new Date(row.receivedAt).toISOString(),
    saved: presentReading(saved, noAlert),
    draft: presentReading(draft, noAlert),
    changed: changedFields(saved?.events ?? [], draft?.events ?? []),
  };
}

function presentReading(read: ReadDelivery | undefined, noAlert: string | undefined): PreviewedDelivery['saved'] {
  const first = read?.events[0];
  const unread = noAlert ?? 'The body cannot be read';
  const nothing = read?.handshake?.summary ?? read?.ignored ?? (read ? 'Nothing to do' : unread);
  return {
    alerts: read?.events.length ?? 0,
    title: first?.title ?? null,
    severity: first?.severity ?? null,
    state: first?.state ?? null,
    ignored: first ? null : nothing,
  };
}

/** Fields that differ between the alerts of the same place; none where there are more or fewer of them. */
function changedFields(saved: readonly SenderEvent[], draft: readonly SenderEvent[]): MappedField[] {
  if (saved.length !== draft.length) return [];
  return mappedFieldSchema.options.filter((field) =>
    saved.some((event, index) => event[field] !== draft[index]?.[field]),
  );
}

const isOther = ({ saved, draft, changed }: PreviewedDelivery): boolean =>
  changed.length > 0 || saved.alerts !== draft.alerts || saved.ignored !== draft.ignored;
