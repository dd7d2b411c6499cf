import * as z from 'zod/mini';
import {
  chatAccountListSchema,
  chatAccountParamsSchema,
  chatAccountSchema,
  chatConnectSchema,
  chatOfferSchema,
} from '#backend/contract/chat-account.ts';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { isChatAction, readActionValue } from '#backend/outgoing/destinations/kinds/chat-actions.ts';
import { MATTERMOST_ACTIONS_PATH, isActionKey } from '#backend/outgoing/destinations/kinds/mattermost-bot.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Actor, type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notSignedIn } from '#backend/platform/endpoint/errors.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import {
  accountNameOf,
  connectByLink,
  disconnectAccount,
  findChatAccounts,
  presentChatAccount,
} from './chat-account.ts';
import type { ChatPresses } from './chat-presses.ts';
import { readConnectCode } from './connect-link.ts';
import { mattermostAnswer, mattermostAnswerSchema, mattermostPressSchema } from './mattermost-requests.ts';
import { isSignedBySlack, readSlackPress, whileSlackWaits } from './slack-requests.ts';

/** A press carries the whole message that it was made in. */
const MAX_PRESS_BYTES = 256 * 1024;

const memberOf = (actor: Actor, ip: string) => ({ ...authorOf(actor, ip), id: actor.id });

/** Presses of buttons that chats send, and the accounts by which members act. */
export function chatRoutes(deps: {
  database: Database;
  sealing: Sealing;
  presses: ChatPresses;
  securityMails: SecurityMails;
}): Endpoint[] {
  const { database, sealing, presses } = deps;
  return [
    endpoint({
      method: 'POST',
      path: '/api/chat/slack',
      tag: 'outgoing',
      summary: 'Takes a press of a button from Slack, signed with the signing secret of the destination’s app.',
      access: 'anyone',
      csrf: false,
      isForm: true,
      maxBodyBytes: MAX_PRESS_BYTES,
      body: z.object({ payload: z.string() }),
      errors: [401],
      responses: { 204: 'no content' },
      handle: async ({ body, rawBody, header, ip }) => {
        const press = readSlackPress(body.payload);
        // A link that was opened, or something of another app: nothing is done, and nothing is said.
        if (!press) return noContent();
        const target = await presses.findTarget(press.destinationId);
        const signature = header('X-Slack-Signature');
        const timestamp = header('X-Slack-Request-Timestamp');
        const secret = target?.kind === 'slack-bot' ? target.secrets.requestSecret : undefined;
        if (!target || secret === undefined || !isSignedBySlack(secret, { signature, timestamp, body: rawBody })) {
          throw notSignedIn('The request is not signed with the signing secret of the destination.');
        }
        await whileSlackWaits(presses.pressSlack(target, press, ip));
        return noContent();
      },
    }),
    endpoint({
      method: 'POST',
      path: MATTERMOST_ACTIONS_PATH,
      tag: 'outgoing',
      summary: 'Takes a press of a button from Mattermost, with the proof that the button was made with.',
      access: 'anyone',
      csrf: false,
      maxBodyBytes: MAX_PRESS_BYTES,
      body: mattermostPressSchema,
      errors: [401],
      responses: { 200: mattermostAnswerSchema },
      handle: async ({ body: { user_id: account, user_name: name, context }, ip }) => {
        const { action, value, key } = context;
        const about = readActionValue(value);
        const target = about && (await presses.findTarget(about.destinationId));
        const secret = target?.kind === 'mattermost-bot' ? target.secrets.actionSecret : undefined;
        if (!target || secret === undefined || !isChatAction(action) || !isActionKey(secret, action, value, key)) {
          throw notSignedIn('The button was not made by this server.');
        }
        const accountName = accountNameOf(name ?? account);
        const place = new URL(target.url ?? '').origin;
        const named = { service: 'mattermost', place, account: account.slice(0, 100), accountName } as const;
        return ok(mattermostAnswer(await presses.press({ target, alertId: about.alertId, action, named, ip })));
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/account/chat-accounts',
      tag: 'account',
      summary: 'Lists the accounts of chats by which the member acts.',
      access: 'member',
      responses: { 200: chatAccountListSchema },
      handle: async ({ actor }) => ok((await findChatAccounts(database, actor.id)).map(presentChatAccount)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/account/chat-accounts/offer',
      tag: 'account',
      summary: 'Says whose account a link to connect one is about. Nothing is changed.',
      access: 'member',
      body: chatConnectSchema,
      errors: [404],
      responses: { 200: chatOfferSchema },
      handle: async ({ body }) => {
        const { service, place, accountName } = readConnectCode(sealing, body.code);
        return ok({ service, place, accountName });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/account/chat-accounts',
      tag: 'account',
      summary:
        'Connects the account of a chat that a link is about: presses of its buttons are the member’s from then on.',
      access: 'member',
      proof: 'always',
      body: chatConnectSchema,
      errors: [404, 409],
      responses: { 201: chatAccountSchema },
      handle: async ({ actor, ip, body }) => {
        const named = readConnectCode(sealing, body.code);
        return created(presentChatAccount(await connectByLink(deps, memberOf(actor, ip), named)));
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/account/chat-accounts/:id',
      tag: 'account',
      summary: 'Disconnects an account of a chat: presses of its buttons are nobody’s from then on.',
      access: 'member',
      params: chatAccountParamsSchema,
      errors: [404],
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await disconnectAccount(database, memberOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}
