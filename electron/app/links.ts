import process from 'node:process';
import { app } from 'electron';
import { LINK_SCHEME } from '#electron/contract.ts';
import { appLinkAmong, readAppLink } from './app-link.ts';

interface LinkParts {
  onLink: (link: { alertId: string }) => void;
  /** The app was started again without a link. */
  onSecondStart: () => void;
}

/** `alertdesk://` links, from wherever they come: this start's arguments, a second start's, or macOS's event. */
export function setupLinks({ onLink, onSecondStart }: LinkParts): void {
  // From the sources the program is Electron itself, and would be registered without its app.
  if (app.isPackaged) app.setAsDefaultProtocolClient(LINK_SCHEME);
  app.on('second-instance', (_, argv) => {
    const link = appLinkAmong(argv);
    if (link) onLink(link);
    else onSecondStart();
  });
  app.on('open-url', (event, url) => {
    event.preventDefault();
    const link = readAppLink(url);
    if (link) onLink(link);
  });
  const link = appLinkAmong(process.argv);
  if (link) onLink(link);
}
