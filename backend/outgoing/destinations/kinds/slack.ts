import { wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import { COLORS, type KindModule, json, objectOf, withoutMentions } from './kind.ts';
import { escapeSlack } from './slack-text.ts';

/** `/hooks/` with an id and a token, of which Mattermost's addresses have one. */
const isRocketChat = (url: string): boolean => /\/hooks\/[^/]+\/[^/]+\/?$/.test(new URL(url).pathname);

/**
 * Rocket.Chat shows entities as they are written. Its links under other words are broken instead
 * (https://github.com/RocketChat/Rocket.Chat/blob/develop/packages/message-parser/src/grammar.pegjs, "References").
 */
const withoutLinks = (text: string): string =>
  withoutMentions(text).replaceAll('<', '<\u200B').replaceAll('](', ']\u200B(');

/** What the services answer with, and what can be done (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks). */
const ANSWERS: Record<string, string> = {
  no_service: 'The incoming webhook was removed. Make another one in the workspace and enter its address.',
  no_active_hooks: 'The incoming webhook is disabled. Enable it in the workspace.',
  invalid_token: 'The address is not right any more. Make another incoming webhook and enter its address.',
  channel_not_found: 'The channel is gone. Make an incoming webhook for another one.',
  channel_is_archived: 'The channel was archived. Restore it, or make an incoming webhook for another one.',
  action_prohibited: 'An administrator of the workspace does not allow it. Ask there.',
  posting_to_general_channel_denied: 'Only administrators of the workspace may write to this channel.',
};

/** What Mattermost and Rocket.Chat answer for an address that is not right (`error` and `id` of their JSON). */
const NO_WEBHOOK = /^Invalid integration id or token|^web\.incoming_webhook\.(invalid|disabled)\./;

/**
 * An incoming webhook of Slack, Mattermost or Rocket.Chat. Attachments are understood by all three
 * (https://docs.slack.dev/reference/messaging/attachments, https://developers.mattermost.com/integrate/webhooks/incoming,
 * https://docs.rocket.chat/docs/integrations).
 */
export const slackKind: KindModule = {
  label: 'Slack, Mattermost or Rocket.Chat',
  isForPeople: true,
  // "No more than one per second" (https://docs.slack.dev/apis/web-api/rate-limits).
  pauseMs: 1_000,
  render({ secrets }, { payload }) {
    const words = wordsOf(payload);
    const url = secrets.url ?? '';
    const inert = isRocketChat(url) ? withoutLinks : escapeSlack;
    const title = inert(words.title);
    const text = words.lines.map(inert).join('\n');
    return json(url, {
      text: title,
      attachments: [
        {
          fallback: [title, text].join('\n'),
          color: `#${COLORS[payload.data.alert.severity].toString(16).padStart(6, '0')}`,
          text,
          fields: words.fields.map(({ name, value }) => ({ title: inert(name), value: inert(value), short: true })),
          ...(words.link !== null && {
            title: 'Open in Alertdesk',
            title_link: words.link,
          }),
        },
      ],
    });
  },
  explain(_status, body) {
    const { error, id } = objectOf(body) ?? {};
    return [error, id].some((said) => typeof said === 'string' && NO_WEBHOOK.test(said))
      ? ANSWERS['invalid_token']
      : ANSWERS[body.trim()];
  },
};
