import { expect, test } from 'vitest';
import type { Attention } from '#electron/contract/desktop.ts';
import type { ServerState } from '#electron/contract/server-choice.ts';
import { trayLook, trayTip } from './tray-menu.ts';

test.each<[ServerState['phase'], Attention['connection'], number, string, string]>([
  ['connected', 'connected', 0, 'quiet', 'Alertdesk'],
  ['connected', 'connected', 1, 'unread', 'Alertdesk: 1 new alert'],
  ['connected', 'connecting', 2, 'unread', 'Alertdesk: 2 new alerts'],
  ['connected', 'signed-out', 0, 'signed-out', 'Alertdesk: signed out'],
  ['connected', 'disconnected', 2, 'disconnected', 'Alertdesk: not connected'],
  ['unreachable', 'signed-out', 0, 'disconnected', 'Alertdesk: not connected'],
])(
  'a server that is %s, a page that is %s and %i new alerts are %s: %s',
  (phase, connection, inboxCount, look, tip) => {
    const facts = {
      attention: { inboxCount, connection },
      server: {
        phase,
        choice: { kind: 'this-computer' as const },
        knownServers: [],
        origin: null,
        reason: null,
        serverVersion: null,
        progress: null,
        isManaged: false,
        isShared: false,
        sharedAddresses: [],
      },
      isPaused: false,
      startsWithSystem: false,
    };
    expect([trayLook(facts), trayTip(facts)]).toEqual([look, tip]);
  },
);
