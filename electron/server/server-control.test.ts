import { expect, test, vi } from 'vitest';
import type { ServerChoice } from '#electron/contract/server-choice.ts';
import { type Memory, memorySchema } from '#electron/store.ts';
import type { ServerCheck } from './check-server.ts';
import { createServerControl } from './server-control.ts';

const HERE: ServerChoice = { kind: 'this-computer' };
const TEAM: ServerChoice = { kind: 'team-server', url: 'https://alerts.example.com' };
const READY: ServerCheck = { kind: 'ready', version: '1.0.3' };

/** A control whose servers are all there; what it asks next can be kept waiting. */
function openControl(memory: Partial<Memory>) {
  let remembered: Memory = { ...memorySchema.parse({}), ...memory };
  const check = vi.fn<(origin: string) => Promise<ServerCheck>>(async () => READY);
  const embedded = {
    start: vi.fn<() => Promise<string>>(async () => 'http://127.0.0.1:4000'),
    stop: vi.fn<() => Promise<void>>(async () => undefined),
    homePath: () => '/',
  };
  const leave = vi.fn<() => Promise<boolean>>(async () => true);
  const control = createServerControl({
    embedded,
    store: { get: () => remembered, change: (part) => void (remembered = { ...remembered, ...part }) },
    check,
    leave,
    managed: undefined,
  });
  return { control, check, embedded, leave };
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

test('a choice is refused where the person stays on the page', async () => {
  const { control, leave } = openControl({ server: HERE, knownServers: [TEAM, HERE] });
  await control.start();
  leave.mockResolvedValueOnce(false);
  expect(await control.choose(TEAM)).toBe(false);
  expect(control.state.get()).toMatchObject({ phase: 'connected', choice: HERE });
});
