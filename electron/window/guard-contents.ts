import { type Session, type WebContents, app, shell } from 'electron';
import { SERVER_PAGE_ORIGIN } from '#electron/contract.ts';
import type { Log } from '#electron/logs/logs.ts';
import { externalAddress, originOf } from './addresses.ts';

interface Guard {
  webAppOrigin: () => string | undefined;
  /** Fingerprints of pinned certificates by host, as Electron writes them: `sha256/…`. */
  pinnedCertificates: () => Readonly<Record<string, string>>;
  /** A server sends the window elsewhere while its page is still to come. */
  onRedirectedAway: () => void;
  log: Log;
}

/** What the web app may use. With notifications permitted its switch works as in a browser; they are shown over the bridge. */
const PERMISSIONS = new Set(['clipboard-sanitized-write', 'fullscreen', 'notifications']);

/** Keeps every page that the app ever has to the two origins, and hands the rest of the web to the system's browser. */
export function setupContentGuards(guard: Guard): void {
  app.on('web-contents-created', (_, contents) => guardContents(contents, guard));
}

function guardContents(contents: WebContents, { webAppOrigin, onRedirectedAway, log }: Guard): void {
  const isOwn = (url: string): boolean => {
    const origin = originOf(url);
    return origin !== undefined && (origin === webAppOrigin() || origin === SERVER_PAGE_ORIGIN);
  };
  const openOutside = (url: string): void => {
    const address = externalAddress(url);
    if (address === undefined) log.warn('an address was not opened', { protocol: url.split(':', 1)[0] });
    else void shell.openExternal(address);
  };
  contents.on('will-navigate', (event) => {
    if (isOwn(event.url)) return;
    event.preventDefault();
    openOutside(event.url);
  });
  contents.on('will-redirect', (event) => {
    if (!event.isMainFrame || isOwn(event.url)) return;
    event.preventDefault();
    // A link of the web app's leads outside like any other; a page that was to be loaded is missing.
    if (originOf(contents.mainFrame.url) === webAppOrigin()) openOutside(event.url);
    else onRedirectedAway();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    openOutside(url);
    return { action: 'deny' };
  });
}

/** Permissions, downloads and certificates of the session that all pages share. */
export function guardSession(
  session: Session,
  { webAppOrigin, pinnedCertificates, log }: Omit<Guard, 'onRedirectedAway'>,
): void {
  const mayUse = (permission: string, url: string): boolean =>
    PERMISSIONS.has(permission) && originOf(url) !== undefined && originOf(url) === webAppOrigin();
  session.setPermissionRequestHandler((_, permission, decide, { requestingUrl }) =>
    decide(mayUse(permission, requestingUrl)),
  );
  session.setPermissionCheckHandler((_, permission, requestingOrigin) => mayUse(permission, requestingOrigin));
  session.on('will-download', (event, item) => {
    const from = item.getURL().replace(/^blob:/, '');
    if (originOf(from) === webAppOrigin()) return;
    log.warn('a download was refused', { origin: originOf(from) });
    event.preventDefault();
  });
  session.setCertificateVerifyProc(({ hostname, certificate, verificationResult }, decide) => {
    const isPinned = pinnedCertificates()[hostname] === certificate.fingerprint;
    if (verificationResult !== 'net::OK') log.warn('a certificate is not trusted', { hostname, isPinned });
    // 0: trusted. -3: as Chromium decides.
    decide(isPinned ? 0 : -3);
  });
}
