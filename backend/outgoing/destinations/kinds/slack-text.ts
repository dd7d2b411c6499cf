import { withoutMentions } from './kind.ts';

/** The three characters that Slack has escaped (https://docs.slack.dev/messaging/formatting-message-text, "Escaping text"). */
export const escapeSlack = (text: string): string =>
  withoutMentions(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
