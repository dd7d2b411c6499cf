import { PING_CALLS } from '#tests/support/heartbeat-calls.ts';
import { OPSGENIE_CALLS } from '#tests/support/opsgenie-calls.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maskSegments } from '#backend/intake/delivery-log/mask-request.ts';
import { z } from 'zod';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { MIN_PASSWORD_LENGTH } from '#backend/contract/user.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

/** The parts of OpenAPI 3.1 that the document is made of. A part that is missing, mistyped or unknown fails. */
const schema = z.record(z.string(), z.unknown());
const reference = z.strictObject({ $ref: z.string().startsWith('#/components/') });
const header = z.strictObject({ description: z.string(), required: z.boolean().optional(), schema });
const content = z.record(
  z.string().regex(/^[a-z]+\/[a-z+-]+$/),
  z.strictObject({ schema, example: z.unknown().optional() }),
);
const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), header).optional(),
  content: content.optional(),
});
const parameter = z
  .strictObject({
    name: z.string().min(1),
    in: z.enum(['path', 'query', 'header']),
    description: z.string().optional(),
    required: z.boolean().optional(),
    schema,
  })
  .refine(({ in: place, required }) => place !== 'path' || required === true, 'a path parameter is always required');
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  tags: z.tuple([z.string()]),
  summary: z.string().regex(/^[A-Z].*\.$/),
  description: z.string().min(1),
  security: z.array(z.record(z.string(), z.array(z.never()))),
  parameters: z.array(parameter).optional(),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), z.union([reference, response])),
});
const openApi = z.strictObject({
  openapi: z.literal('3.1.1'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.strictObject({ url: z.string(), description: z.string() })),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string().min(1) })),
  paths: z.record(
    z.string().startsWith('/'),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Z][A-Za-z]+$/), schema),
    responses: z.record(z.string(), response),
    securitySchemes: z.record(z.string(), z.looseObject({ type: z.enum(['apiKey', 'http']) })),
  }),
});

let server: TestServer;
let document: z.infer<typeof openApi>;
beforeAll(async () => {
  server = await startTestServer();
  document = openApi.parse(await (await server.anonymous().get('/api/openapi.json')).json());
});
afterAll(() => server.destroy());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => Object.assign(one, { name: `${method.toUpperCase()} ${path}`, path })),
  );

/** Every object in the document, whatever it is. */
function* objects(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Record<string, unknown>;
  for (const part of Object.values(value)) yield* objects(part);
}

