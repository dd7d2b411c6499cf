import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import type { Entities } from './account-entities.ts';
import {
  opsgenieActionSchema,
  opsgenieAlertSchema,
  opsgenieAnswerSchema,
  opsgenieErrorSchema,
  opsgenieReceiptSchema,
} from '#backend/contract/opsgenie.ts';

const IDENTIFIER_TYPE = z
  .enum(['id', 'tiny', 'alias'])
  .optional()
  .meta({ description: 'What the path names the alert by; `id` by default.' });

/** What a call takes beside its path. */
interface Call {
  summary: string;
  query?: Record<string, z.ZodType>;
  body?: z.core.$ZodType;
  /** The body may be left out. */
  isBodyOptional?: true;
}

const SEARCH = {
  query: z.string().optional().meta({
    description:
      'Conditions such as `status: open AND (priority: P1 OR tag: db*)`, with AND, OR, NOT and brackets. Fields are status, acknowledged, snoozed, priority, alias, alertId, tinyId, message, description, entity, source, tag, details.NAME, count, createdAt, updatedAt and lastOccurredAt. What is not supported is 422.',
  }),
};

const CALLS: Readonly<Record<string, Call>> = {
  'POST /v2/alerts': {
    summary: 'Creates an alert, or repeats the open one with this alias.',
    body: opsgenieAlertSchema,
  },
  'GET /v2/alerts': {
    summary: 'Lists the source’s alerts.',
    query: {
      ...SEARCH,
      offset: z.int().optional(),
      limit: z.int().min(1).max(100).optional(),
      sort: z.string().optional(),
      order: z.enum(['asc', 'desc']).optional(),
    },
  },
  'GET /v2/alerts/count': { summary: 'Counts the source’s alerts.', query: SEARCH },
  'GET /v2/alerts/requests/{requestId}': { summary: 'Says what became of a request.' },
  'GET /v2/alerts/{identifier}': { summary: 'Shows an alert as members left it.' },
  'DELETE /v2/alerts/{identifier}': { summary: 'Deletes an alert that nobody has accepted.' },
  'POST /v2/alerts/{identifier}/close': {
    summary: 'Reports an alert as resolved.',
    body: opsgenieActionSchema,
    isBodyOptional: true,
  },
  'POST /v2/alerts/{identifier}/acknowledge': {
    summary: 'Reports that somebody has seen to it.',
    body: opsgenieActionSchema,
    isBodyOptional: true,
  },
  'POST /v2/alerts/{identifier}/unacknowledge': {
    summary: 'Reports that nobody has.',
    body: opsgenieActionSchema,
    isBodyOptional: true,
  },
  'POST /v2/alerts/{identifier}/snooze': {
    summary: 'Snoozes an alert that nobody has accepted.',
    body: z.object({ endTime: z.string() }),
  },
  'GET /v2/alerts/{identifier}/notes': {
    summary: 'Lists the notes on an alert.',
    query: {
      offset: z.string().optional(),
      limit: z.int().min(1).max(100).optional(),
      order: z.enum(['asc', 'desc']).optional(),
    },
  },
  'POST /v2/alerts/{identifier}/notes': { summary: 'Adds a note.', body: z.object({ note: z.string() }) },
  'POST /v2/alerts/{identifier}/assign': {
    summary: 'Gives an alert that nobody has accepted to a member.',
    body: z.object({ owner: z.object({ username: z.string() }) }),
  },
  'POST /v2/alerts/{identifier}/tags': {
    summary: 'Adds tags.',
    body: z.object({ tags: z.array(z.string()) }),
  },
  'DELETE /v2/alerts/{identifier}/tags': { summary: 'Removes tags.', query: { tags: z.string() } },
  'POST /v2/alerts/{identifier}/details': {
    summary: 'Adds details, or changes them.',
    body: z.object({ details: z.record(z.string(), z.unknown()) }),
  },
  'DELETE /v2/alerts/{identifier}/details': { summary: 'Removes details.', query: { keys: z.string() } },
  'PUT /v2/alerts/{identifier}/priority': {
    summary: 'Changes the priority.',
    body: z.object({ priority: z.enum(['P1', 'P2', 'P3', 'P4', 'P5']) }),
  },
  'PUT /v2/alerts/{identifier}/message': { summary: 'Changes the message.', body: z.object({ message: z.string() }) },
  'PUT /v2/alerts/{identifier}/description': {
    summary: 'Changes the description.',
    body: z.object({ description: z.string() }),
  },
  ...Object.fromEntries(
    ['GET', 'POST', 'PUT', 'PATCH'].map((method) => [
      `${method} /v2/heartbeats/{heartbeatName}/ping`,
      { summary: 'Pings a heartbeat that was given to the source, by its name.' },
    ]),
  ),
};

