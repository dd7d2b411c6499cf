import type { Destination, DestinationKind, DestinationDraft, NewDestination } from '#backend/contract/outgoing.ts';
import { HAS_SECRET_ADDRESS, KIND_FIELDS } from './outgoing-labels.ts';

/** A destination as it is being written. Secrets are empty until they are written again. */
export interface WrittenDestination {
  kind: DestinationKind;
  name: string;
  url: string;
  topic: string;
  token: string;
  recipients: string[];
  customers: string[];
}

export const startOf = (
  destination: Destination | undefined,
  kind: DestinationKind = 'webhook',
): WrittenDestination => ({
  kind: destination?.kind ?? kind,
  name: destination?.name ?? '',
  url: destination?.url ?? '',
  topic: destination?.topic ?? '',
  token: '',
  recipients: destination?.recipients ?? [],
  customers: destination?.customers ?? [],
});

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

/** What of it is sent: fields of its kind that are written or another than they were. */
export function writtenFields(written: WrittenDestination, before: Destination | undefined): Partial<NewDestination> {
  const start = startOf(before, written.kind);
  const has = KIND_FIELDS[written.kind];
  return {
    ...(has.url && written.url !== start.url && written.url !== '' && { url: written.url }),
    ...(has.topic && written.topic !== start.topic && { topic: written.topic }),
    ...(has.token !== undefined && written.token !== '' && { token: written.token }),
    ...(has.recipients && !isSame(written.recipients, start.recipients) && { recipients: written.recipients }),
    ...(!isSame(written.customers, start.customers) && { customers: written.customers }),
  };
}

/** Whether leaving would lose something. */
export const isChanged = (written: WrittenDestination, before: Destination | undefined): boolean =>
  written.name !== (before?.name ?? '') || Object.keys(writtenFields(written, before)).length > 0;

/** What is missing before it can be saved or tried, in one sentence; undefined when nothing is. */
export function missingOf(written: WrittenDestination, before: Destination | undefined): string | undefined {
  const has = KIND_FIELDS[written.kind];
  const keepsAddress = before !== undefined && HAS_SECRET_ADDRESS.has(written.kind);
  if (written.name.trim() === '') return 'Give it a name.';
  if (has.url && written.url.trim() === '' && !keepsAddress) return 'Enter its address.';
  if (has.topic && written.topic.trim() === '') return 'Enter the topic.';
  if (written.kind === 'gotify' && written.token === '' && before === undefined) return 'Enter the application token.';
  if (has.recipients && written.recipients.length === 0) return 'Add at least one recipient.';
  return undefined;
}

/** What preview and test are asked with. */
export const draftOf = (written: WrittenDestination, before: Destination | undefined): Partial<DestinationDraft> => ({
  kind: written.kind,
  name: written.name.trim() === '' ? 'New destination' : written.name,
  ...writtenFields(written, before),
  ...(before && { destinationId: before.id }),
});
