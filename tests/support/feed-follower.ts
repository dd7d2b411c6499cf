import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { changesSchema } from '#backend/contract/change.ts';
import { type LiveEvent, liveFrameSchema } from '#backend/contract/live-event.ts';
import { createCatchUp } from '#renderer/live/catch-up.ts';
import type { TestClient } from './test-client.ts';

/** Every alert that there is, by its id. */
export async function readAllAlerts(person: TestClient): Promise<Map<string, Alert>> {
  const alerts = new Map<string, Alert>();
  for (let path: string | undefined = '/api/alerts/all?limit=500'; path;) {
    const answer: Response = await person.get(path);
    for (const alert of alertListSchema.parse(await answer.json())) alerts.set(alert.id, alert);
    path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
  }
  return alerts;
}

/** Between two attempts to connect, in milliseconds. */
const AGAIN_MS = 150;

/** What a page knows that stays open whatever happens to its servers. */
export interface FeedFollower {
  /** The versions of alerts as events brought them; Infinity of those that were deleted. */
  readonly versions: ReadonlyMap<string, number>;
  /** Connections that there were, and how often it asked for what it had missed. */
  readonly connections: number;
  readonly asked: number;
  /** Bytes of the answers to that, without headers. */
  readonly askedBytes: number;
  /** Greetings after which everything is to be read again; the first is one. */
  readonly readings: number;
  /** Ids of alerts that were announced as new, as often as that was. */
  readonly announced: readonly string[];
  /** Whether nothing has come since it was sent its place. */
  readonly isPlaced: boolean;
  /** Loses its connection, and connects again when it comes back. */
  leave(): void;
  comeBack(): void;
  close(): void;
}

/**
 * Follows what changes as the web app does, with the same code, but knows versions alone.
 *
 * @param personAt the signed-in person at a server that may be there, asked before each connection
 */
export function followFeed(personAt: () => TestClient): FeedFollower {
  const versions = new Map<string, number>();
  const announced: string[] = [];
  /** Notes a version, unless a newer one is known. Returns whether it did. */
  const note = (id: string, version: number): boolean => {
    const isNews = version >= (versions.get(id) ?? 0);
    if (isNews) versions.set(id, version);
    return isNews;
  };
  let [connections, asked, askedBytes, readings] = [0, 0, 0, 0];
  let isClosed = false;
  let [isAway, isPlaced] = [false, false];
  let socket: WebSocket | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** As a page does, whatever is away meanwhile. */
  const untilRead = async (): Promise<Map<string, Alert>> => {
    const alerts = await readAllAlerts(personAt()).catch(() => undefined);
    if (alerts || isClosed) return alerts ?? new Map();
    await delay(AGAIN_MS);
    return untilRead();
  };
  const readAgain = async (): Promise<void> => {
    readings += 1;
    const alerts = await untilRead();
    for (const { id, version } of alerts.values()) note(id, version);
  };
  const apply = (event: LiveEvent): void => {
    if (event.type === 'hello') void readAgain();
    else if (event.type === 'alert_deleted') note(event.alertId, Infinity);
    else if (event.type === 'alert_accepted') note(event.alertId, event.version ?? 0);
    else if (event.type === 'alerts_changed') {
      for (const [at, id] of event.alertIds.entries()) note(id, event.versions?.[at] ?? Infinity);
    } else if ('alert' in event) {
      const isNews = note(event.alert.id, event.alert.version);
      if (isNews && event.type === 'new_alert') announced.push(event.alert.id);
    }
  };
  const catchUp = createCatchUp({
    ask: async (since, signal) => {
      asked += 1;
      const person = personAt();
      const path = `${person.url}/api/changes?${new URLSearchParams({ since })}`;
      const response = await fetch(path, { headers: { Cookie: person.cookieHeader }, signal });
      const text = await response.text();
      askedBytes += Buffer.byteLength(text);
      return changesSchema.parse(JSON.parse(text));
    },
    deliver: (events) => events.forEach(apply),
    asking: () => undefined,
    ended: () => undefined,
  });
  const open = (): void => {
    const person = personAt();
    const current = new WebSocket(`${person.url.replace('http', 'ws')}/ws?batch=1&places=1`, {
      headers: { Cookie: person.cookieHeader },
    });
    socket = current;
    current.on('open', () => (connections += 1));
    current.on('message', (data: Buffer) => {
      const messages = liveFrameSchema.parse(JSON.parse(data.toString()));
      isPlaced = messages.at(-1)?.type === 'place';
      catchUp.receive(messages.filter((message) => message.type !== 'pong'));
    });
    current.on('error', () => undefined);
    current.on('close', () => {
      catchUp.lost();
      if (!isClosed && !isAway) timer = setTimeout(open, AGAIN_MS);
    });
  };
  open();
  return {
    versions,
    announced,
    get connections() {
      return connections;
    },
    get asked() {
      return asked;
    },
    get askedBytes() {
      return askedBytes;
    },
    get readings() {
      return readings;
    },
    get isPlaced() {
      return isPlaced;
    },
    leave() {
      isAway = true;
      socket?.terminate();
    },
    comeBack() {
      isAway = false;
      open();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      catchUp.close();
      socket?.terminate();
    },
  };
}
