import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { protocol } from 'electron';
import { LOCAL_SCHEME, SERVER_PAGE_ORIGIN } from '#electron/contract.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.map': 'application/json',
};

/** The page shows what is bundled with it and talks to nobody. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types alertdesk',
].join('; ');

/** Makes the scheme a proper origin; before the app is ready. */
export function registerLocalScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: LOCAL_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
}

/** Serves the app's own page from the folder that was built with the app; nothing else on the disk can be reached. */
export function setupServerPage(folder: string): void {
  protocol.handle(LOCAL_SCHEME, async ({ url, method }) => {
    const { host, pathname } = new URL(url);
    if (method !== 'GET' || `${LOCAL_SCHEME}://${host}` !== SERVER_PAGE_ORIGIN)
      return new Response(null, { status: 404 });
    const file = join(folder, decodeURIComponent(pathname === '/' ? '/index.html' : pathname));
    const type = TYPES[extname(file)];
    if (type === undefined || !file.startsWith(folder + sep)) return new Response(null, { status: 404 });
    try {
      return new Response(new Uint8Array(await readFile(file)), {
        headers: { 'content-type': type, 'content-security-policy': POLICY, 'x-content-type-options': 'nosniff' },
      });
    } catch {
      return new Response(null, { status: 404 });
    }
  });
}
