import { TICKET_VALUES, type TicketField, type TicketSystem } from '#backend/contract/ticket.ts';

interface TicketFieldText {
  label: string;
  hint?: string;
}

const OF_SEVERITY = '{{priority}} is the severity in the words of the ticket system. Empty: not sent.';
const SEPARATED = 'Separated by commas.';

/** Fields of tickets, as administrators read them. */
const FIELDS: Record<TicketField, TicketFieldText> = {
  summary: { label: 'Summary' },
  description: {
    label: 'Description',
    hint: `Values stand in braces: ${TICKET_VALUES.slice(0, -1).join(', ')}, and fields.NAME. A line of which no value is there is left out. The link and a marker are always in it.`,
  },
  issueType: { label: 'Issue type' },
  priority: { label: 'Priority', hint: OF_SEVERITY },
  labels: { label: 'Labels', hint: SEPARATED },
  assignees: { label: 'Assignees', hint: SEPARATED },
  urgency: { label: 'Urgency', hint: '{{urgency}} is 1, 2 or 3, by the severity.' },
  impact: { label: 'Impact', hint: '1, 2 or 3.' },
  group: { label: 'Group' },
  customer: { label: 'Customer', hint: 'Their email. Empty: whose token it is.' },
  closeAs: { label: 'Closed as' },
};

/** Where a field means something else, or is more to be known of it. */
const OF_SYSTEM: Partial<Record<TicketSystem, Partial<Record<TicketField, TicketFieldText>>>> = {
  jira: { closeAs: { label: 'Closed as', hint: 'The name of a status. Empty: the first one of the category Done.' } },
  servicenow: {
    group: { label: 'Assignment group', hint: 'Its sys_id. Empty: by the rules of the instance.' },
    closeAs: { label: 'Resolution code' },
  },
  gitlab: { assignees: { label: 'Assignees', hint: 'Numbers of users, separated by commas.' } },
  zammad: { closeAs: { label: 'Closed as', hint: 'The name of a state.' } },
};

export const ticketFieldTexts = (system: TicketSystem, field: TicketField): TicketFieldText =>
  OF_SYSTEM[system]?.[field] ?? FIELDS[field];

export const testTicket = 'A test makes a ticket and closes it.';
export const whenClosed = 'When closed';
export const completesAlert = 'Complete the alert when the ticket is closed';
export const whenClosedHint =
  'Known by asking every few minutes, and at once when the system’s webhook leads to a source here.';
