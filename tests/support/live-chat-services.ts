import { matrixRules, telegramRules, zulipRules } from './outgoing-chat-services.ts';
import type { ReceivedRequest, ServiceRules } from './outgoing-receiver.ts';
import { discordRules } from './outgoing-services.ts';

/**
 * Doubles of chat services that keep what they show, so that messages are changed in place. What a message may say is checked by
 * the same rules as elsewhere. None was ever compared with the real service.
 */

type Request = Omit<ReceivedRequest, 'status' | 'at'>;
type Answer = Exclude<ReturnType<ServiceRules>, undefined>;

/** What a service shows by now. */
export interface LiveService {
  rules: ServiceRules;
  /** Messages in the order in which they were posted: what each says by now, and how often it was changed. */
  shown: { id: string; text: string; edits: number; isReply: boolean }[];
}

const answer = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });

function keep() {
  const shown: LiveService['shown'] = [];
  return {
    shown,
    post: (id: string, text: string, isReply = false) => void shown.push({ id, text, edits: 0, isReply }),
    /** @returns whether there is such a message */
    change(id: string, text: string): boolean {
      const message = shown.find((one) => one.id === id);
      if (message) Object.assign(message, { text, edits: message.edits + 1 });
      return message !== undefined;
    },
  };
}

/**
 * The message that a webhook posted, with the members and in the order of "Example Message" of
 * https://docs.discord.com/developers/resources/message: its embeds come before its id.
 */
const discordMessage = (id: string, request: Request) => ({
  attachments: [],
  tts: false,
  embeds: (JSON.parse(request.body) as { embeds: object[] }).embeds,
  timestamp: '2017-07-11T17:27:07.299000+00:00',
  mention_everyone: false,
  id,
  pinned: false,
  edited_timestamp: null,
  author: { username: 'Alertdesk', discriminator: '0000', id: '123456789012345678', avatar: null, bot: true },
  mention_roles: [],
  content: '',
  channel_id: '290926798999357250',
  mentions: [],
  type: 0,
  webhook_id: '123456789012345678',
});

/**
 * https://docs.discord.com/developers/resources/webhook: "Execute Webhook" with `wait`, and "Edit Webhook Message", which both
 * answer with the message.
 */
export function liveDiscord(): LiveService {
  const { shown, post, change } = keep();
  return {
    shown,
    rules(request) {
      const { pathname, searchParams } = new URL(request.path, 'http://x');
      const [, webhook = pathname, id] = /^(.*)\/messages\/(\d+)$/.exec(pathname) ?? [];
      const refused = discordRules({ ...request, path: webhook });
      if (refused) return refused;
      if (request.method === 'PATCH') {
        return change(id ?? '', request.body)
          ? answer(200, discordMessage(id ?? '', request))
          : answer(404, { message: 'Unknown Message', code: 10_008 });
      }
      if (searchParams.get('wait') !== 'true') return { status: 204 };
      const made = String(200_000_000_000_000_000n + BigInt(shown.length));
      post(made, request.body);
      return answer(200, discordMessage(made, request));
    },
  };
}

/** https://core.telegram.org/bots/api#editmessagetext */
export function liveTelegram(token: string, chat: string): LiveService {
  const { shown, post, change } = keep();
  const takes = telegramRules(token, chat);
  return {
    shown,
    rules(request) {
      const isEdit = request.path.endsWith('/editMessageText');
      const {
        message_id: id,
        reply_parameters: reply,
        ...rest
      } = JSON.parse(request.body) as {
        message_id?: number;
        reply_parameters?: { message_id: number };
      };
      const path = request.path.replace(/editMessageText$/, 'sendMessage');
      const refused = takes({ ...request, path, body: JSON.stringify(rest) });
      if (refused) return refused;
      const { text } = rest as { text?: string };
      if (isEdit) {
        const before = shown.find((one) => one.id === String(id));
        if (before?.text === text) {
          return answer(400, { ok: false, error_code: 400, description: 'Bad Request: message is not modified' });
        }
        return change(String(id), text ?? '')
          ? answer(200, { ok: true, result: { message_id: id } })
          : answer(400, { ok: false, error_code: 400, description: 'Bad Request: message to edit not found' });
      }
      post(String(shown.length + 1), text ?? '', reply !== undefined);
      return answer(200, { ok: true, result: { message_id: shown.length } });
    },
  };
}

/** https://zulip.com/api/update-message, and the time that an organization lets messages be changed for. */
export function liveZulip(account: string, key: string, channel: string): LiveService & { isClosed: boolean } {
  const { shown, post, change } = keep();
  const takes = zulipRules(account, key, channel);
  const service = {
    shown,
    isClosed: false,
    rules(request: Request): Answer {
      const [, id] = /^\/api\/v1\/messages\/(\d+)$/.exec(request.path) ?? [];
      const given = Object.fromEntries(new URLSearchParams(request.body));
      const whole =
        id === undefined
          ? request.body
          : String(new URLSearchParams({ type: 'stream', to: channel, topic: 't', ...given }));
      const refused = takes({ ...request, path: '/api/v1/messages', body: whole });
      if (refused) return refused;
      if (id !== undefined) {
        if (service.isClosed) {
          return answer(400, {
            result: 'error',
            code: 'BAD_REQUEST',
            msg: 'The time limit for editing this message has passed',
          });
        }
        return change(id, given['content'] ?? '')
          ? answer(200, { result: 'success', msg: '' })
          : answer(400, { result: 'error', code: 'BAD_REQUEST', msg: 'Invalid message(s)' });
      }
      post(String(shown.length + 1), given['content'] ?? '');
      return answer(200, { result: 'success', msg: '', id: shown.length });
    },
  };
  return service;
}

/** https://spec.matrix.org/latest/client-server-api/#event-replacements and #threading; a transaction is taken once. */
export function liveMatrix(token: string, room: string): LiveService {
  const { shown, post, change } = keep();
  const takes = matrixRules(token, room);
  const transactions = new Map<string, string>();
  return {
    shown,
    rules(request) {
      const {
        'm.relates_to': relation,
        'm.new_content': content,
        ...rest
      } = JSON.parse(request.body) as {
        'm.relates_to'?: { rel_type: string; event_id: string };
        'm.new_content'?: { body: string };
        body: string;
      };
      const refused = takes({ ...request, body: JSON.stringify(content ?? rest) });
      if (refused) return refused;
      const known = transactions.get(request.path);
      if (known !== undefined) return answer(200, { event_id: known });
      const id = `$event${transactions.size}`;
      transactions.set(request.path, id);
      if (relation?.rel_type === 'm.replace') change(relation.event_id, content?.body ?? '');
      else post(id, rest.body, relation?.rel_type === 'm.thread');
      return answer(200, { event_id: id });
    },
  };
}
