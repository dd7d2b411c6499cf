import { networkInterfaces } from 'node:os';
import {
  type ServerChoice,
  type ServerState,
  type UpdateProgress,
  isSameServer,
} from '#electron/contract/server-choice.ts';
import { type State, createState } from '#electron/state.ts';
import type { Store } from '#electron/store.ts';
import { type ServerCheck, explainFailure } from './check-server.ts';
import type { EmbeddedServer } from './embedded-server.ts';

/** How often a server that cannot be reached is tried again by itself, in milliseconds. */
const RETRY_MS = 15_000;

/** Which server the window shows, and what changes it. */
export interface ServerControl {
  state: State<ServerState>;
  /** Goes to the server that was chosen last, or asks for a choice. */
  start(): Promise<void>;
  /** Shows another server; false when a policy forbids it, or the person stays on the page that is shown. */
  choose(choice: ServerChoice): Promise<boolean>;
  /** Takes a server off the list; the one in use stays. */
  forget(choice: ServerChoice): void;
  /** Shows the page with the choice, unless the person stays on the one that is shown; the present server stays as it is. */
  askAgain(): Promise<void>;
  /** Goes back to the server in use. */
  keep(): Promise<void>;
  /**
   * Goes back to the server in use where its page made way for the choice of another, or crashed too often; also where an
   * address was entered that has never worked. A known server that is away stays chosen.
   */
  resume(): void;
  retry(): Promise<void>;
  /** Asks the server that is shown whether it is still there; false when it is not, and then its page goes. */
  isReachable(): Promise<boolean>;
  share(isShared: boolean): Promise<void>;
  /** Looks again where other machines reach this one, as the network may have changed. */
  renewAddresses(): void;
  /** The page of the server could not be loaded. */
  failedToLoad(error: unknown): void;
  /** Its page crashes again and again: it is not loaded again until somebody wants it. */
  pageCrashed(): void;
  /** The embedded server brings its database up to date. */
  updating(progress: UpdateProgress): void;
  crashed(reason: string): void;
  restarted(): void;
  stop(): Promise<void>;
}

interface Parts {
  embedded: EmbeddedServer;
  store: Store;
  check: (origin: string) => Promise<ServerCheck>;
  /** Leaves the page of a server; false when the person stays on it. */
  leave: () => Promise<boolean>;
  /** The server that a policy or the command line sets: the only one then, and not remembered as the person's own. */
  managed: ServerChoice | undefined;
  /** Where other machines reach a port of this one. */
  addresses?: (port: number) => string[];
}

