import { plainTextOf, wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import { type KindModule, below, escapeHtml, objectOf, withoutMentions } from './kind.ts';

const html = (text: string): string => escapeHtml(text).replaceAll('\n', '<br>');

/**
 * A room of Matrix (https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid). The
 * message's id is the transaction's, so a homeserver takes an attempt that is repeated once. Messages have 15 KB or so, both
 * forms of the text together at most 32 KB of the 65,536 bytes that an event may have.
 */
export const matrixKind: KindModule = {
  label: 'Matrix',
  fields: { url: 'required', room: 'required', token: 'required' },
  fieldNames: { room: 'room id', token: 'access token' },
  isAddressSecret: false,
  isSigned: false,
  isForPeople: true,
  // Homeservers differ, and say how long to wait. One after the other, few are asked to.
  pauseMs: 200,
  faultOf: (field, value) =>
    field === 'room' && !/^![^\s/]+$/.test(value)
      ? 'The room id begins with an exclamation mark, other than the room’s #address. It is in the room’s settings, under Advanced.'
      : undefined,
  render({ url, room, secrets }, { id, payload }) {
    const words = wordsOf(payload);
    const text = withoutMentions([words.title, plainTextOf(words)].filter((part) => part !== '').join('\n'));
    const lines = [
      `<strong>${html(withoutMentions(words.title))}</strong>`,
      ...words.lines.map((line) => html(withoutMentions(line))),
      ...words.fields.map(({ name, value }) => `${html(withoutMentions(name))}: ${html(withoutMentions(value))}`),
      ...(words.link === null ? [] : [`<a href="${escapeHtml(words.link)}">Open in Alertdesk</a>`]),
    ];
    const path = `_matrix/client/v3/rooms/${encodeURIComponent(room ?? '')}/send/m.room.message/${encodeURIComponent(id)}`;
    return {
      via: 'http',
      method: 'PUT',
      url: below(url, path),
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${secrets.token}` },
      body: JSON.stringify({
        msgtype: 'm.text',
        body: words.link === null ? text : `${text}\n${words.link}`,
        format: 'org.matrix.custom.html',
        formatted_body: lines.join('<br>'),
        // Nobody is mentioned, whatever the text holds (https://spec.matrix.org/latest/client-server-api/#user-and-room-mentions).
        'm.mentions': {},
      }),
    };
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
