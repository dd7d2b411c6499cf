import { alertIdParamsSchema } from '#backend/contract/alert-query.ts';
import { outgoingIdParamsSchema } from '#backend/contract/outgoing.ts';
import {
  outgoingMessageListSchema,
  outgoingMessagesQuerySchema,
  receiptListSchema,
  sendAgainResultSchema,
  sendAgainSchema,
} from '#backend/contract/outgoing-receipt.ts';
import { canSee } from '#backend/alerts/alert/alert.ts';
import { findAccess } from '#backend/alerts/alert/alert-store.ts';
import { administratorOf } from '#backend/outgoing/rules/rule-routes.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { findQuietName } from '#backend/alerts/maintenance/quiet-name.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { findMessages, findReceipts, findTickets, hasActiveRules } from './receipts.ts';
import { sendAgain, sendAllAgain } from './send-again.ts';

/** Receipts of alerts for whoever sees them, and what was not delivered for administrators. */
export function messageRoutes({ database }: { database: Database }): Endpoint[] {
  const { reads } = database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/alerts/:id/receipts',
      tag: 'alerts',
      summary: 'Lists who was notified of an alert by rules, by what, when, and with what answer.',
      access: 'member',
      params: alertIdParamsSchema,
      responses: { 200: receiptListSchema },
      handle: async ({ actor, params }) => {
        const alert = (await findAccess(reads, [params.id])).get(params.id);
        if (!alert || !canSee(actor, alert)) throw notFound('There is no alert with this id.');
        const { receipts, ...more } = await findReceipts(reads, params.id);
        const tickets = await findTickets(reads, params.id);
        // An open ticket is there for longer than receipts are kept.
        const found = { receipts, ...more, ...(tickets.length > 0 && { tickets }) };
        if (receipts.length > 0) return ok(found);
        const keptQuietBy = await findQuietName(reads, params.id);
        if (keptQuietBy !== undefined) return ok({ ...found, emptyReason: 'kept-quiet', keptQuietBy });
        return ok({ ...found, emptyReason: (await hasActiveRules(reads)) ? 'no-match' : 'no-rules' });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/outgoing/messages',
      tag: 'outgoing',
      summary: 'Lists messages of one or of all destinations, the newest first.',
      access: ['admin'],
      query: outgoingMessagesQuerySchema,
      responses: { 200: outgoingMessageListSchema },
      handle: async ({ query: { destinationId, state, before } }) =>
        ok(
          await findMessages(database, {
            ...(destinationId !== undefined && { destinationId }),
            ...(state !== undefined && { state }),
            ...(before !== undefined && { before }),
          }),
        ),
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/messages/send-again',
      tag: 'outgoing',
      summary:
        'Sends again what was not delivered to a destination, of open alerts alone or of all; 5,000 messages at most.',
      access: ['admin'],
      body: sendAgainSchema,
      errors: [404],
      responses: { 200: sendAgainResultSchema },
      handle: async ({ actor, ip, body }) =>
        ok({ messages: await sendAllAgain(database, administratorOf(actor, ip), body) }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/outgoing/messages/:id/send-again',
      tag: 'outgoing',
      summary: 'Sends one message again, with the same id, which a receiver may recognise.',
      access: ['admin'],
      params: outgoingIdParamsSchema,
      errors: [409],
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await sendAgain(database, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}
