import { type KindField, SECRET_FIELDS, factsOf } from '#backend/contract/destination-kinds.ts';
import type { Destination, DestinationKind, DestinationDraft } from '#backend/contract/outgoing.ts';
import { TICKET_TEMPLATES, type TicketField, type TicketTemplates, isTicketSystem } from '#backend/contract/ticket.ts';
import type { Marks } from '#renderer/ui/editor/merge-written.ts';
import { fieldTexts } from './kind-texts.ts';
import * as texts from './destinations-texts.tsx';

/** A destination as it is being written. Secrets are empty until they are written again. */
export interface WrittenDestination extends Record<Exclude<KindField, 'recipients'>, string> {
  kind: DestinationKind;
  name: string;
  recipients: string[];
  customers: string[];
  /** Of ticket systems: the template of each field that its tickets have. */
  ticketTemplates: TicketTemplates;
  completesAlert: boolean;
}

export const startOf = (
  destination: Destination | undefined,
  kind: DestinationKind = 'webhook',
): WrittenDestination => ({
  kind: destination?.kind ?? kind,
  name: destination?.name ?? '',
  url: destination?.url ?? '',
  method: destination?.method ?? 'POST',
  headers: destination?.headers ?? '',
  template: destination?.template ?? '',
  topic: destination?.topic ?? '',
  room: destination?.room ?? '',
  account: destination?.account ?? '',
  token: '',
  appToken: '',
  requestSecret: '',
  recipients: destination?.recipients ?? [],
  customers: destination?.customers ?? [],
  ticketTemplates: { ...usualTemplates(destination?.kind ?? kind), ...destination?.ticketTemplates },
  completesAlert: destination?.completesAlert ?? true,
});

/** The templates that a kind has where none are written. */
const usualTemplates = (kind: DestinationKind): TicketTemplates => (isTicketSystem(kind) ? TICKET_TEMPLATES[kind] : {});

/** The fields that a kind has, in the order of its form. */
export const fieldsOf = (kind: DestinationKind): KindField[] => Object.keys(factsOf(kind).fields) as KindField[];

/** Whether a value is never read again, because it lets everybody write who has it. */
export const isSecret = (kind: DestinationKind, field: KindField): boolean =>
  field === 'url' ? factsOf(kind).isAddressSecret === true : SECRET_FIELDS.some((one) => one === field);

/** The end of a secret that is kept. */
export const hintOf = ({ secretHint, otherHints }: Destination, field: KindField): string | null | undefined =>
  field === 'appToken' || field === 'requestSecret' ? otherHints?.[field] : secretHint;

/** By what it shows that a colleague has saved another secret. */
export const marksOf = (destination: Destination): Marks<WrittenDestination> =>
  Object.fromEntries(
    fieldsOf(destination.kind)
      .filter((field) => isSecret(destination.kind, field))
      .map((field) => [field, hintOf(destination, field)]),
  );

/** The form with another kind chosen: its usual address takes the place of none, or of another kind's usual one. */
export function withKind(written: WrittenDestination, kind: DestinationKind): WrittenDestination {
  const isOwn = written.url !== '' && written.url !== factsOf(written.kind).usualUrl;
  return {
    ...written,
    kind,
    url: isOwn ? written.url : (factsOf(kind).usualUrl ?? ''),
    ticketTemplates: usualTemplates(kind),
  };
}

/** The fields that a call sends: those of the kind that were written and differ from what is kept. */
export function writtenFields(written: WrittenDestination, before: Destination | undefined): Partial<DestinationDraft> {
  const start = startOf(before, written.kind);
  const isNew = before === undefined;
  const changed = ([...fieldsOf(written.kind), 'customers'] as const).filter(
    // A method is chosen from the start.
    (field) => (isNew && field === 'method') || JSON.stringify(written[field]) !== JSON.stringify(start[field]),
  );
  // An address and an account that are empty are those that are kept, unless the kind can do without.
  const { fields } = factsOf(written.kind);
  const isKept = (field: (typeof changed)[number]): boolean =>
    field === 'url' || (field === 'account' && fields.account === 'required');
  const sent = changed.filter((field) => written[field].length > 0 || !isKept(field));
  return {
    ...Object.fromEntries(sent.map((field) => [field, written[field]])),
    ...(isTicketSystem(written.kind) && writtenTicket(written, start)),
  };
}

/** What is said of tickets: the templates that are not the usual ones, all of them, where one was changed. */
function writtenTicket(
  { kind, ticketTemplates, completesAlert }: WrittenDestination,
  start: WrittenDestination,
): Partial<DestinationDraft> {
  const usual = usualTemplates(kind);
  const isSame = JSON.stringify(ticketTemplates) === JSON.stringify(start.ticketTemplates);
  const own = (Object.entries(ticketTemplates) as [TicketField, string][]).filter(
    ([field, template]) => template !== usual[field],
  );
  return {
    ...(!isSame && { ticketTemplates: Object.fromEntries(own) }),
    ...(completesAlert !== start.completesAlert && { completesAlert }),
  };
}

/** What a destination says, in whatever order its recipients and customers were chosen. */
export const sentOf = (written: WrittenDestination): unknown => {
  const { kind, name, recipients, customers, ticketTemplates, completesAlert } = written;
  const fields = fieldsOf(kind).map((field) => (field === 'recipients' ? recipients.toSorted() : written[field]));
  return [kind, name.trim(), fields, customers.toSorted(), isTicketSystem(kind) && [ticketTemplates, completesAlert]];
};

/** What is missing before it can be saved or tried, in one sentence; undefined when nothing is. */
export function missingOf(written: WrittenDestination, before: Destination | undefined): string | undefined {
  const { kind } = written;
  if (written.name.trim() === '') return texts.giveItName;
  const missing = fieldsOf(kind).find((field) => {
    const isKept = before !== undefined && isSecret(kind, field);
    return factsOf(kind).fields[field] === 'required' && !isKept && written[field].toString().trim() === '';
  });
  if (missing === undefined) return undefined;
  return missing === 'recipients' ? texts.addRecipient : texts.enterField(fieldTexts(kind)[missing]?.label ?? '');
}

/** What preview and test are asked with. */
export const draftOf = (written: WrittenDestination, before: Destination | undefined): Partial<DestinationDraft> => ({
  kind: written.kind,
  name: written.name.trim() === '' ? texts.destinationEntry.add : written.name,
  ...writtenFields(written, before),
  ...(before && { destinationId: before.id }),
});
