import { expect, onTestFinished, test, vi } from 'vitest';
import type { Attention, NotificationAction } from '#electron/contract/desktop.ts';
import type { ServerChoice, ServerState } from '#electron/contract/server-choice.ts';
import { createState } from '#electron/state.ts';
import { createPendingActions } from './pending-actions.ts';

const ONE: ServerChoice = { kind: 'team-server', url: 'https://one.example.com' };
const TWO: ServerChoice = { kind: 'team-server', url: 'https://two.example.com' };
const ACCEPT: NotificationAction = { button: 'accept', tag: 'tag' };
const SIGNED_IN: Attention = { inboxCount: 1, connection: 'connected' };
const NOBODY: Attention = { inboxCount: 0, connection: 'signed-out' };

const at = (choice: ServerChoice, phase: ServerState['phase'] = 'connected'): ServerState => ({
  phase,
  choice,
  knownServers: [ONE, TWO],
  origin: null,
  reason: null,
  serverVersion: null,
  progress: null,
  isManaged: false,
  isShared: false,
  sharedAddresses: [],
});

/** The app, signed in to the first server, and what it has sent to whose page. */
function openApp() {
  const server = createState(at(ONE));
  const attention = createState<Attention>(SIGNED_IN);
  const sent: [NotificationAction, ServerChoice | null][] = [];
  const dropped: [NotificationAction, ServerChoice | null][] = [];
  const onSignedOut = vi.fn<() => void>();
  const actions = createPendingActions({
    server,
    attention,
    send: (action) => void sent.push([action, server.get().choice]),
    onDropped: (action, from) => void dropped.push([action, from]),
    onSignedOut,
  });
  return { server, attention, sent, dropped, onSignedOut, actions };
}

test('an action runs once, on the server that its notification came from, once somebody is signed in there', () => {
  const { server, attention, sent, actions } = openApp();
  void actions.add(ACCEPT, TWO, Promise.withResolvers<boolean>().promise);
  expect(sent).toEqual([]);

  // The page of the first server reports until it is left.
  attention.set({ ...SIGNED_IN, inboxCount: 2 });
  server.set(at(TWO, 'connecting'));
  attention.set(NOBODY);
  server.set(at(TWO));
  expect(sent).toEqual([]);
  attention.set(SIGNED_IN);
  expect(sent).toEqual([[ACCEPT, TWO]]);
  attention.set({ ...SIGNED_IN, inboxCount: 0 });
  expect(sent).toHaveLength(1);
});

test('an action is dropped where the window does not go to its server, and none is where it stays', async () => {
  const { server, attention, sent, dropped, actions } = openApp();
  await actions.add(ACCEPT, TWO, Promise.resolve(false));
  expect(dropped).toEqual([[ACCEPT, TWO]]);
  server.set(at(TWO));
  attention.set({ ...SIGNED_IN, inboxCount: 2 });
  expect(sent).toEqual([]);

  attention.set(NOBODY);
  await actions.add(ACCEPT, TWO, Promise.resolve(true));
  attention.set(SIGNED_IN);
  await actions.add(ACCEPT, null, Promise.resolve(true));
  expect(sent).toEqual([
    [ACCEPT, TWO],
    [ACCEPT, TWO],
  ]);
  expect(dropped).toHaveLength(1);
});

test('an action is dropped when the window goes to another server before it could run', () => {
  const { server, attention, sent, dropped, actions } = openApp();
  void actions.add(ACCEPT, TWO, Promise.resolve(true));
  server.set(at(TWO, 'connecting'));
  attention.set(NOBODY);
  server.set(at(TWO, 'unreachable'));
  server.set(at(ONE, 'connecting'));
  expect(dropped).toEqual([[ACCEPT, TWO]]);
  server.set(at(ONE));
  attention.set(SIGNED_IN);
  server.set(at(TWO, 'connecting'));
  attention.set(NOBODY);
  server.set(at(TWO));
  attention.set(SIGNED_IN);
  expect(sent).toEqual([]);
});

test('an action is dropped where nobody is signed in within two minutes', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { attention, sent, dropped, actions } = openApp();
  attention.set(NOBODY);
  void actions.add(ACCEPT, ONE, Promise.resolve(true));
  vi.advanceTimersByTime(60_000);
  void actions.add({ ...ACCEPT, tag: 'later' }, ONE, Promise.resolve(true));
  expect(dropped).toEqual([]);
  vi.advanceTimersByTime(60_000);
  expect(dropped).toEqual([[ACCEPT, ONE]]);
  attention.set(SIGNED_IN);
  expect(sent.map(([{ tag }]) => tag)).toEqual(['later']);
  vi.advanceTimersByTime(60_000);
  expect(dropped).toHaveLength(1);
});

test('the window comes up where nobody is signed in on the server of an action', () => {
  const { server, attention, onSignedOut, actions } = openApp();
  void actions.add(ACCEPT, ONE, Promise.resolve(true));
  attention.set(NOBODY);
  server.set(at(ONE, 'connecting'));
  void actions.add(ACCEPT, ONE, Promise.resolve(true));
  server.set(at(ONE));
  void actions.add(ACCEPT, TWO, Promise.resolve(true));
  expect(onSignedOut).not.toHaveBeenCalled();
  void actions.add(ACCEPT, null, Promise.resolve(true));
  expect(onSignedOut).toHaveBeenCalledOnce();
});
