import type { Destination, DestinationKind, DestinationDraft, NewDestination } from '#backend/contract/outgoing.ts';
import { KIND_TEXTS } from './kind-texts.ts';
import * as texts from './destinations-texts.tsx';

/** A destination as it is being written. Secrets are empty until they are written again. */
export interface WrittenDestination {
  kind: DestinationKind;
  name: string;
  url: string;
  topic: string;
  room: string;
  account: string;
  token: string;
  appToken: string;
  requestSecret: string;
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
  room: destination?.room ?? '',
  account: destination?.account ?? '',
  token: '',
  appToken: '',
  requestSecret: '',
  recipients: destination?.recipients ?? [],
  customers: destination?.customers ?? [],
});

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at]);

/** The form with another kind chosen: its usual address takes the place of none, or of another kind's usual one. */
export function withKind(written: WrittenDestination, kind: DestinationKind): WrittenDestination {
  const isOwn = written.url !== '' && written.url !== KIND_TEXTS[written.kind].usualUrl;
  return { ...written, kind, url: isOwn ? written.url : (KIND_TEXTS[kind].usualUrl ?? '') };
}

/** What of it is sent: fields of its kind that are written or another than they were. */
export function writtenFields(written: WrittenDestination, before: Destination | undefined): Partial<NewDestination> {
  const start = startOf(before, written.kind);
  const has = KIND_TEXTS[written.kind];
  return {
    ...(has.url && written.url !== start.url && written.url !== '' && { url: written.url }),
    ...(has.topic && written.topic !== start.topic && { topic: written.topic }),
    ...(has.room && written.room !== start.room && { room: written.room }),
    ...(has.account && written.account !== start.account && written.account !== '' && { account: written.account }),
    ...(has.token && written.token !== '' && { token: written.token }),
    ...(has.appToken && written.appToken !== '' && { appToken: written.appToken }),
    ...(has.requestSecret && written.requestSecret !== '' && { requestSecret: written.requestSecret }),
    ...(has.recipients && !isSame(written.recipients, start.recipients) && { recipients: written.recipients }),
    ...(!isSame(written.customers, start.customers) && { customers: written.customers }),
  };
}

/** Whether leaving would lose something. */
export const isChanged = (written: WrittenDestination, before: Destination | undefined): boolean =>
  written.name !== (before?.name ?? '') || Object.keys(writtenFields(written, before)).length > 0;

/** What is missing before it can be saved or tried, in one sentence; undefined when nothing is. */
export function missingOf(written: WrittenDestination, before: Destination | undefined): string | undefined {
  const has = KIND_TEXTS[written.kind];
  const keepsAddress = before !== undefined && has.hasSecretAddress === true;
  if (written.name.trim() === '') return texts.giveItName;
  if (has.url && written.url.trim() === '' && !keepsAddress) return texts.enterField(has.url.label);
  if (has.account && written.account.trim() === '') return texts.enterField(has.account.label);
  if (has.token && !has.token.isOptional && written.token === '' && !before) return texts.enterField(has.token.label);
  if (has.topic && written.topic.trim() === '') return texts.enterField(has.topic.label);
  if (has.room && written.room.trim() === '') return texts.enterField(has.room.label);
  if (has.recipients && written.recipients.length === 0) return texts.addRecipient;
  return undefined;
}

/** What preview and test are asked with. */
export const draftOf = (written: WrittenDestination, before: Destination | undefined): Partial<DestinationDraft> => ({
  kind: written.kind,
  name: written.name.trim() === '' ? texts.newDestination : written.name,
  ...writtenFields(written, before),
  ...(before && { destinationId: before.id }),
});
