import { expect, onTestFinished, test, vi } from 'vitest';
import type { ServerChoice } from '#electron/contract/server-choice.ts';
import { type Memory, memorySchema } from '#electron/store.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import type { ServerCheck } from './check-server.ts';
import { createServerControl } from './server-control.ts';

const HERE: ServerChoice = { kind: 'this-computer' };
const TEAM: ServerChoice = { kind: 'team-server', url: 'https://alerts.example.com' };
const READY: ServerCheck = { kind: 'ready', version: '1.0.3' };

/** A control whose servers are all there; what it asks next can be kept waiting. */
function openControl(memory: Partial<Memory>, managed?: ServerChoice) {
  let remembered: Memory = { ...memorySchema.parse({}), ...memory };
  const check = vi.fn<(origin: string) => Promise<ServerCheck>>(async () => READY);
  const embedded = {
    start: vi.fn<() => Promise<string>>(async () => 'http://127.0.0.1:4000'),
    stop: vi.fn<() => Promise<void>>(async () => undefined),
    homePath: () => '/',
  };
  const leave = vi.fn<() => Promise<boolean>>(async () => true);
  const addresses = vi.fn<(port: number) => string[]>((port) => [`http://192.0.2.1:${port}`]);
  const control = createServerControl({
    embedded,
    store: { get: () => remembered, change: (part) => void (remembered = { ...remembered, ...part }) },
    check,
    leave,
    managed,
    addresses,
  });
  return { control, check, embedded, leave, addresses, remembered: () => remembered };
}

test('a late answer about a server changes nothing once another one is shown', async () => {
  const { control, check, embedded } = openControl({ server: TEAM, knownServers: [TEAM, HERE] });
  await control.start();
  const { promise: late, resolve: answer } = Promise.withResolvers<ServerCheck>();
  check.mockReturnValueOnce(late);
  const asking = control.isReachable();
  expect(await control.choose(HERE)).toBe(true);
  embedded.stop.mockClear();
  answer({ kind: 'unreachable', reason: 'It does not answer.' });
  expect(await asking).toBe(false);
  expect(control.state.get()).toMatchObject({ phase: 'connected', choice: HERE });
  expect(embedded.stop).not.toHaveBeenCalled();
});

test('a server whose sharing is being changed does not come back once another one was chosen meanwhile', async () => {
  const { control, embedded } = openControl({ server: HERE, knownServers: [TEAM, HERE] });
  await control.start();
  const { promise: isStopped, resolve: stop } = Promise.withResolvers<void>();
  embedded.stop.mockReturnValueOnce(isStopped);
  const sharing = control.share(true);
  await control.choose(TEAM);
  embedded.start.mockClear();
  stop();
  await sharing;
  expect(control.state.get()).toMatchObject({ phase: 'connected', choice: TEAM });
  expect(embedded.start).not.toHaveBeenCalled();
});

test('the server in use comes back from the page with the choice, and after its page crashed; no other does', async () => {
  const { control } = openControl({ server: HERE, knownServers: [HERE] });
  await control.start();
  for (const leave of [() => control.askAgain(), async () => control.pageCrashed()]) {
    await leave();
    expect(control.state.get().phase).not.toBe('connected');
    control.resume();
    await waitFor(() => expect(control.state.get()).toMatchObject({ phase: 'connected', choice: HERE }));
  }

  const first = openControl({}).control;
  await first.start();
  first.resume();
  expect(first.state.get()).toMatchObject({ phase: 'choosing', choice: null });
});

test('an address that has never worked gives way to the server in use; a known server does not', async () => {
  const { control, check } = openControl({ server: HERE, knownServers: [HERE, TEAM] });
  await control.start();
  const away: ServerCheck = { kind: 'unreachable', reason: 'There is no server of this name.' };
  const mistyped: ServerChoice = { kind: 'team-server', url: 'https://alrets.example.com' };
  check.mockResolvedValueOnce(away);
  await control.choose(mistyped);
  expect(control.state.get()).toMatchObject({ phase: 'unreachable', choice: mistyped });
  control.resume();
  await waitFor(() => expect(control.state.get()).toMatchObject({ phase: 'connected', choice: HERE }));

  // It is only away, and is tried again.
  check.mockResolvedValueOnce(away);
  await control.choose(TEAM);
  control.resume();
  expect(control.state.get()).toMatchObject({ phase: 'unreachable', choice: TEAM });
  await control.stop();
});

