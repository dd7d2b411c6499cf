import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Middleware } from 'koa';
import sirv, { type RequestHandler } from 'sirv';
import { maskSegments } from '#backend/intake/delivery-log/mask-request.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';

/** A build as it lies on disk: what it holds is read once, and again when another build has taken its place. */
interface ServedBuild {
  builtAt: number;
  serve: RequestHandler;
}

/**
 * Serves the web app from its build: assets under names that hold their hash for a year, everything else checked with
 * the server each time, each in the best compression that the browser takes. Any path without a file is a screen of
 * the app.
 *
 * @param folder where the build lies, with `index.html` in it.
 */
export function serveWebBuild(folder: string): Middleware {
  let build: ServedBuild | undefined;
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw notFound(`There is nothing at ${maskSegments(ctx.path)} to change.`);
    build = readBuild(folder, build);
    let isMissing = false;
    ctx.status = 200;
    ctx.respond = false;
    build.serve(ctx.req, ctx.res, () => {
      isMissing = true;
    });
    if (!isMissing) return;
    ctx.respond = true;
    throw notFound(`There is no file ${ctx.path}.`);
  };
}

function readBuild(folder: string, known: ServedBuild | undefined): ServedBuild {
  const builtAt = statSync(join(folder, 'index.html'), { throwIfNoEntry: false })?.mtimeMs;
  if (builtAt === undefined) throw notFound('The web app is not built. Run npm start, or npm run build.');
  if (known?.builtAt === builtAt) return known;
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
  return { builtAt, serve };
}
