import { type EntityManager, In, IsNull, MoreThan, Not } from 'typeorm';
import type { TicketSystem } from '#backend/contract/ticket.ts';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import type { ReadDelivery } from '#backend/intake/adapters/adapter.ts';
import type { TicketReports } from '#backend/intake/webhooks/deliver.ts';
import { DestinationEntity, readSettings } from '#backend/outgoing/destinations/destination-entity.ts';
import { textOf } from '#backend/outgoing/destinations/kinds/ticket.ts';
import { LiveMessageEntity, readAttempts } from '#backend/outgoing/messages/message-entity.ts';
import type { Database } from '#backend/platform/database/database.ts';

/** The marker of a ticket of an alert, or of one that tried a destination (see `kinds/ticket.ts`). */
const MARKER = /alertdesk(test)?([0-9a-f]{32})/g;

/** Markers that are looked up of one text, in which ours is the last unless somebody wrote behind it. */
const MAX_MARKERS = 10;

/** Who reports tickets: ServiceNow and Zammad are not recognized. What monitoring sends is not looked through. */
const TICKET_SENDERS: ReadonlySet<ReadDelivery['sender']> = new Set(['jira', 'github', 'gitlab', 'generic']);

/** Longest body that is parsed for a marker, in characters: systems report a ticket with its texts, and little else. */
const MAX_BODY = 1024 * 1024;

/** How long a marker counts that tried a destination, in milliseconds: it stands in a ticket that others may read. */
const TRIED_MS = 60 * 60 * 1000;

/** A report of a ticket comes so soon after the attempt that made it, or may have, in milliseconds. */
const MAKING_MS = 5 * 60 * 1000;

const valueAt = (report: unknown, path: readonly string[]): unknown =>
  path.reduce((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], report);
const textAt = (report: unknown, ...path: string[]): string => textOf(valueAt(report, path));

/** An issue of GitLab by either name of its project, of which the destination has one. */
const namesInGitlab = (report: unknown, number: string): string[] =>
  ['path_with_namespace', 'id'].map((name) => `${textAt(report, 'project', name)}#${number}`);

/** Where a marker stands in a report, and how its ticket is named there. */
interface Place {
  kind: TicketSystem;
  path: readonly string[];
  /** Undefined where nobody but us writes what stands there. */
  namesIn?: (report: unknown) => string[];
}

/**
 * Where reports of ticket systems have what was written when the ticket was made: the description of Jira's, GitHub's and GitLab's
 * issues, the correlation id of ServiceNow, the note of Zammad. A marker anywhere else is a text like any other. Descriptions are
 * written by whoever may open an issue: there the ticket itself must be known.
 */
const PLACES: readonly Place[] = [
  {
    kind: 'jira',
    path: ['issue', 'fields', 'description'],
    namesIn: (report) => [textAt(report, 'issue', 'id'), textAt(report, 'issue', 'key')],
  },
  {
    kind: 'github',
    path: ['issue', 'body'],
    namesIn: (report) => [`${textAt(report, 'repository', 'full_name')}#${textAt(report, 'issue', 'number')}`],
  },
  {
    kind: 'gitlab',
    path: ['issue', 'description'],
    namesIn: (report) => namesInGitlab(report, textAt(report, 'issue', 'iid')),
  },
  {
    kind: 'gitlab',
    path: ['object_attributes', 'description'],
    namesIn: (report) => namesInGitlab(report, textAt(report, 'object_attributes', 'iid')),
  },
  { kind: 'servicenow', path: ['correlation_id'] },
  { kind: 'zammad', path: ['ticket', 'note'] },
];

/** Takes reports about the tickets of alerts that are here, and has the server that leads ask about them at once. */
export function createTicketReports(database: Pick<Database, 'reads' | 'transaction'>): TicketReports {
  return {
    take: (body, sender) =>
      TICKET_SENDERS.has(sender) && body.includes('alertdesk') && takeAny(database, markersIn(body)),
  };
}

/** What a marker in a report is about. */
interface Marked {
  /** Whose report it is. */
  kind: TicketSystem;
  /** Of the alert, or of the message that tried a destination. */
  id: string;
  isTest: boolean;
  /** How the ticket is named in the report, by any of its names; undefined where its marker alone is believed. */
  names: string[] | undefined;
}

