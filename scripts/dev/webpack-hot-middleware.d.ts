/** The package has no types of its own; this is what we use of it. */
declare module 'webpack-hot-middleware' {
  import type { IncomingMessage, ServerResponse } from 'node:http';
  import type { Compiler, MultiCompiler } from 'webpack';

  interface HotMiddleware {
    (request: IncomingMessage, response: ServerResponse, next: () => void): void;
    close(): void;
  }

  export default function webpackHotMiddleware(
    compiler: Compiler | MultiCompiler,
    options?: { log?: false; path?: string },
  ): HotMiddleware;
}
