import process from 'node:process';
import { app } from 'electron';
import { LINK_SCHEME } from '#electron/contract.ts';
import { HIDDEN_SWITCH, type StartRequest, type Task, readLink, readStart } from './app-link.ts';

interface LinkParts {
  onAlert: (alertId: string) => void;
  /** A sign-in in the system's browser has ended. */
  onSignIn: (code: string) => void;
  onTask: (task: Task) => void;
  /** The app was started again, for nothing but its window. */
  onSecondStart: () => void;
  /** The app ends, and the next start does what a second one asks for. */
  leaveToNext: (argv: readonly string[]) => boolean;
}

/** `alertdesk://` links and the jump list, from wherever they come: this start, a second one, or macOS's event. */
export function setupLinks({ onAlert, onSignIn, onTask, onSecondStart, leaveToNext }: LinkParts): void {
  const serve = (request: StartRequest): void => {
    if (request.kind === 'alert') onAlert(request.alertId);
    else if (request.kind === 'signIn') onSignIn(request.code);
    else onTask(request.task);
  };
  // From the sources the program is Electron itself, and would be registered without its app.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  app.on('second-instance', (_, argv) => {
    if (leaveToNext(argv)) return;
    const request = readStart(argv);
    if (request) serve(request);
    else if (!argv.includes(HIDDEN_SWITCH)) onSecondStart();
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = readLink(url);
    if (link) serve(link);
  });
  const request = readStart(process.argv);
  if (request) serve(request);
}
