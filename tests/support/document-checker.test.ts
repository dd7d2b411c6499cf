import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiDocument } from '#backend/http/api-document/api-document.ts';
import { customerSchema } from '#backend/contract/mute.ts';
import { endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { type Answer, compileDocument, createDocumentChecker } from './document-checker.ts';

const said = { tag: 'customers', summary: 'A call.', access: 'anyone' } as const;
const document = compileDocument(
  apiDocument([
    endpoint({
      ...said,
      method: 'GET',
      path: '/api/things/:id',
      params: z.object({ id: z.string() }),
      responses: { 200: z.array(customerSchema) },
      responseHeaders: ['X-Total-Count'],
      handle: async () => ok([]),
    }),
    endpoint({
      ...said,
      method: 'GET',
      path: '/api/things/none',
      responses: { 204: 'no content' },
      handle: async () => noContent(),
    }),
  ]),
);

const customer = { id: 'c', name: 'Nordwind', lastSeenAt: '2026-11-21T09:00:00.000Z' };
const json = { 'Content-Type': 'application/json; charset=utf-8', 'X-Total-Count': '1' };
const list = (body: unknown, headers: Record<string, string> = json, status = 200): Answer => ({
  method: 'GET',
  path: '/api/things/7',
  status,
  headers: new Headers(headers),
  text: typeof body === 'string' ? body : JSON.stringify(body),
});

test('lets pass what is as documented, and remembers it', () => {
  const checker = createDocumentChecker(document);
  checker.check(list([customer]));
  checker.check(list('There is no such thing.', { 'Content-Type': 'text/plain; charset=utf-8' }, 404));
  checker.check({ ...list('', {}, 204), path: '/api/things/none' });
  checker.check({ ...list('anything', {}, 418), path: '/elsewhere' });
  expect([...checker.met]).toEqual(['GET /api/things/{id} 200', 'GET /api/things/none 204']);
  expect(checker.promised).toEqual(expect.arrayContaining([...checker.met]));
});

test.each([
  ['a field too much', list([{ ...customer, secret: 1 }]), /additional properties/],
  ['a field too few', list([{ id: 'c', name: 'Nordwind' }]), /lastSeenAt/],
  ['a time without milliseconds', list([{ ...customer, lastSeenAt: '2026-11-21T09:00:00Z' }]), /pattern/],
  ['another media type', list('[]', { ...json, 'Content-Type': 'text/html' }), /text\/html/],
  ['a header that is missing', list([], { 'Content-Type': 'application/json' }), /X-Total-Count/],
  ['a header that is no number', list([], { ...json, 'X-Total-Count': 'many' }), /X-Total-Count .*integer/],
  ['a status that is not documented', list([], json, 201), /201 is not documented/],
  ['a server error', list('Oh.', { 'Content-Type': 'text/plain' }, 500), /500 is not documented/],
  ['a body where none is', { ...list('[]', {}, 204), path: '/api/things/none' }, /has a body/],
] as const)('finds %s', (_what, answer, complaint) => {
  expect(() => createDocumentChecker(document).check(answer)).toThrow(complaint);
});

test('finds an event that is none', () => {
  const checker = createDocumentChecker(document);
  checker.checkEntity('LiveEvent', { type: 'alert_deleted', alertId: 'a' });
  expect(() => checker.checkEntity('LiveEvent', { type: 'alert_deleted' })).toThrow(/LiveEvent is not as documented/);
});
