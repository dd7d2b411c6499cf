import type { WebSocket } from 'ws';
import * as z from 'zod/mini';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { below, json, objectOf } from '#backend/outgoing/destinations/kinds/kind.ts';
import { judgeError } from '#backend/outgoing/destinations/judge-answer.ts';
import { type Post, TOTAL_MS } from '#backend/outgoing/destinations/post.ts';
import { pause } from '#backend/platform/database/repeat.ts';
import { whileSlackWaits } from './slack-requests.ts';

/** A connection that says nothing for so long is dead: Slack sends pings every few seconds. */
const SILENT_MS = 30_000;

/** A connection that Slack is about to close is left open for so long, in milliseconds. */
const CLOSING_MS = 10_000;

/** The first pause before another connection, and the longest, in milliseconds. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/** What comes over the connection (https://docs.slack.dev/apis/events-api/using-socket-mode). */
const envelopeSchema = z.object({
  type: z.string(),
  reason: z.optional(z.string()),
  envelope_id: z.optional(z.string()),
  payload: z.optional(z.unknown()),
});

/** One connection by Socket Mode: it is opened again until it is stopped. */
export interface SlackSocket {
  stop(): Promise<void>;
}

interface SocketDeps {
  post: Pick<Post, 'send' | 'openSocket'>;
  /** A destination of the app, whose app-level token opens the connection. */
  target: Target;
  /** Receives what people press, as JSON; it is acknowledged afterwards. */
  onPayload: (payload: string) => Promise<void>;
  /** The connection stands, or why it does not. */
  onState: (state: { isUp: true } | { isUp: false; reason: string }) => void;
}

/** Why no connection is handed out, and what can be done (https://docs.slack.dev/reference/methods/apps.connections.open). */
const REASONS: Record<string, string> = {
  invalid_auth: 'The app-level token is not right any more. Make another one with the scope connections:write.',
  not_authed: 'The app-level token is not right any more. Make another one with the scope connections:write.',
  token_revoked: 'The app-level token was revoked. Make another one with the scope connections:write.',
  not_allowed_token_type: 'This is no app-level token. It begins with xapp-: Basic Information, App-Level Tokens.',
  missing_scope: 'The app-level token lacks the scope connections:write. Make another one with it.',
  socket_mode_not_enabled: 'Socket Mode is off. Turn it on in the app, under Socket Mode.',
  forbidden_team: 'The workspace does not allow Socket Mode. Ask its administrator.',
};

/** Asks for an address and connects to it, again and again. Slack closes connections now and then, and says so before. */
export function openSlackSocket({ post, target, onPayload, onState }: SocketDeps): SlackSocket {
  const stopping = new AbortController();
  const addressOf = async (): Promise<string> => {
    const request = json(
      below(target.url, 'apps.connections.open'),
      {},
      {
        Authorization: `Bearer ${target.secrets.appToken}`,
      },
    );
    const { status, body } = await post.send(
      request,
      AbortSignal.any([stopping.signal, AbortSignal.timeout(TOTAL_MS)]),
    );
    const { ok, url, error } = objectOf(body) ?? {};
    if (ok === true && typeof url === 'string') return url;
    const name = typeof error === 'string' ? error : String(status);
    throw new Error(REASONS[name] ?? `Slack opens no connection: ${name}.`);
  };
  const run = async (): Promise<void> => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopping.signal.aborted) {
      try {
        const socket = post.openSocket(await addressOf());
        await live(socket, stopping.signal, { onPayload, onUp: () => onState({ isUp: true }) });
        // It stood, and was closed as Slack does: the next follows at once.
        pauseMs = FIRST_PAUSE_MS;
        continue;
      } catch (error) {
        if (stopping.signal.aborted) break;
        onState({ isUp: false, reason: judgeError(error).answer });
      }
      await pause(pauseMs, stopping.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Lives with a connection until it ends. @throws where it broke before it stood, or fell silent */
function live(
  socket: WebSocket,
  stopping: AbortSignal,
  { onPayload, onUp }: Pick<SocketDeps, 'onPayload'> & { onUp: () => void },
): Promise<void> {
  return new Promise((done, failed) => {
    let isUp = false;
    let problem: Error | undefined;
    let silence: NodeJS.Timeout;
    const keepAlive = (): void => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        problem = new Error('The connection to Slack fell silent.');
        socket.terminate();
      }, SILENT_MS).unref();
    };
    const stop = (): void => socket.terminate();
    stopping.addEventListener('abort', stop, { once: true });
    keepAlive();
    const take = async (text: string): Promise<void> => {
      const parsed = envelopeSchema.safeParse(objectOf(text));
      if (!parsed.success) return;
      const { type, reason, envelope_id: id, payload } = parsed.data;
      if (type === 'hello') {
        isUp = true;
        onUp();
      }
      if (type === 'disconnect' && reason === 'link_disabled') {
        problem = new Error(REASONS['socket_mode_not_enabled']);
        socket.close();
      } else if (type === 'disconnect') {
        // It closes in about 10 seconds: another one is opened before, so that no press is lost between them.
        done();
        setTimeout(() => socket.close(), CLOSING_MS).unref();
      }
      if (id === undefined) return;
      if (type === 'interactive') {
        await whileSlackWaits(onPayload(JSON.stringify(payload)));
      }
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ envelope_id: id }));
    };
    socket.on('ping', keepAlive);
    socket.on('message', (data) => {
      keepAlive();
      // Texts come whole, as one buffer.
      void take(String(data as Buffer)).catch(() => undefined);
    });
    socket.on('error', (error) => (problem ??= error));
    socket.on('close', () => {
      clearTimeout(silence);
      stopping.removeEventListener('abort', stop);
      if (isUp && problem === undefined) done();
      else failed(problem ?? new Error('Slack closed the connection before it stood.'));
    });
  });
}
