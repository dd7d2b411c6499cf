import type { MenuItemConstructorOptions } from 'electron';
import { type ServerChoice, type ServerState, isSameServer } from '#electron/contract/server-choice.ts';

/** A server, as people call it. */
export function serverName(choice: ServerChoice | null): string {
  if (!choice) return 'none yet';
  return choice.kind === 'this-computer' ? 'this computer' : new URL(choice.url).host;
}

interface ServerActions {
  changeServer(): void;
  switchServer(choice: ServerChoice): void;
}

/** Whether there is more than one to switch between. */
export const canSwitch = ({ knownServers, isManaged }: ServerState): boolean => knownServers.length > 1 && !isManaged;

/** An entry for each known server, the one in use marked, and an entry to add another. */
export const serverSwitches = (
  { choice, knownServers }: ServerState,
  actions: ServerActions,
): MenuItemConstructorOptions[] => [
  ...knownServers.map((known) => ({
    label: serverName(known),
    type: 'radio' as const,
    checked: isSameServer(known, choice),
    click: () => actions.switchServer(known),
  })),
  { type: 'separator' },
  { label: 'Change server…', click: () => actions.changeServer() },
];
