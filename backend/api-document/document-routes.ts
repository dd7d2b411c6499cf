import { hash } from 'node:crypto';
import { z } from 'zod';
import { type Endpoint, endpoint, okJson, okText } from '#backend/endpoint/endpoint.ts';
import { type JsonText, jsonText } from '#backend/endpoint/json-text.ts';
import { apiDocument } from './api-document.ts';
import { readDocsPage } from './docs-assets.ts';

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
      who: 'anyone',
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
      who: 'anyone',
      responses: { 200: 'text/html' },
      handle: async () => okText('text/html', await readDocsPage(), { 'Cache-Control': 'no-cache' }),
    }),
  ];
}
