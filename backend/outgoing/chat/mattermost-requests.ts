import * as z from 'zod/mini';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import type { RenderedRequest } from '#backend/outgoing/destinations/kinds/kind.ts';
import { below, objectOf } from '#backend/outgoing/destinations/kinds/kind.ts';
import type { Said } from './press-button.ts';

const shortText = z.string().check(z.minLength(1), z.maxLength(300));

/**
 * What Mattermost sends when somebody presses a button
 * (https://developers.mattermost.com/integrate/plugins/interactive-messages, "Actions"). `context` is the button's own.
 */
export const mattermostPressSchema = z.object({
  user_id: shortText,
  user_name: z.optional(z.string()),
  context: z.object({ action: shortText, value: shortText, key: shortText }),
});

/** The answer to it: `ephemeral_text` is shown to who pressed alone. */
export const mattermostAnswerSchema = z.object({ ephemeral_text: z.optional(z.string()) });

export const mattermostAnswer = (said: Said): z.infer<typeof mattermostAnswerSchema> => {
  if (!said) return {};
  const link = said.link ? ` [${said.link.label}](${said.link.url})` : '';
  return { ephemeral_text: `${said.text.replaceAll(/[\\*_~`|>#[\]()<]/g, String.raw`\$&`)}${link}` };
};

/** https://developers.mattermost.com/api-documentation/#/operations/GetUser */
export const userRequest = (target: Target, user: string): RenderedRequest => ({
  via: 'http',
  method: 'GET',
  url: below(target.url, `api/v4/users/${encodeURIComponent(user)}`),
  headers: { Authorization: `Bearer ${target.secrets.token}` },
  body: '',
  keepBytes: 64 * 1024,
});

const userSchema = z.object({
  username: z.optional(z.string()),
  email: z.optional(z.string()),
  email_verified: z.optional(z.boolean()),
  delete_at: z.optional(z.number()),
  is_bot: z.optional(z.boolean()),
});

/** The email of somebody, as the server has confirmed it: people there may write any. */
export function readMattermostUser(body: string): { email: string | undefined; name: string | undefined } {
  const parsed = userSchema.safeParse(objectOf(body));
  if (!parsed.success) return { email: undefined, name: undefined };
  const { username, email, email_verified: isVerified, delete_at: deletedAt = 0, is_bot: isBot } = parsed.data;
  const isOwn = isVerified === true && deletedAt === 0 && isBot !== true;
  return { email: isOwn && email !== '' ? email : undefined, name: username };
}
