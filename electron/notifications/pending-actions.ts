import type { Attention, NotificationAction } from '#electron/contract/desktop.ts';
import { type ServerChoice, type ServerState, isSameServer } from '#electron/contract/server-choice.ts';
import type { State } from '#electron/state.ts';

/** What was pressed longer ago is not wanted any more, in milliseconds: whoever signs in by then may be somebody else. */
const WAIT_MS = 2 * 60_000;

/** Buttons of notifications that were pressed and have not run yet. */
export interface PendingActions {
  /**
   * Runs an action on the server that its notification came from, once somebody is signed in there. It is dropped where that
   * takes longer than {@link WAIT_MS}, and when the window goes to another server: what is dropped is reported.
   *
   * @param from null where the notification names no server: the one in use
   * @param isChosen whether the window goes to that server; when it does not, the action is dropped
   */
  add(action: NotificationAction, from: ServerChoice | null, isChosen: Promise<boolean>): Promise<void>;
}

interface PendingActionsDeps {
  server: State<ServerState>;
  /** What the page reports; connecting while no page listens. */
  attention: State<Attention>;
  send: (action: NotificationAction) => void;
  /** The action was dropped: nothing was done. */
  onDropped: (action: NotificationAction, from: ServerChoice | null) => void;
  /** The page of the action's server is there, and nobody is signed in on it. */
  onSignedOut: () => void;
}

/** Keeps actions until the page of their server listens: the app may be started by one, and may show another server. */
export function createPendingActions(deps: PendingActionsDeps): PendingActions {
  const { server, attention, send } = deps;
  interface Entry {
    action: NotificationAction;
    from: ServerChoice | null;
    pressedAt: number;
  }
  let pending: readonly Entry[] = [];
  const drop = (isMeant: (entry: Entry) => boolean) => {
    const dropped = pending.filter((entry) => isMeant(entry));
    pending = pending.filter((entry) => !dropped.includes(entry));
    for (const { action, from } of dropped) deps.onDropped(action, from);
  };
  const dropOld = () => drop(({ pressedAt }) => Date.now() - pressedAt >= WAIT_MS);
  const sendReady = () => {
    const { phase, choice } = server.get();
    if (phase !== 'connected' || attention.get().connection !== 'connected') return;
    // A machine that slept has late timers.
    dropOld();
    const ready = pending.filter(({ from }) => isSameServer(from, choice));
    pending = pending.filter((entry) => !ready.includes(entry));
    for (const { action } of ready) send(action);
  };
  attention.subscribe(sendReady);
  let shown = server.get().choice;
  server.subscribe(({ choice }) => {
    if (isSameServer(choice, shown)) return;
    shown = choice;
    drop(({ from }) => !isSameServer(from, choice));
  });
  return {
    async add(action, from, isChosen) {
      const { phase, choice } = server.get();
      const entry: Entry = { action, from: from ?? choice, pressedAt: Date.now() };
      pending = [...pending, entry];
      setTimeout(dropOld, WAIT_MS).unref();
      sendReady();
      const isThere = phase === 'connected' && isSameServer(entry.from, choice);
      if (isThere && attention.get().connection === 'signed-out') deps.onSignedOut();
      if (!(await isChosen)) drop((one) => one === entry);
    },
  };
}