test('the page of a server that cannot be reached stays as it is while that is tried again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { control, check } = openControl({ server: TEAM, knownServers: [TEAM] });
  check.mockResolvedValueOnce({ kind: 'unreachable', reason: 'It does not answer.' });
  check.mockResolvedValueOnce({ kind: 'unreachable', reason: 'It does not answer.' });
  await control.start();
  const phases: string[] = [];
  control.state.subscribe(({ phase }) => void phases.push(phase));
  await vi.advanceTimersByTimeAsync(15_000);
  expect(check).toHaveBeenCalledTimes(2);
  expect(phases).toEqual(['unreachable']);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(phases).toEqual(['unreachable', 'connected']);
});

test('an update of the data is shown also where the server starts after it could not', async () => {
  const { control, embedded } = openControl({ server: HERE, knownServers: [HERE] });
  embedded.start.mockRejectedValueOnce(new Error('It does not start.'));
  await control.start();
  expect(control.state.get().phase).toBe('unreachable');
  control.updating({ done: 1, total: 2 });
  expect(control.state.get()).toMatchObject({ phase: 'connecting', progress: { done: 1, total: 2 } });
  await control.stop();
});

test('where others reach a shared server follows the network', async () => {
  const { control, addresses } = openControl({ server: HERE, knownServers: [HERE], isShared: true, port: 4000 });
  await control.start();
  expect(control.state.get().sharedAddresses).toEqual(['http://192.0.2.1:4000']);
  addresses.mockImplementation((port) => [`http://198.51.100.7:${port}`]);
  const seen: string[][] = [];
  control.state.subscribe(({ sharedAddresses }) => void seen.push(sharedAddresses));
  control.renewAddresses();
  control.renewAddresses();
  expect(seen).toEqual([['http://192.0.2.1:4000'], ['http://198.51.100.7:4000']]);
  expect(control.state.get().phase).toBe('connected');
});

test('a server that is of another version by now is said to be that, not to be away', async () => {
  const { control, check } = openControl({ server: TEAM, knownServers: [TEAM] });
  await control.start();
  check.mockResolvedValueOnce({ kind: 'mismatch', version: '2.0.0', reason: 'Update this app.' });
  expect(await control.isReachable()).toBe(false);
  expect(control.state.get()).toMatchObject({
    phase: 'mismatch',
    choice: TEAM,
    reason: 'Update this app.',
    serverVersion: '2.0.0',
  });
  await control.stop();
});

test('a choice is refused where the person stays on the page', async () => {
  const { control, leave } = openControl({ server: HERE, knownServers: [TEAM, HERE] });
  await control.start();
  leave.mockResolvedValueOnce(false);
  expect(await control.choose(TEAM)).toBe(false);
  expect(control.state.get()).toMatchObject({ phase: 'connected', choice: HERE });
});

test('a server that is set for the person does not replace their own, which the next plain start goes to', async () => {
  for (const own of [HERE, null]) {
    const { control, remembered } = openControl({ server: own, knownServers: own ? [own] : [] }, TEAM);
    await control.start();
    expect(control.state.get()).toMatchObject({ phase: 'connected', choice: TEAM, isManaged: true });
    expect(remembered()).toMatchObject({ server: own, knownServers: own ? [own, TEAM] : [TEAM] });
    control.forget(TEAM);
    expect(remembered().knownServers).toContainEqual(TEAM);

    const next = openControl(remembered()).control;
    await next.start();
    expect(next.state.get()).toMatchObject({ phase: own ? 'connected' : 'choosing', choice: own, isManaged: false });
  }
});
