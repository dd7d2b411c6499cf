import { hash } from 'node:crypto';
import { z } from 'zod';
import { type Endpoint, endpoint, okJson, okText } from '#backend/platform/endpoint/endpoint.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import { apiDocument } from './api-document.ts';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Middleware } from 'koa';

/**
 * The API's document, for programs and for people.
 *
 * @param endpoints every call of the API, these among them; asked when the document is first wanted.
 */
export function documentRoutes(endpoints: () => readonly Endpoint[]): Endpoint[] {
  let made: { json: JsonText; etag: string } | undefined;
  const make = () => {
    const json = jsonText(JSON.stringify(apiDocument(endpoints())));
    return { json, etag: `W/"${hash('sha256', json)}"` };
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/openapi.json',
      tag: 'server',
      summary: 'This document, as OpenAPI has it.',
      access: 'anyone',
      responses: { 200: z.record(z.string(), z.unknown()) },
      handle: async () => {
        const { json, etag } = (made ??= make());
        return okJson(json, { ETag: etag, 'Cache-Control': 'no-cache' });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/docs',
      tag: 'server',
      summary: 'This document as a page to read, on which calls can be tried.',
      access: 'anyone',
      responses: { 200: 'text/html' },
      handle: async () => okText('text/html', await readDocsPage(), { 'Cache-Control': 'no-cache' }),
    }),
  ];
}

/** Where the page's own files lie. */
const PAGE = fileURLToPath(new URL('page', import.meta.url));

interface Asset {
  plain: Buffer;
  compressed: Buffer;
  etag: string;
}

/** The page itself. */
export const readDocsPage = (): Promise<string> => readFile(join(PAGE, 'docs.html'), 'utf8');

/** Serves the few files that the page needs, Swagger UI's out of its package. They are read when first asked for. */
export function serveDocsAssets(): Middleware {
  const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  const files = new Map([
    ['/api/docs/docs.css', join(PAGE, 'docs.css')],
    ['/api/docs/docs.js', join(PAGE, 'docs.js')],
    ['/api/docs/swagger-ui.css', join(swaggerUi, 'swagger-ui.css')],
    ['/api/docs/swagger-ui-bundle.js', join(swaggerUi, 'swagger-ui-bundle.js')],
  ]);
  const assets = new Map<string, Asset>();
  return async (ctx, next) => {
    const file = files.get(ctx.path);
    if (!file || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const asset = assets.get(file) ?? (await readAsset(file));
    assets.set(file, asset);
    ctx.status = 200;
    ctx.set({ ETag: asset.etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' });
    ctx.type = extname(file);
    if (ctx.fresh) {
      ctx.status = 304;
    } else if (ctx.acceptsEncodings('gzip', 'identity') === 'gzip') {
      ctx.set('Content-Encoding', 'gzip');
      ctx.body = asset.compressed;
    } else {
      ctx.body = asset.plain;
    }
  };
}

async function readAsset(file: string): Promise<Asset> {
  const plain = await readFile(file);
  return { plain, compressed: await promisify(gzip)(plain), etag: `W/"${hash('sha256', plain)}"` };
}
