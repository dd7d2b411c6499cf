import * as z from 'zod/mini';

/** Kinds of destinations that are ticket systems: one ticket for each problem. */
export const TICKET_KINDS = ['jira', 'servicenow', 'github', 'gitlab', 'zammad'] as const;
export type TicketSystem = (typeof TICKET_KINDS)[number];

/** What of a ticket a template makes. Which of them a kind has is in {@link TICKET_TEMPLATES}. */
export const ticketFieldSchema = z.enum([
  'summary',
  'description',
  'issueType',
  'priority',
  'labels',
  'assignees',
  'urgency',
  'impact',
  'group',
  'customer',
  'closeAs',
]);
export type TicketField = z.infer<typeof ticketFieldSchema>;

/** Longest template, in characters. */
export const MAX_TICKET_TEMPLATE = 4_000;

/** Templates of tickets, by field. A field that is absent has its kind's usual template; an empty one is not sent. */
export const ticketTemplatesSchema = z.partialRecord(
  ticketFieldSchema,
  z.string().check(
    z.maxLength(MAX_TICKET_TEMPLATE),
    z.overwrite((text) => text.toWellFormed()),
  ),
);
export type TicketTemplates = z.infer<typeof ticketTemplatesSchema>;

/**
 * Values that templates name, as in `{{title}}`. `priority` and `urgency` are the severity in the words of the ticket system;
 * `details` are the fields of the alert, a line each, and `fields.NAME` is one of them.
 */
export const TICKET_VALUES = [
  'title',
  'severity',
  'priority',
  'urgency',
  'status',
  'customer',
  'type',
  'label',
  'source',
  'owner',
  'occurrences',
  'receivedAt',
  'link',
  'details',
  'fields',
] as const;
export type TicketValue = (typeof TICKET_VALUES)[number];

const DESCRIPTION = [
  '{{title}}',
  '',
  'Customer: {{customer}}',
  'Type: {{type}}',
  'Source: {{source}}',
  'Severity: {{severity}}',
  '',
  '{{details}}',
  '',
  '{{link}}',
].join('\n');

const TEXTS = { summary: '{{title}}', description: DESCRIPTION } as const;

/** The fields of each kind's tickets, each with the template that it has where none is written. */
export const TICKET_TEMPLATES: Record<TicketSystem, TicketTemplates> = {
  jira: { ...TEXTS, issueType: 'Task', priority: '', labels: '', closeAs: '' },
  servicenow: { ...TEXTS, urgency: '{{urgency}}', impact: '2', group: '', closeAs: 'Solution provided' },
  github: { ...TEXTS, labels: '', assignees: '' },
  gitlab: { ...TEXTS, labels: '', assignees: '' },
  zammad: { ...TEXTS, group: 'Users', customer: '', priority: '{{priority}}', closeAs: 'closed' },
};

/** What is wrong with templates, each with line and character. A preview has the usual ones in their place. */
export const ticketFaultsSchema = z.array(z.object({ field: ticketFieldSchema, message: z.string() }));

/** Whether a kind of destination is a ticket system. */
export const isTicketSystem = (kind: string): kind is TicketSystem => TICKET_KINDS.includes(kind as TicketSystem);

/** How a ticket is, as its system said last. */
export const ticketStateSchema = z.enum(['open', 'closed', 'gone']);
export type TicketState = z.infer<typeof ticketStateSchema>;

/** The ticket of an alert. `url` leads people to it. */
export const ticketSchema = z.object({
  destinationId: z.string(),
  destinationName: z.string(),
  /** As people call it: `OPS-12`, `INC0010023`, `#12`. */
  key: z.string(),
  url: z.nullable(z.string()),
  state: ticketStateSchema,
});
export type Ticket = z.infer<typeof ticketSchema>;