describe('the document', () => {
  test('describes every endpoint, the addresses of sources and the live events, and nothing else', () => {
    const declared = server.endpoints.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    const others = [
      'POST /webhook',
      'POST /in/{token}',
      'POST /v2/enqueue',
      'GET /ws',
      ...OPSGENIE_CALLS,
      ...PING_CALLS,
    ];
    expect(
      operations()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual([...declared, ...others].toSorted());
  });

  test('is of the product’s version', () => {
    expect(document.info.version).toBe(PRODUCT_VERSION);
  });

  test('refers to nothing that it lacks, and holds nothing that it does not refer to', () => {
    const referred = new Set<string>();
    for (const { $ref } of objects(document)) if (typeof $ref === 'string') referred.add($ref);
    const defined = (['schemas', 'responses'] as const).flatMap((kind) =>
      Object.keys(document.components[kind]).map((name) => `#/components/${kind}/${name}`),
    );
    expect([...referred].toSorted()).toEqual(defined.toSorted());
  });

  test('names every call once', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test('uses the tags and the security schemes that it explains', () => {
    const tags = new Set(document.tags.map(({ name }) => name));
    const schemes = new Set(Object.keys(document.components.securitySchemes));
    for (const { name, tags: used, security } of operations()) {
      expect([name, used.filter((tag) => !tags.has(tag))]).toEqual([name, []]);
      expect([name, security.flatMap((one) => Object.keys(one)).filter((one) => !schemes.has(one))]).toEqual([
        name,
        [],
      ]);
    }
  });

  test('has for each place in a path its parameter', () => {
    for (const { name, path, parameters = [] } of operations()) {
      const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, place]) => place);
      expect([name, parameters.filter((one) => one.in === 'path').map((one) => one.name)]).toEqual([name, places]);
    }
  });

  test('promises of every call a success, and errors in the form that all have', () => {
    for (const { name, responses } of operations()) {
      expect([name, Object.keys(responses).filter((status) => status < '300').length > 0]).toEqual([name, true]);
      expect([name, '503' in responses]).toEqual([name, true]);
    }
    for (const { content: forms } of Object.values(document.components.responses)) {
      expect(Object.keys(forms ?? {})).toEqual(['text/plain', 'application/problem+json']);
    }
  });

  test('calls objects of several fields by a name (give a new one its own in entities.ts)', () => {
    const unnamed = operations().flatMap(({ name, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)]
        .flatMap((part) => (part && 'content' in part ? Object.values(part.content ?? {}) : []))
        .map(({ schema: answered }) => (answered['items'] ?? answered) as { properties?: object })
        .filter(({ properties }) => Object.keys(properties ?? {}).length > 1)
        .map(({ properties }) => `${name}: ${Object.keys(properties ?? {}).join(', ')}`),
    );
    expect(unnamed).toEqual([]);
  });

  test('says of every new password what the one rule says', () => {
    const schemas = Object.values(document.components.schemas) as {
      properties?: Record<string, { minLength?: number; description?: string }>;
    }[];
    const passwords = schemas
      .flatMap(({ properties = {} }) => Object.entries(properties))
      .filter(([name, { minLength = 0 }]) => /password$/i.test(name) && minLength > 1);
    expect(passwords.length).toBeGreaterThan(3);
    for (const [, { minLength, description }] of passwords) {
      expect([minLength, description]).toEqual([
        MIN_PASSWORD_LENGTH,
        expect.stringContaining(`At least ${MIN_PASSWORD_LENGTH} characters`),
      ]);
    }
  });

  test('asks for the CSRF token wherever the server does', () => {
    const asking = operations().filter(({ security }) => security.some((one) => 'csrfToken' in one));
    expect(asking.map(({ name }) => name).toSorted()).toEqual(
      server.endpoints
        .filter(({ csrf }) => csrf)
        .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
        .toSorted(),
    );
  });

  test('is not sent again to who has it', async () => {
    const client = server.anonymous();
    const etag = (await client.get('/api/openapi.json')).headers.get('ETag') ?? '';
    // fetch would ask for a fresh copy by itself.
    const again = await client.get('/api/openapi.json', { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });
});

describe('its page', () => {
  const FILES = ['docs.css', 'docs.js', 'swagger-ui.css', 'swagger-ui-bundle.js'];

  test('loads files of this server only', async () => {
    const page = await (await server.anonymous().get('/api/docs')).text();
    const addresses = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
    expect(addresses).toEqual(expect.arrayContaining(FILES.map((file) => `/api/docs/${file}`)));
    expect(addresses.filter((address) => !address?.startsWith('/'))).toEqual([]);
    expect(page).not.toMatch(/<script>|<style| on\w+=/);
  });

  test.each(FILES)('gets %s as its type, compressed, and once', async (file) => {
    const first = await fetch(`${server.url}/api/docs/${file}`);
    expect(first.headers.get('Content-Type')).toMatch(
      file.endsWith('.css') ? /^text\/css/ : /javascript; charset=utf-8$/,
    );
    expect(first.headers.get('Content-Encoding')).toBe('gzip');
    expect(first.headers.get('Content-Security-Policy')).toContain("default-src 'self'");
    const plain = await fetch(`${server.url}/api/docs/${file}`, { headers: { 'Accept-Encoding': 'identity' } });
    expect(plain.headers.get('Content-Encoding')).toBeNull();
    expect(await plain.text()).toBe(await first.text());
    const again = await fetch(`${server.url}/api/docs/${file}`, {
      headers: { 'If-None-Match': first.headers.get('ETag') ?? '', 'Cache-Control': 'max-age=0' },
    });
    expect(again.status).toBe(304);
  });

  test.each(['nothing.js', 'swagger-ui.js', 'package.json', '..%2fpackage.json', 'docs.html'])(
    'gives nothing away by the name of %s',
    async (file) => {
      const answer = await fetch(`${server.url}/api/docs/${file}`);
      expect([answer.status, await answer.text()]).toEqual([
        404,
        `There is no call GET ${maskSegments(`/api/docs/${file}`)}.`,
      ]);
    },
  );
});
