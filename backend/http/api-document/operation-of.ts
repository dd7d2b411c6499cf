import * as z from 'zod/mini';
import type { ZodOpenApiHeadersObject, ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import type { Access, Endpoint, ResponseHeader, Responses } from '#backend/platform/endpoint/endpoint.ts';
import { errorResponses, errorsOf } from './errors.ts';

const DONE: Record<keyof Responses, string> = {
  200: 'Done; this is the answer.',
  201: 'Created.',
  202: 'Taken.',
  204: 'Done; there is nothing to say.',
};

type HeaderObject = Extract<ZodOpenApiHeadersObject, Record<string, unknown>>[string];

const HEADERS: Record<ResponseHeader, HeaderObject> = {
  'X-Total-Count': {
    description: 'How many rows the whole filtered list has.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-Total-Count-Relation': {
    description: 'There when counting stopped early: there are at least as many rows as X-Total-Count says.',
    schema: { type: 'string', const: 'at-least' },
  },
  Link: {
    description: '`<…>; rel="next"`: where the next rows are. Absent on the last page.',
    schema: { type: 'string' },
  },
  'X-Place': {
    description:
      'The place at which the list was read: `since` of `GET /api/changes`, for what has changed after that.',
    required: true,
    schema: { type: 'string' },
  },
};

/** The path as OpenAPI writes it: `/api/folders/{id}`. */
export const documentPath = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

/** A name that is the call's own: `getAlertsInbox`, `postAlertsByIdAccept`. */
export const operationId = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string =>
  path
    .replace(/^\/api\//, '/')
    .replaceAll(/:(\w)/g, (_match, first: string) => `by-${first}`)
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .reduce((name, word) => name + word.charAt(0).toUpperCase() + word.slice(1), method.toLowerCase());

/** One declared endpoint as an operation of the document. */
export function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { tag, summary, access, csrf, tokenScope, params, query, body, isForm, responses } = endpoint;
  return {
    operationId: operationId(endpoint),
    tags: [tag],
    summary,
    description: `For ${audience(access)}.${tokenScope ? ` API tokens: scope \`${tokenScope}\`.` : ''}`,
    security:
      access === 'anyone'
        ? []
        : [{ session: [], ...(csrf && { csrfToken: [] }) }, ...(tokenScope ? [{ apiToken: [] }] : [])],
    requestParams: { ...(params && { path: objectOf(params) }), ...(query && { query: objectOf(query) }) },
    ...(body && {
      requestBody: {
        required: !(body instanceof z.ZodMiniOptional),
        content: { [isForm ? 'application/x-www-form-urlencoded' : 'application/json']: { schema: body } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, answer]) => [status, success(Number(status), answer, endpoint)]),
      ),
      ...errorResponses(errorsOf(endpoint)),
    },
  };
}

const audience = (access: Access): string => {
  if (access === 'anyone') return 'anyone, without signing in';
  if (access === 'member') return 'any signed-in member';
  return `members with the role ${access.join(' or ')}`;
};

function success(
  status: number,
  answer: Responses[keyof Responses],
  { responseHeaders }: Endpoint,
): ZodOpenApiResponseObject {
  const description = DONE[status as keyof Responses];
  if (answer === undefined || answer === 'no content') return { description };
  return {
    description,
    ...(responseHeaders.length > 0 && {
      headers: Object.fromEntries(responseHeaders.map((name) => [name, HEADERS[name]])),
    }),
    content:
      typeof answer === 'string'
        ? { [answer]: { schema: { type: 'string' } } }
        : { 'application/json': { schema: answer } },
  };
}

/**
 * Path parameters and queries are lists of names in the document. Of a query with several forms each name is listed once:
 * with every value that some form takes, and required when all forms ask for it.
 */
function objectOf(schema: z.ZodMiniType): z.ZodMiniObject {
  if (schema instanceof z.ZodMiniObject) return schema;
  if (!(schema instanceof z.ZodMiniDiscriminatedUnion)) {
    throw new Error('Path parameters and queries are objects, or unions of them.');
  }
  const forms = schema.def.options.map((form) => objectOf(form as z.ZodMiniType).shape);
  const names = [...new Set(forms.flatMap((form) => Object.keys(form)))];
  return z.object(
    Object.fromEntries(
      names.map((name) => {
        const values = forms.flatMap((form) => form[name] ?? []);
        const value = values.length === 1 && values[0] ? values[0] : z.union(values);
        return [name, values.length === forms.length ? value : z.optional(value)];
      }),
    ),
  );
}
