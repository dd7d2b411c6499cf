import * as z from 'zod';
import type { ReceivedRequest, ServiceRules } from './outgoing-receiver.ts';

/**
 * A double of Mattermost's server with one channel and two bots, by its API's description
 * (https://developers.mattermost.com/api-documentation/) and its page on interactive messages
 * (https://developers.mattermost.com/integrate/plugins/interactive-messages). What it says of posts that are deleted, or too old
 * to be edited, is in its source: server/channels/api4/post.go ("getPost", "postPatchChecks") and server/channels/app/post.go
 * ("CreatePost", "GetSinglePost") of https://github.com/mattermost/mattermost. It was never compared with the real one.
 */

type Request = Omit<ReceivedRequest, 'status' | 'at'>;
type Answer = Exclude<ReturnType<ServiceRules>, undefined>;

export const MATTERMOST_TOKEN = 'abcdefghijklmnopqrstuvwxyz';
/** Another bot's: it may write to the channel, and not change what the first one posted. */
export const OTHER_MATTERMOST_TOKEN = 'zyxwvutsrqponmlkjihgfedcba';
export const MATTERMOST_CHANNEL = '4xp9fdt77pncbef59f4k1qe83o';

const error = (status: number, id: string, message: string): Answer => ({
  status,
  body: JSON.stringify({ id, message, detailed_error: '', status_code: status }),
});
const forbidden = (): Answer =>
  error(403, 'api.context.permissions.app_error', 'You do not have the appropriate permissions.');
const tokenOf = ({ headers }: Request): string => (headers.authorization ?? '').replace('Bearer ', '');
const said = (status: number, body: object): Answer => ({ status, body: JSON.stringify(body) });

/** "The action id must be alphanumeric"; `integration` is kept from clients. */
const action = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9]+$/),
  name: z.string().min(1),
  type: z.literal('button'),
  style: z.enum(['good', 'warning', 'danger', 'default', 'primary', 'success']).optional(),
  integration: z.strictObject({ url: z.url(), context: z.record(z.string(), z.string()) }),
});
const attachment = z.strictObject({
  fallback: z.string(),
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  title: z.string(),
  title_link: z.url().optional(),
  text: z.string(),
  fields: z.array(z.strictObject({ title: z.string(), value: z.string(), short: z.boolean() })),
  actions: z.array(action),
});
/** "props: up to 800,000 characters", a message up to 16,383 (server/public/model/post.go). */
const props = z
  .object({ attachments: z.array(attachment).optional(), alertdesk: z.record(z.string(), z.string()) })
  .refine((value) => JSON.stringify(value).length <= 800_000);
const message = z.string().max(16_383);
const newPost = z.strictObject({ channel_id: z.string(), root_id: z.string().optional(), message, props });
const patch = z.strictObject({ message: message.optional(), props });

interface Post {
  id: string;
  /** The token of the bot that posted it. */
  by: string;
  root_id: string;
  message: string;
  props: z.infer<typeof props>;
  delete_at: number;
  create_at: number;
  update_at: number;
  edits: number;
}

export interface MattermostService {
  rules: ServiceRules;
  posts: Post[];
  users: { id: string; username: string; email: string }[];
  /** The bot was removed from the channel, which is private. */
  isRemoved: boolean;
  /** The time is over for which posts may be edited ("PostEditTimeLimit" of its settings). */
  isClosed: boolean;
  /** Deletes a post, as its author or an administrator of the channel does. */
  remove(post: Post | undefined): void;
  /** What a press of a button of a post sends, as its user. */
  press(post: Post, id: string, userId: string): { url: string; body: object };
}