/** The markers in a report, where one stands where a system has it. A ticket may quote others that came with its alert. */
export function markersIn(body: string): Marked[] {
  if (body.length > MAX_BODY || body.search(MARKER) < 0) return [];
  const report = parsed(body);
  for (const { kind, path, namesIn } of PLACES) {
    const text = valueAt(report, path);
    const found = new Map([...(typeof text === 'string' ? text : '').matchAll(MARKER)].map((one) => [one[0], one]));
    if (found.size === 0) continue;
    const names = namesIn?.(report);
    return [...found.values()]
      .slice(-MAX_MARKERS)
      .map(([, test, hex = '']) => ({ kind, id: idOf(hex), isTest: test !== undefined, names }));
  }
  return [];
}

/** A webhook of GitHub may be a form with the report in it. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body.startsWith('payload=') ? (new URLSearchParams(body).get('payload') ?? '') : body);
  } catch {
    return undefined;
  }
}

const idOf = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');

/** @returns whether one of the markers is that of the very ticket */
async function takeAny(
  database: Pick<Database, 'reads' | 'transaction'>,
  markers: readonly Marked[],
): Promise<boolean> {
  for (const marked of markers) {
    if (await (marked.isTest ? wasTried(database, marked.id) : askNow(database, marked))) return true;
  }
  return false;
}

/** @returns whether a destination was tried with this message a short time ago */
async function wasTried({ reads }: Pick<Database, 'reads'>, messageId: string): Promise<boolean> {
  const entries = reads.getRepository(AuditEntity);
  const since = MoreThan(Date.now() - TRIED_MS);
  return entries.existsBy({ id: messageId, action: 'destination_tested', createdAt: since });
}

/** @returns whether it is about the ticket of the alert; another installation, or somebody who copied the marker, may have made it */
async function askNow(
  { reads, transaction }: Pick<Database, 'reads' | 'transaction'>,
  { id: alertId, kind, names }: Marked,
): Promise<boolean> {
  if (!(await isOfTicket(reads, alertId, names)) && !(await isMaking(reads, alertId, kind))) return false;
  await transaction(
    (tx) =>
      tx.query(
        'UPDATE outgoing_live SET ask_at = 0, revision = revision + 1 WHERE alert_id = ? AND state IS NOT NULL',
        [alertId],
      ),
    { waitsForDisk: false },
  );
  return true;
}

async function isOfTicket(reads: EntityManager, alertId: string, names: string[] | undefined): Promise<boolean> {
  const tickets = await reads
    .getRepository(LiveMessageEntity)
    .find({ select: { remote: true, destinationId: true }, where: { alertId, state: Not(IsNull()) } });
  if (names === undefined) return tickets.length > 0;
  const destinations = await reads
    .getRepository(DestinationEntity)
    .findBy({ id: In(tickets.map(({ destinationId }) => destinationId)) });
  const rooms = new Map(destinations.map((one) => [one.id, readSettings(one).room]));
  const known = new Set(names.map((name) => name.toLowerCase()));
  return tickets.some(({ remote, destinationId }) => {
    const room = rooms.get(destinationId);
    return [remote, ...(room ? [withRoom(remote, room)] : [])].some((name) => known.has(name.toLowerCase()));
  });
}

/** An issue by the name that its project has now: projects are renamed, and their issues keep their numbers. */
const withRoom = (remote: string, room: string): string => remote.replace(/^.*(?=#)/, () => room);

/** Whether a ticket of the alert may be made by its system at this moment, or was a moment ago: then its own report is first. */
async function isMaking(reads: EntityManager, alertId: string, kind: TicketSystem): Promise<boolean> {
  const waiting: { claimedUntil: unknown; attemptLog: string }[] = await reads.query(
    'SELECT m.claimed_until AS claimedUntil, m.attempt_log AS attemptLog FROM outgoing_messages m ' +
      'JOIN outgoing_destinations d ON d.id = m.destination_id ' +
      'LEFT JOIN outgoing_live l ON l.destination_id = m.destination_id AND l.alert_id = m.alert_id ' +
      "WHERE m.alert_id = ? AND m.state = 'waiting' AND d.kind = ? AND (l.state IS NULL OR l.state = 'gone')",
    [alertId, kind],
  );
  const since = Date.now() - MAKING_MS;
  return waiting.some(({ claimedUntil, attemptLog }) => {
    const last = readAttempts({ attemptLog }).at(-1);
    return Number(claimedUntil) >= since || (last !== undefined && Date.parse(last.at) >= since);
  });
}