/** Keeps one state of how it goes with the server; the window, the tray and the pages follow it. */
export function createServerControl(parts: Parts): ServerControl {
  const { embedded, store, check, leave, managed, addresses = networkAddresses } = parts;
  const about = (choice: ServerChoice | null): Omit<ServerState, 'phase'> => {
    const { isShared, port, knownServers } = store.get();
    return {
      choice,
      knownServers,
      origin: null,
      reason: null,
      serverVersion: null,
      progress: null,
      isManaged: managed !== undefined,
      isShared,
      sharedAddresses: choice?.kind === 'this-computer' && isShared && port !== null ? addresses(port) : [],
    };
  };
  const { server: last, knownServers: remembered } = store.get();
  // Versions before 1.0.4 remembered the last one only.
  if (last) store.change({ knownServers: withServer(remembered, last) });
  const chosen = () => managed ?? store.get().server;
  const mayChoose = (choice: ServerChoice) => managed === undefined || isSameServer(choice, managed);
  const state = createState<ServerState>({ phase: 'choosing', ...about(chosen()) });
  let attempt = 0;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;

  const unreachable = (choice: ServerChoice | null, reason: string) => {
    state.set({ phase: 'unreachable', ...about(choice), reason });
    clearTimeout(retryTimer);
    retryTimer = setTimeout(() => void (choice && connect(choice, true)), RETRY_MS);
  };

  const unusable = (choice: ServerChoice, checked: Exclude<ServerCheck, { kind: 'ready' }>) => {
    if (checked.kind === 'unreachable') unreachable(choice, checked.reason);
    else state.set({ phase: 'mismatch', ...about(choice), reason: checked.reason, serverVersion: checked.version });
  };

  /** @param isRetry nobody asked for it: what is shown stays until there is a result, with the focus and what is read out */
  const connect = async (choice: ServerChoice, isRetry = false): Promise<void> => {
    clearTimeout(retryTimer);
    attempt += 1;
    const mine = attempt;
    if (!isRetry) state.set({ phase: 'connecting', ...about(choice) });
    let origin: string;
    try {
      if (choice.kind === 'this-computer') {
        origin = await embedded.start();
      } else {
        origin = choice.url;
        await embedded.stop();
      }
    } catch (error) {
      if (mine === attempt) unreachable(choice, error instanceof Error ? error.message : String(error));
      return;
    }
    const checked = await check(origin);
    // Somebody chose again meanwhile.
    if (mine !== attempt) return;
    if (checked.kind !== 'ready') {
      unusable(choice, checked);
    } else {
      const knownServers = withServer(store.get().knownServers, choice);
      // Remembered only now: an address that was mistyped does not replace the one that works, nor does one that nobody chose.
      store.change(managed ? { knownServers } : { server: choice, knownServers });
      state.set({ phase: 'connected', ...about(choice), origin, serverVersion: checked.version });
    }
  };

  return {
    state,
    async start() {
      const server = chosen();
      // A notification that the app was started by may have asked for another.
      if (server && attempt === 0) await connect(server);
    },
    async choose(choice) {
      if (!mayChoose(choice) || !(await leave())) return false;
      await connect(choice);
      return true;
    },
    forget(choice) {
      const { knownServers } = store.get();
      if (isSameServer(choice, chosen())) return;
      store.change({ knownServers: knownServers.filter((known) => !isSameServer(known, choice)) });
      state.set({ ...state.get(), knownServers: store.get().knownServers });
    },
    async askAgain() {
      if (managed || !(await leave())) return;
      clearTimeout(retryTimer);
      attempt += 1;
      state.set({ phase: 'choosing', ...about(store.get().server) });
    },
    async keep() {
      const server = chosen();
      if (server) await connect(server);
    },
    resume() {
      const { phase, choice, knownServers } = state.get();
      const server = chosen();
      if (!server) return;
      const hasFailed = phase === 'unreachable' || phase === 'mismatch';
      const hasEverWorked = [server, ...knownServers].some((known) => isSameServer(known, choice));
      if (phase === 'choosing' || phase === 'crashed' || (hasFailed && !hasEverWorked)) void connect(server);
    },
    async retry() {
      const { choice } = state.get();
      if (choice) await connect(choice);
    },
    async isReachable() {
      const { phase, choice, origin } = state.get();
      if (phase !== 'connected' || choice === null || origin === null) {
        if (choice) await connect(choice);
        return false;
      }
      const mine = attempt;
      const checked = await check(origin);
      // A late answer says nothing about the server that is shown by then.
      if (mine !== attempt) return false;
      if (checked.kind === 'ready') return true;
      unusable(choice, checked);
      return false;
    },
    async share(isShared) {
      if (store.get().isShared === isShared) return;
      store.change({ isShared });
      const { phase, choice } = state.get();
      const mine = attempt;
      await embedded.stop();
      // It listens elsewhere only after a new start. On the page with the choice that is no reason to leave it.
      if (choice?.kind !== 'this-computer' || mine !== attempt) return;
      await embedded.start();
      if (mine !== attempt) return;
      if (phase === 'choosing') state.set({ phase, ...about(choice) });
      else await connect(choice);
    },
    renewAddresses() {
      const present = state.get();
      state.set({ ...present, sharedAddresses: about(present.choice).sharedAddresses });
    },
    failedToLoad(error) {
      const { choice, origin } = state.get();
      if (origin !== null) unreachable(choice, explainFailure(error, new URL(origin).host));
    },
    pageCrashed() {
      const { choice, origin } = state.get();
      // The app's own page has no other to make way for.
      if (origin === null) return;
      attempt += 1;
      state.set({ phase: 'crashed', ...about(choice), reason: 'It crashed several times within a minute.' });
    },
    updating(progress) {
      const { choice, phase } = state.get();
      const isStarting = phase === 'connecting' || phase === 'unreachable';
      if (isStarting && choice?.kind === 'this-computer')
        state.set({ phase: 'connecting', ...about(choice), progress });
    },
    crashed(reason) {
      const { choice, phase } = state.get();
      if (choice?.kind !== 'this-computer' || phase === 'choosing') return;
      state.set({ phase: 'unreachable', ...about(choice), reason });
    },
    restarted() {
      const { choice, phase } = state.get();
      if (choice?.kind !== 'this-computer' || phase === 'choosing') return;
      void connect(choice);
    },
    async stop() {
      clearTimeout(retryTimer);
      attempt += 1;
      await embedded.stop();
    },
  };
}

/** More than one person has use for, and as many as a menu has space for. */
const MOST_KNOWN = 12;

const withServer = (known: readonly ServerChoice[], choice: ServerChoice): ServerChoice[] =>
  known.some((one) => isSameServer(one, choice)) ? [...known] : [...known, choice].slice(-MOST_KNOWN);

/** Where other machines reach this one. */
const networkAddresses = (port: number): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => `http://${address}:${port}`);
