import { destinationKindSchema } from '#backend/contract/outgoing.ts';
import { DERIVED, type ExportKind, SECRET, flag, json, number, text, time } from './export-kind.ts';

const OF_NOW = 'How it is doing at this moment.';

/** Where alerts are sent, by which rules, and what became of messages. */
export const OUTGOING_KINDS: readonly ExportKind[] = [
  {
    kind: 'destination',
    table: 'outgoing_destinations',
    about: 'Where alerts are sent. Its secrets are in no export: enter them again.',
    key: ['id'],
    fields: {
      id: text('Id of the destination.'),
      kind: text(`${destinationKindSchema.options.map((kind) => `\`${kind}\``).join(', ')}.`),
      name: text('Its name.'),
      settings: json(
        'Its address where that is no secret, topic, room, account, recipients, and the customers that it may be sent alerts of.',
      ),
      pausedAt: time('When it was paused; null while it is not.'),
      pausedBy: text('Who paused it.'),
      lastSentAt: time('When it was sent a message last.'),
      createdAt: time('When it was made.'),
      version: number('Counts its changes.'),
    },
    leftOut: {
      name_key: DERIVED,
      sealed: SECRET,
      secret_hint: SECRET,
      old_secret_until: SECRET,
      failures: OF_NOW,
      failing_since: OF_NOW,
      retry_at: OF_NOW,
      reason: OF_NOW,
      alarmed_at: OF_NOW,
    },
    long: ['settings'],
  },
  {
    kind: 'outgoingRule',
    table: 'outgoing_rules',
    about: 'Which alerts are sent to which destinations, and on what.',
    key: ['id'],
    fields: {
      id: text('Id of the rule.'),
      name: text('Its name.'),
      search: text('Which alerts; empty for all.'),
      events: json('On what.'),
      destinationIds: json('Where to.'),
      isOn: flag('Whether it is on.'),
      activeSince: time('From when on changes of alerts are sent.'),
      changedBy: text('Who changed it last.'),
      changedAt: time('When.'),
      createdAt: time('When it was made.'),
      version: number('Counts its changes.'),
    },
    leftOut: { name_key: DERIVED },
    long: ['search', 'destination_ids'],
  },
  {
    kind: 'outgoingMessage',
    table: 'outgoing_messages',
    about: 'What was sent of an alert to a destination, or is to be.',
    key: ['id'],
    fields: {
      id: text('Id of the message, the `webhook-id` of a webhook.'),
      destinationId: text('The destination.'),
      alertId: text('The alert.'),
      event: text('`new`, `escalated`, `accepted`, `completed` or `note`.'),
      state: text('`waiting`, `sent`, `replaced` or `not-delivered`.'),
      content: json('What was sent.'),
      attempts: number('How often it was tried.'),
      attemptLog: json('The last attempts.'),
      createdAt: time('When it was made.'),
      finishedAt: time('When it was sent or given up.'),
    },
    leftOut: { event_key: DERIVED, next_at: OF_NOW, claimed_until: OF_NOW, give_up_at: OF_NOW },
    long: ['content', 'attempt_log'],
  },
];
