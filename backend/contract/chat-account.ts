import * as z from 'zod/mini';

/** Chat services whose messages have buttons. */
export const chatServiceSchema = z.enum(['slack', 'mattermost']);
export type ChatService = z.infer<typeof chatServiceSchema>;

/** What people call the services. */
export const SERVICE_NAMES: Record<ChatService, string> = { slack: 'Slack', mattermost: 'Mattermost' };

/** An account of a chat by which a member acts: presses of its buttons are theirs. */
export const chatAccountSchema = z.object({
  id: z.string(),
  service: chatServiceSchema,
  /** The workspace or server: an id of Slack's, or an address. */
  place: z.string(),
  /** What the account is called there. */
  accountName: z.string(),
  /** It was found by the member's email; otherwise the member connected it. */
  isByEmail: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type ChatAccount = z.infer<typeof chatAccountSchema>;

/** Answer of `GET /api/account/chat-accounts`. */
export const chatAccountListSchema = z.array(chatAccountSchema);

/** What a link to connect an account carries: made by this server for one account of a chat, for a while. */
const code = z.string().check(z.minLength(1), z.maxLength(2_000));

/** Body of `POST /api/account/chat-accounts` and of `POST /api/account/chat-accounts/offer`. */
export const chatConnectSchema = z.object({ code });

/** Answer of `POST /api/account/chat-accounts/offer`: whose account the link is about. */
export const chatOfferSchema = z.object({
  service: chatServiceSchema,
  place: z.string(),
  accountName: z.string(),
});
export type ChatOffer = z.infer<typeof chatOfferSchema>;

/** Path of calls of one account. */
export const chatAccountParamsSchema = z.object({ id: z.uuid() });
