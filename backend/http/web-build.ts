import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Middleware } from 'koa';
import sirv from 'sirv';
import { notFound } from '#backend/endpoint/errors.ts';

/**
 * Serves the web app from its build: assets under names that hold their hash for a year, everything else checked with
 * the server each time, each in the best compression that the browser takes. Any path without a file is a screen of
 * the app.
 *
 * @param folder where the build lies, with `index.html` in it.
 */
export function serveWebBuild(folder: string): Middleware {
  if (!existsSync(join(folder, 'index.html'))) {
    return () => {
      throw notFound('The web app is not built. Run npm start, or npm run build.');
    };
  }
  const serve = sirv(folder, {
    single: true,
    brotli: true,
    gzip: true,
    etag: true,
    ignores: [/^\/assets\//],
    setHeaders: (response, path) => {
      response.setHeader(
        'Cache-Control',
        path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    },
  });
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') throw notFound(`There is nothing at ${ctx.path} to change.`);
    let isMissing = false;
    ctx.status = 200;
    ctx.respond = false;
    serve(ctx.req, ctx.res, () => {
      isMissing = true;
    });
    if (!isMissing) return;
    ctx.respond = true;
    throw notFound(`There is no file ${ctx.path}.`);
  };
}
