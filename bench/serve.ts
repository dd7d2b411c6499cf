/**
 * A server for the bench, in a process of its own: `node --expose-gc serve.ts VARIANT`, configured by the environment
 * as the product is. Its first line of output is its address. Then it answers each line of input with a line of JSON
 * ({@link ServeCommands}); it ends when its input does.
 */
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { UserEntity } from '#backend/identity/users/user.ts';
import { readConfig } from '#backend/server/config.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { startServer } from '#backend/server/server.ts';
import { sessionCookieName } from '#backend/identity/sessions/session-cookies.ts';
import { createSessionStore } from '#backend/identity/sessions/session-store.ts';
import { type ProcessUsage, processUsage } from './processor-time.ts';
import { type DevicesWanted, subscribeDevices } from './subscribe-devices.ts';
import { type TurnTimes, createTurnRecorder } from './turn-times.ts';
import { VARIANTS, isVariant } from './variants.ts';

/** What may be asked of it. */
export interface ServeCommands {
  /** Makes so many members and signs them in; answers their cookies. Past the throttle, which one address soon meets. */
  members(count: number): Promise<string[]>;
  /** Subscribes devices to web push, of new members. */
  subscribe(wanted: DevicesWanted): Promise<void>;
  /** Collects garbage and answers the bytes that the process then holds, and those that its objects take. */
  memory(): Promise<Memory>;
  /** What the process has used so far, with everything that was taken in the search index. */
  usage(): Promise<ProcessUsage>;
  /** The same at this moment, whatever the search index has to do. */
  usageNow(): Promise<ProcessUsage>;
  /** How long the event loop was kept since this was asked last. */
  stalls(): Promise<Stalls>;
  /** The same, turn by turn, since it was asked first. */
  turns(): Promise<Turns>;
}

/** How long the event loop was kept, in milliseconds. */
export interface Stalls {
  /** By the clock, with what other processes had of the processor. */
  longest: number;
  /** The processor time that its thread used at most from one turn to the next. */
  longestWork: number;
}

/** Turns of the event loop, by the clock and by the processor time of its thread. */
export interface Turns {
  clock: TurnTimes;
  work: TurnTimes;
}

export interface Memory {
  held: number;
  used: number;
}

/** Memory goes back to the system a little after the garbage is collected. */
const COLLECTIONS = 5;
const COLLECTION_PAUSE_MS = 200;

const variant = process.argv[2];
if (!isVariant(variant)) throw new Error(`There is no variant ${variant}.`);
const { parts, prepare } = VARIANTS[variant];
const server = await startServer(readConfig(process.env), createLogger('silent'), parts);
await prepare?.(server.database);

/** Every turn since it was asked for: a timer comes each millisecond, or as soon as the event loop is free. */
const recorded = { clock: createTurnRecorder(), work: createTurnRecorder() };
const turns = { lastUse: 0, lastAt: 0, longest: 0, longestWork: 0, timer: undefined as NodeJS.Timeout | undefined };

const usedByThread = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

function watchTurns(): void {
  turns.lastUse = usedByThread();
  turns.lastAt = performance.now();
  turns.timer = setInterval(() => {
    const [used, at] = [usedByThread(), performance.now()];
    const [work, clock] = [used - turns.lastUse, at - turns.lastAt];
    recorded.work.record(work);
    recorded.clock.record(clock);
    turns.longestWork = Math.max(turns.longestWork, work);
    turns.longest = Math.max(turns.longest, clock);
    [turns.lastUse, turns.lastAt] = [used, at];
  }, 1);
}

const sessions = createSessionStore(server.database, createLogger('silent'), readConfig(process.env));
let members = 0;

/** A new member, signed in. */
async function addMember(): Promise<{ cookie: string; actor: Actor }> {
  const id = uuidv7();
  const email = `${id}@bench.local`;
  members += 1;
  const user = {
    id,
    email,
    emailKey: email,
    displayName: `Member ${members}`,
    role: 'user',
    isActive: true,
    isService: false,
    passwordHash: 'nobody signs in with a password',
    passwordChangedAt: null,
    timeFormat: null,
    timeZone: null,
    listOrders: null,
    openGroups: null,
    createdAt: Date.now(),
  } as const;
  await server.database.transaction((tx) => tx.getRepository(UserEntity).insert(user));
  const session = await sessions.create(user, { ip: '127.0.0.1', userAgent: '' });
  const actor = session && (await sessions.find(session.token, null));
  if (!actor) throw new Error('A member of the bench could not sign in.');
  return { cookie: `${sessionCookieName(false)}=${session.token}`, actor };
}

const commands: ServeCommands = {
  async usage() {
    await server.search.settled();
    return processUsage();
  },
  usageNow: async () => processUsage(),
  async stalls() {
    if (!turns.timer) watchTurns();
    const found = { longest: turns.longest, longestWork: turns.longestWork };
    turns.longest = turns.longestWork = 0;
    return found;
  },
  turns: async () => ({ clock: recorded.clock.read(), work: recorded.work.read() }),
  async members(count) {
    const cookies: string[] = [];
    for (let number = 0; number < count; number += 1) cookies.push((await addMember()).cookie);
    return cookies;
  },
  subscribe: (wanted) => subscribeDevices(server.database, async () => (await addMember()).actor, wanted),
  async memory() {
    for (let collection = 0; collection < COLLECTIONS; collection += 1) {
      global.gc?.();
      await wait(COLLECTION_PAUSE_MS);
    }
    const { rss, heapUsed, external } = process.memoryUsage();
    return { held: rss, used: heapUsed + external };
  },
};

function obey(line: string): Promise<unknown> {
  const [name = '', argument = ''] = line.split(' ');
  if (name === 'members') return commands.members(Number(argument));
  if (name === 'subscribe') return commands.subscribe(JSON.parse(argument) as DevicesWanted);
  if (name === 'usage') return commands.usage();
  if (name === 'usageNow') return commands.usageNow();
  if (name === 'stalls') return commands.stalls();
  if (name === 'turns') return commands.turns();
  return commands.memory();
}

console.log(server.url);
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify((await obey(line)) ?? null));
}
await server.stop();
process.exit(0);