const ERRORS = {
  400: 'The request cannot be read.',
  401: 'The key is missing or wrong.',
  404: 'The source has no such alert, request or heartbeat.',
  422: 'Not supported, or against a rule; the sentence says which.',
  429: 'Too much was asked for. Ask again after the seconds in Retry-After.',
  503: 'Overloaded, stopping, or the database is away. Send it again after the seconds in Retry-After.',
};

const errorOf = (description: string) => ({
  description,
  content: { 'application/json': { schema: opsgenieErrorSchema } },
});

/** The names of the schemas of these calls in the document. */
export const OPSGENIE_ENTITIES: Entities = {
  OpsgenieAction: [
    opsgenieActionSchema,
    'Who does something, and a note that is added with it. Every change takes these.',
  ],
  OpsgenieAlert: [opsgenieAlertSchema, 'An alert as clients of Opsgenie create it.'],
  OpsgenieReceipt: [opsgenieReceiptSchema, 'The request is processed.'],
  OpsgenieAnswer: [opsgenieAnswerSchema, 'What a client of Opsgenie asked for.'],
  OpsgenieError: [opsgenieErrorSchema, 'An error in Opsgenie’s form.'],
};

const DESCRIPTION =
  'A call of Opsgenie’s API, for the key of a source whose type is Opsgenie, as `Authorization: GenieKey`. It concerns the alerts that came from this source alone, by the rules of members.';

function operationOf(name: string, { summary, query, body, isBodyOptional }: Call): ZodOpenApiOperationObject {
  const [method = '', path = ''] = name.split(' ');
  const isRead = method === 'GET' && !path.endsWith('/ping');
  const schema = isRead ? opsgenieAnswerSchema : opsgenieReceiptSchema;
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter = '']) => parameter);
  const parameters = { ...(names.includes('identifier') && { identifierType: IDENTIFIER_TYPE }), ...query };
  const words = path.replaceAll(/[{}]/g, '').split('/').slice(2);
  return {
    operationId: method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    tags: ['webhook'],
    summary,
    description: DESCRIPTION,
    security: [{ genieKey: [] }],
    requestParams: {
      ...(names.length > 0 && { path: z.object(Object.fromEntries(names.map((one) => [one, z.string()]))) }),
      ...(Object.keys(parameters).length > 0 && { query: z.object(parameters) }),
    },
    ...(body && {
      requestBody: { required: isBodyOptional !== true, content: { 'application/json': { schema: body } } },
    }),
    responses: {
      [isRead ? 200 : 202]: {
        description: isRead ? 'What was asked for.' : 'Processed: the status of the request says what became of it.',
        content: { 'application/json': { schema } },
      },
      ...Object.fromEntries(Object.entries(ERRORS).map(([status, description]) => [status, errorOf(description)])),
    },
  };
}

/** The calls of Opsgenie's API, which are no endpoints: they are answered with deliveries. */
export function opsgeniePaths(): ZodOpenApiPathsObject {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, call] of Object.entries(CALLS)) {
    const [method = '', path = ''] = name.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(name, call) };
  }
  return paths;
}
