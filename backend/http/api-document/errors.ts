import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { z } from 'zod';
import { problemSchema } from '#backend/contract/problem.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';

/** Every error that the document knows, by status: its component's name, and what it means to a caller. */
const ERRORS = {
  400: ['Malformed', 'The request cannot be read: not JSON, or a bad id or query value.'],
  401: ['NotSignedIn', 'Nobody is signed in, or the key or password is wrong.'],
  403: [
    'NotAllowed',
    'Signed in, but not allowed; the API token’s scope is not enough; a second step has to be set up or a proof given first; the CSRF token is missing, or the request came from another site.',
  ],
  404: ['NotFound', 'Unknown, or not the caller’s to know of.'],
  409: ['Conflict', 'In conflict with what is; the sentence says with what.'],
  413: ['TooLarge', 'The body is larger than what is taken.'],
  415: ['UnsupportedMediaType', 'The body is not plain JSON in UTF-8.'],
  422: ['NotAcceptable', 'Well-formed, but not acceptable: a field is missing, of the wrong type, or against a rule.'],
  429: ['TooMany', 'Too many attempts or calls. Try again after the seconds in Retry-After.'],
  503: ['Unavailable', 'Overloaded, stopping, or the database is away. Try again after the seconds in Retry-After.'],
} as const satisfies Record<number, readonly [string, string]>;

/** A status that is documented as an error. */
export type DocumentedError = keyof typeof ERRORS;

const HAS_RETRY_AFTER: ReadonlySet<DocumentedError> = new Set([429, 503]);

/**
 * The error statuses that a call may answer with: those that follow from its access and its checked input, in the
 * order of `http/dispatch`, and those that the endpoint names besides.
 */
export function errorsOf(endpoint: Endpoint): DocumentedError[] {
  const { method, access, csrf, tokenScope, params, query, body, errors, isList } = endpoint;
  const statuses = new Set<DocumentedError>([...errors, 503]);
  if (isList || tokenScope) statuses.add(429);
  if (access !== 'anyone') for (const status of [401, 403] as const) statuses.add(status);
  if (csrf || method !== 'GET') statuses.add(403);
  if (params || query || body) statuses.add(400);
  if (params) statuses.add(404);
  if (body) for (const status of [413, 415, 422] as const) statuses.add(status);
  return [...statuses].toSorted((one, other) => one - other);
}

/** The document's responses for these errors, each a component. */
export const errorResponses = (statuses: readonly DocumentedError[]): ZodOpenApiResponsesObject =>
  Object.fromEntries(statuses.map((status) => [status, { $ref: `#/components/responses/${ERRORS[status][0]}` }]));

/** The components: one plain sentence as text, or the same as problem+json for callers that ask for JSON. */
export function errorComponents(): Record<string, ZodOpenApiResponseObject> {
  return Object.fromEntries(
    (Object.keys(ERRORS).map(Number) as DocumentedError[]).map((status) => {
      const [name, description] = ERRORS[status];
      return [name, { description, content: sentence(), ...(HAS_RETRY_AFTER.has(status) && retryAfter()) }];
    }),
  );
}

const sentence = (): NonNullable<ZodOpenApiResponseObject['content']> => ({
  'text/plain': { schema: z.string().meta({ description: 'One plain sentence for a person.' }) },
  'application/problem+json': { schema: problemSchema },
});

const retryAfter = (): Pick<ZodOpenApiResponseObject, 'headers'> => ({
  headers: {
    'Retry-After': { description: 'Seconds to wait.', required: true, schema: { type: 'integer', minimum: 1 } },
  },
});