export function createMattermostService(): MattermostService {
  const service: MattermostService = {
    rules,
    posts: [],
    users: [],
    isRemoved: false,
    isClosed: false,
    remove(post) {
      if (!post) throw new Error('there is no such post');
      const now = Date.now();
      Object.assign(post, { delete_at: now, update_at: now });
    },
    press(post, id, userId) {
      const pressed = post.props.attachments?.[0]?.actions.find((one) => one.id === id);
      if (!pressed) throw new Error(`no button ${id}`);
      const user = service.users.find((one) => one.id === userId);
      return {
        url: pressed.integration.url,
        body: {
          user_id: userId,
          user_name: user?.username ?? '',
          channel_id: MATTERMOST_CHANNEL,
          post_id: post.id,
          trigger_id: '',
          type: 'button',
          context: pressed.integration.context,
        },
      };
    },
  };
  const thereIs = (id: string) => service.posts.find((post) => post.id === id && post.delete_at === 0);
  const newId = (): string => String(service.posts.length + 1).padStart(26, 'p');

  function rules(request: Request): Answer {
    const { pathname, searchParams } = new URL(request.path, 'http://x');
    if (![MATTERMOST_TOKEN, OTHER_MATTERMOST_TOKEN].includes(tokenOf(request))) {
      return error(401, 'api.context.session_expired.app_error', 'Invalid or expired session, please login again.');
    }
    const [, user] = /^\/api\/v4\/users\/(\w+)$/.exec(pathname) ?? [];
    if (user !== undefined) {
      const found = service.users.find(({ id }) => id === user);
      return found ? said(200, found) : error(404, 'app.user.missing_account.const', 'Unable to find the user.');
    }
    const [, channel] = /^\/api\/v4\/channels\/(\w+)\/posts$/.exec(pathname) ?? [];
    if (channel !== undefined) return read(channel, Number(searchParams.get('since')));
    const [, asked] = /^\/api\/v4\/posts\/(\w+)$/.exec(pathname) ?? [];
    if (request.method === 'GET' && asked !== undefined) return look(asked);
    const [, patched] = /^\/api\/v4\/posts\/(\w+)\/patch$/.exec(pathname) ?? [];
    if (request.method === 'PUT' && patched !== undefined) return change(patched, request);
    if (request.method === 'POST' && pathname === '/api/v4/posts') return create(request);
    return error(404, 'api.context.404.app_error', 'Sorry, we could not find the page.');
  }
  function create(request: Request): Answer {
    const parsed = newPost.safeParse(JSON.parse(request.body));
    if (!parsed.success) return error(400, 'api.context.invalid_body_param.app_error', 'Invalid or missing post.');
    const { channel_id: channel, root_id: root = '', message: text, props: extra } = parsed.data;
    if (channel !== MATTERMOST_CHANNEL || service.isRemoved) return forbidden();
    if (text === '' && !extra.attachments)
      return error(400, 'model.post.is_valid.message.app_error', 'Invalid message');
    if (root !== '' && thereIs(root)?.root_id !== '') {
      return error(400, 'api.post.create_post.root_id.app_error', 'Invalid RootId parameter.');
    }
    const now = Date.now();
    const post = {
      id: newId(),
      by: tokenOf(request),
      root_id: root,
      message: text,
      props: extra,
      delete_at: 0,
      create_at: now,
      update_at: now,
      edits: 0,
    };
    service.posts.push(post);
    return said(201, post);
  }
  function change(id: string, request: Request): Answer {
    const parsed = patch.safeParse(JSON.parse(request.body));
    if (!parsed.success) return error(400, 'api.context.invalid_body_param.app_error', 'Invalid or missing post.');
    const post = thereIs(id);
    if (post?.by !== tokenOf(request) || service.isRemoved) return forbidden();
    if (service.isClosed && parsed.data.message !== undefined) {
      const text = 'Post edit is only allowed for 60 seconds. Please ask your System Administrator for details.';
      return error(400, 'api.post.update_post.permissions_time_limit.app_error', text);
    }
    Object.assign(post, { ...parsed.data, update_at: Date.now(), edits: post.edits + 1 });
    return said(200, post);
  }
  function look(id: string): Answer {
    const post = thereIs(id);
    if (!post) return error(404, 'app.post.get.app_error', 'Unable to get the post.');
    return service.isRemoved ? forbidden() : said(200, post);
  }
  function read(channel: string, since: number): Answer {
    if (channel !== MATTERMOST_CHANNEL || service.isRemoved) return forbidden();
    const found = service.posts.filter((post) => post.update_at > since);
    return said(200, {
      order: found.map(({ id }) => id),
      posts: Object.fromEntries(found.map((post) => [post.id, post])),
    });
  }
  return service;
}
