import {
  type ConnectionState,
  DestinationEntity,
  type Target,
} from '#backend/outgoing/destinations/destination-entity.ts';
import type { Post } from '#backend/outgoing/destinations/post.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { ChatPresses } from './chat-presses.ts';
import { readSlackPress } from './slack-requests.ts';
import { type SlackSocket, openSlackSocket } from './slack-socket.ts';

/** How often changed destinations are polled, in milliseconds. */
const POLL_MS = 2_000;

/** Dependencies of connections by which presses of buttons come, on the server that leads. */
export interface FollowPressesDeps {
  /** Its transactions hold the lease. */
  database: Database;
  logger: Logger;
  post: Pick<Post, 'send' | 'openSocket'>;
  presses: ChatPresses;
}

interface OpenSocket {
  socket: SlackSocket;
  /** Destinations whose presses come by it. */
  ids: Set<string>;
}

/** Keeps one connection for each app of Slack, whatever the number of its channels. */
export function followPresses({ database, logger, post, presses }: FollowPressesDeps): Repeating {
  const open = new Map<string, OpenSocket>();
  let known = '';

  const keepState = async (ids: Iterable<string>, state: ConnectionState): Promise<void> => {
    await database.transaction(async (tx) => {
      for (const id of ids) {
        await tx.getRepository(DestinationEntity).update({ id }, { connection: JSON.stringify(state) });
      }
      announce(tx, { type: 'outgoing_changed' });
    });
  };

  const onStoreError = (error: unknown): void =>
    logger.warn({ err: error }, 'the state of a connection to Slack could not be stored');

  const start = (name: string, target: Target, ids: Set<string>): void => {
    let last = '';
    const socket = openSlackSocket({
      post,
      target,
      async onPayload(payload) {
        const press = readSlackPress(payload);
        const pressed = press && (await presses.findTarget(press.destinationId));
        // Its button must be of this very app.
        if (press && pressed && nameOf(pressed) === name) await presses.pressSlack(pressed, press, '');
      },
      onState(state) {
        const text = JSON.stringify(state);
        if (text === last) return;
        last = text;
        keepState(ids, { ...state, since: Date.now() }).catch(onStoreError);
      },
    });
    open.set(name, { socket, ids });
  };

  const look = async (): Promise<void> => {
    const rows: { id: string; version: unknown; paused: unknown }[] = await database.reads.query(
      "SELECT id, version, paused_at AS paused FROM outgoing_destinations WHERE kind = 'slack-bot' ORDER BY id",
    );
    const mark = JSON.stringify(rows);
    if (mark === known) return;
    const wanted = new Map<string, { target: Target; ids: Set<string> }>();
    for (const { id, paused } of rows) {
      const target = paused === null ? await presses.findTarget(id) : undefined;
      if (target?.secrets.appToken === undefined) continue;
      const name = nameOf(target);
      const same = wanted.get(name) ?? { target, ids: new Set() };
      same.ids.add(id);
      wanted.set(name, same);
    }
    for (const [name, { socket, ids }] of open) {
      const same = wanted.get(name);
      if (same && same.ids.size === ids.size && same.ids.isSubsetOf(ids)) continue;
      open.delete(name);
      await socket.stop();
    }
    for (const [name, { target, ids }] of wanted) if (!open.has(name)) start(name, target, ids);
    known = mark;
  };

  const looking = startRepeating(look, {
    intervalMs: POLL_MS,
    onError: (error) =>
      logger.error({ err: error }, 'connections to chats could not be opened; the next attempt follows'),
  });
  return {
    async stop() {
      await looking.stop();
      await Promise.all([...open.values()].map(({ socket }) => socket.stop()));
    },
  };
}

const nameOf = ({ url, secrets }: Target): string => `${url} ${secrets.appToken}`;
