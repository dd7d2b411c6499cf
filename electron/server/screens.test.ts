import { expect, test, vi } from 'vitest';
import type { ServerChoice } from '#electron/contract/server-choice.ts';
import { memorySchema } from '#electron/store.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createScreens } from './screens.ts';
import { createServerControl } from './server-control.ts';

const TEAM: ServerChoice = { kind: 'team-server', url: 'https://alerts.example.com' };
const OLD: ServerChoice = { kind: 'team-server', url: 'https://alerts.old.example.com' };

/** The app, connected to the team's server, which a policy may set; another one was used before. */
async function openScreens(managed?: ServerChoice) {
  let memory = memorySchema.parse({ server: TEAM, knownServers: [OLD, TEAM] });
  const server = createServerControl({
    embedded: { start: async () => '', stop: async () => undefined, homePath: () => '/' },
    store: { get: () => memory, change: (part) => void (memory = { ...memory, ...part }) },
    check: async () => ({ kind: 'ready', version: '1.0.3' }),
    leave: async () => true,
    managed,
  });
  await server.start();
  const opened: [string, ServerChoice | null][] = [];
  const forbidden: ServerChoice[] = [];
  const bringUp = vi.fn<() => void>();
  const screens = createScreens({
    server,
    window: { bringUp, goTo: (path, of) => void opened.push([path, of]) },
    onForbidden: (from) => void forbidden.push(from),
  });
  return { server, screens, opened, forbidden, bringUp };
}

test('a screen of another server than the one that a policy sets is not opened on that one, which is said', async () => {
  const { server, screens, opened, forbidden, bringUp } = await openScreens(TEAM);
  screens.goTo('/alert/old', OLD);
  expect(bringUp).toHaveBeenCalledOnce();
  expect([opened, forbidden]).toEqual([[], [OLD]]);
  screens.goTo('/alert/team', TEAM);
  screens.goTo('/my-alerts');
  expect(opened).toEqual([
    ['/alert/team', TEAM],
    ['/my-alerts', TEAM],
  ]);
  expect(forbidden).toHaveLength(1);
  expect(server.state.get()).toMatchObject({ phase: 'connected', choice: TEAM });
});

test('a screen of another server that was used before opens there', async () => {
  const { server, screens, opened, forbidden } = await openScreens();
  screens.goTo('/alert/old', OLD);
  expect([opened, forbidden]).toEqual([[['/alert/old', OLD]], []]);
  await waitFor(() => expect(server.state.get()).toMatchObject({ phase: 'connected', choice: OLD }));
});
