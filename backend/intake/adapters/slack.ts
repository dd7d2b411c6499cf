import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter, Reading } from './adapter.ts';
import { type Found, choice, choose, find, joinFound, rule, timeOf, withValue } from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { plainText } from '#backend/intake/understanding/plain-text.ts';

const USER = choice('user_name', 'user_id', 'event.user');
const TEXT = choice('text', 'event.text');
const TEAM = choice('team_domain', 'team_id');
const CHANNEL = choice('channel_name', 'channel_id', 'event.channel');
const TIME = choice('timestamp', 'event_time');

const EVENT = rule<AlertState>('event', 'a message has no end');

/** Slack's outgoing webhooks and slash commands, which are forms, and its Events API. Token and address for answers are secrets. */
export const slack: Adapter = {
  sender: 'slack',
  secretNames: ['token', 'response_url'],
  read({ body }) {
    if (!body.isObject) return { drafts: [] };
    const challenge = body.get('type')?.string === 'url_verification' ? body.get('challenge')?.string : undefined;
    if (challenge !== undefined) return answerChallenge(challenge);
    const command = find(body.get('command'));
    return {
      drafts: [
        {
          element: body,
          title: joinFound(': ', choose(body, USER), joinFound(' ', command, plain(choose(body, TEXT)))),
          customer: customerOf(body),
          alertType: rule(command ? 'slack.command' : 'slack.message', 'what Slack sent', command?.path),
          state: EVENT,
          // An outgoing webhook has no id: Slack sends the same message, of the same moment, once more.
          deliveryId: find(body.get('event_id')) ?? find(body.get('trigger_id')) ?? messageOf(body),
          at: timeOf(choose(body, TIME)),
        },
      ],
    };
  },
};

function answerChallenge(challenge: string): Reading {
  return {
    drafts: [],
    handshake: {
      kind: 'challenge',
      summary: "Slack's verification of the address",
      answer: { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: challenge },
    },
  };
}

function customerOf(body: JsonValue): Found | undefined {
  const channel = choose(body, CHANNEL);
  return joinFound(' ', choose(body, TEAM), channel && withValue(channel, `#${channel.value.replace(/^#/, '')}`));
}

function messageOf(body: JsonValue): Found | undefined {
  const time = find(body.get('timestamp'));
  return time && joinFound(' ', choose(body, choice('channel_id', 'channel_name')), choose(body, USER), time);
}

/** What somebody wrote, without Slack's markup. Of a text that is nothing else it stays. */
const plain = (text: Found | undefined): Found | undefined =>
  text && withValue(text, plainText(text.value, true) || text.value);
