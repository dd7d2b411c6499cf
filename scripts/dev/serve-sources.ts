import type { Middleware } from 'koa';
import type { MultiCompiler } from 'webpack';
import devMiddleware from 'webpack-dev-middleware';
import hotMiddleware from 'webpack-hot-middleware';

const HOT_PATH = '/__webpack_hmr';

/** The web app as Koa serves it in development, and how to end it. */
interface SourcesServer {
  middleware: Middleware;
  close(): void;
}

/**
 * Serves the web app from its sources: built in memory, built again at each change, which the browser takes in place.
 * As with the build, any path without a file is a screen of the app.
 */
export function serveSources(compiler: MultiCompiler): SourcesServer {
  const hot = hotMiddleware(compiler, { log: false, path: HOT_PATH });
  const serve = devMiddleware.koaWrapper(compiler, { stats: 'errors-warnings' });
  return {
    middleware: async (ctx) => {
      if (ctx.path === HOT_PATH) {
        ctx.respond = false;
        hot(ctx.req, ctx.res, () => ctx.res.writeHead(404).end());
        return;
      }
      // The overlay of errors writes markup with styles.
      ctx.set('Content-Security-Policy', "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'");
      await serve(ctx, async () => {
        if (ctx.path.startsWith('/assets/')) return;
        ctx.req.url = '/index.html';
        await serve(ctx, () => undefined);
      });
    },
    close() {
      hot.close();
      serve.devMiddleware.close(() => undefined);
    },
  };
}
