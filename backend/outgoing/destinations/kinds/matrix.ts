import { type MessageWords, cardOf, plainTextOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { type KindModule, type RenderedRequest, below, escapeHtml, objectOf, withoutMentions } from './kind.ts';

const html = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');

function textOf(words: MessageWords) {
  const text = withoutMentions([words.title, plainTextOf(words)].filter((part) => part !== '').join('\n'));
  const lines = [
    `<strong>${html(withoutMentions(words.title))}</strong>`,
    ...words.lines.map((line) => html(withoutMentions(line))),
    ...words.fields.map(({ name, value }) => `${html(withoutMentions(name))}: ${html(withoutMentions(value))}`),
    ...(words.link === null ? [] : [`<a href="${escapeHtml(words.link)}">Open in Alertdesk</a>`]),
  ];
  return {
    msgtype: 'm.text',
    body: words.link === null ? text : `${text}\n${words.link}`,
    format: 'org.matrix.custom.html',
    formatted_body: lines.join('<br>'),
    // Nobody is mentioned, whatever the text holds (https://spec.matrix.org/latest/client-server-api/#user-and-room-mentions).
    'm.mentions': {},
  };
}

const event = ({ url, room, secrets }: Target, transaction: string, content: object): RenderedRequest => ({
  via: 'http',
  method: 'PUT',
  url: below(
    url,
    `_matrix/client/v3/rooms/${encodeURIComponent(room ?? '')}/send/m.room.message/${encodeURIComponent(transaction)}`,
  ),
  headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secrets.token}` },
  body: JSON.stringify(content),
});

/**
 * A room of Matrix (https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid). The
 * message's id is the transaction's, so a homeserver takes an attempt that is repeated once. Messages have 15 KB or so, both
 * forms of the text together at most 32 KB of the 65,536 bytes that an event may have.
 */
export const matrixKind: KindModule = {
  label: 'Matrix',
  fieldNames: { room: 'room id', token: 'access token' },
  isForPeople: true,
  // Homeservers differ, and say how long to wait. One after the other, few are asked to.
  pauseMs: 200,
  faultOf: (field, value) =>
    field === 'room' && !/^![^\s/]+$/.test(value)
      ? 'The room id begins with an exclamation mark, other than the room’s #address. It is in the room’s settings, under Advanced.'
      : undefined,
  render: (target, { id, payload }) => event(target, id, textOf(wordsOf(payload))),
  live: {
    updatePace: { everyMs: 200, burst: 5 },
    // A transaction that is repeated answers with the event of the first time, so nothing is looked for.
    card(target, { id, payload }, remote) {
      const content = textOf(cardOf(payload));
      if (remote === null) return event(target, `${id}-card`, content);
      // https://spec.matrix.org/latest/client-server-api/#event-replacements
      return event(target, `${id}-change`, {
        ...content,
        body: `* ${content.body}`,
        'm.new_content': content,
        'm.relates_to': { rel_type: 'm.replace', event_id: remote },
      });
    },
    // https://spec.matrix.org/latest/client-server-api/#threading
    reply: (target, { id, payload }, remote) =>
      event(target, id, {
        ...textOf(wordsOf(payload)),
        'm.relates_to': {
          rel_type: 'm.thread',
          event_id: remote,
          is_falling_back: true,
          'm.in_reply_to': { event_id: remote },
        },
      }),
    postedAs(body) {
      const id = objectOf(body)?.['event_id'];
      return typeof id === 'string' && id.startsWith('$') && id.length <= 255 ? id : undefined;
    },
    // A homeserver takes changes of events that were deleted, and shows nothing of them.
    isGone: () => false,
    // "The original event and replacement event must have the same sender" (https://spec.matrix.org/latest/client-server-api/#validity-of-replacement-events).
    botOf: (token) => token,
  },
  explain(status, body) {
    const code = objectOf(body)?.['errcode'];
    if (code === 'M_UNKNOWN_TOKEN' || code === 'M_MISSING_TOKEN' || code === 'M_USER_DEACTIVATED' || status === 401)
      return 'The access token is not right any more. Sign in as the bot again and enter its new token.';
    if (code === 'M_FORBIDDEN' || status === 403)
      return 'The bot is not in the room, or may not write there. Invite it, let it join, and check its power level.';
    if (code === 'M_NOT_FOUND') return 'There is no room with this id. Check the room id and the homeserver.';
    if (code === 'M_UNRECOGNIZED' || status === 404 || status === 405)
      return 'There is no Matrix homeserver at this address. Enter its base address, such as https://matrix.example.com.';
    return undefined;
  },
};
