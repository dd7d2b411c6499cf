import { type ZodOpenApiOverride, type ZodOpenApiPathsObject, createDocument } from 'zod-openapi';
import { z } from 'zod';
import { TOKEN_SCOPES } from '#backend/contract/api-token.ts';
import { PRODUCT_NAME, PRODUCT_VERSION } from '#backend/contract/product.ts';
import { SEARCH_KEYS } from '#backend/contract/search.ts';
import { TIME_FORMS } from '#backend/contract/search-times.ts';
import { CSRF_COOKIE, CSRF_HEADER, SECURE_CSRF_COOKIE } from '#backend/contract/csrf.ts';
import type { Endpoint, Tag } from '#backend/platform/endpoint/endpoint.ts';
import { nameEntities } from './entities.ts';
import { enqueueOperation, liveOperation, tokenOperation, webhookOperation } from './other-operations.ts';
import { documentPath, operationOf } from './operation-of.ts';
import { pingPaths } from './heartbeat-operations.ts';
import { opsgeniePaths } from './opsgenie-operations.ts';
import { errorComponents } from './errors.ts';

/** The document of the API: OpenAPI 3.1. */
export type ApiDocument = ReturnType<typeof createDocument>;

/** What each group of calls is about, in the order in which people read. */
const TAGS: Record<Tag | 'webhook' | 'live events', string> = {
  webhook: 'What external systems call, with an API key.',
  'sign-in': 'Sessions: who is signed in.',
  account: 'A member’s own account, and where they are signed in.',
  alerts: 'The inbox, queues, and how an alert moves through them.',
  folders: 'A member’s own folders.',
  views: 'Filters of a list, saved under a name.',
  customers: 'Who the alerts are about, and who is muted.',
  'alert types': 'What kinds of alerts there are, and which are muted.',
  notifications: 'How much a member is notified of, when they want quiet, and which alerts make a sound.',
  push: 'Notifications to browsers that are closed.',
  'live events': 'What happens, as it happens.',
  members: 'Accounts, for administrators.',
  'API tokens': 'Tokens that programs use to call this API: each member’s own, and those of services.',
  'API keys': 'Keys that external systems use to send alerts, for administrators.',
  sources: 'What sends alerts, its secrets, and the log of what it sent, for administrators; and who mutes it.',
  rules: 'Rules on what arrives: what they set, whom they assign alerts to, and what notifies nobody.',
  maintenance: 'Maintenance windows: what arrives at their times is kept, marked, and notifies nobody.',
  heartbeats: 'What has to call again and again, and makes an alert when it does not.',
  outgoing: 'Destinations that alerts are sent to, and the rules that send them there, for administrators.',
  configuration: 'Everything that administrators set up, as one text: what a change of it would do, and doing it.',
  audit: 'Who did what, for administrators.',
  server: 'The server itself.',
};

const DESCRIPTION = `JSON in and out, in UTF-8. Times are ISO 8601 in UTC with milliseconds, ids are opaque strings.

An error's body is one plain sentence for a person. Who sends \`Accept: application/json\` gets it as
\`application/problem+json\` (RFC 9457). Unknown fields of a body are ignored and never stored.

Signing in sets two cookies: the session (\`sid\`; \`__Host-sid\` on https) and \`${CSRF_COOKIE}\` (\`${SECURE_CSRF_COOKIE}\` on https), which every POST, PUT, PATCH
and DELETE under \`/api\` but the sign-in must repeat in \`${CSRF_HEADER}\`.

Programs call with an API token instead, as \`Authorization: Bearer adt_…\`, without cookies and without the CSRF header. A
token's scope is ${TOKEN_SCOPES.map((scope) => `\`${scope}\``).join(', ')}, each of which includes those before it; each call
names the scope that it takes. A token makes 600 calls a minute.

Lists take a \`search\`: words and quoted phrases, all of which are to be found, and ${SEARCH_KEYS.map((key) => `\`${key}:\``).join(', ')}.
Values of one key are alternatives. \`from:\` and \`to:\` take ${TIME_FORMS};
of days \`from:\` begins with the first, \`to:\` takes the last one in. A weekday is the last such day, today included, and weeks begin
on Monday. What a word means is decided with each call, by the clocks of \`timeZone\` (IANA), else in UTC.

Under a host name that is not this server's every call answers 421.`;

/**
 * Describes the API by what its endpoints declare, so that the document cannot say what the server does not do; with
 * the addresses of sources and the live events, which are no endpoints.
 */
export function apiDocument(endpoints: readonly Endpoint[]): ApiDocument {
  nameEntities();
  const paths: ZodOpenApiPathsObject = {
    '/webhook': { post: webhookOperation },
    '/in/{token}': { post: tokenOperation },
    '/v2/enqueue': { post: enqueueOperation },
    ...opsgeniePaths(),
    ...pingPaths(),
  };
  for (const endpoint of endpoints) {
    const path = documentPath(endpoint.path);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint) };
  }
  paths['/ws'] = { get: liveOperation };
  return createDocument(
    {
      openapi: '3.1.1',
      info: { title: `${PRODUCT_NAME} API`, version: PRODUCT_VERSION, description: DESCRIPTION },
      servers: [{ url: '/', description: 'This server.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      paths,
      components: {
        responses: errorComponents(),
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: 'sid',
            description: 'The session’s cookie, set by signing in; named `__Host-sid` on https.',
          },
          csrfToken: {
            type: 'apiKey',
            in: 'header',
            name: CSRF_HEADER,
            description: `The value of the cookie \`${CSRF_COOKIE}\`, on https \`${SECURE_CSRF_COOKIE}\`.`,
          },
          apiToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API token, `adt_…`, with the scope that the call names or a greater one.',
          },
          webhookKey: { type: 'apiKey', in: 'header', name: 'X-Webhook-Auth', description: 'An API key.' },
          webhookBearer: { type: 'http', scheme: 'bearer', description: 'The same API key.' },
          webhookBasic: {
            type: 'http',
            scheme: 'basic',
            description: 'The same API key as the password; any user name.',
          },
          genieKey: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'The key of a source of the type Opsgenie, as `GenieKey …`.',
          },
          webhookToken: { type: 'apiKey', in: 'query', name: 'token', description: 'The token of a source.' },
        },
      },
    },
    { override: withoutNoise },
  );
}

/** What zod adds for its own sake and no reader needs; and times as they are really written. */
const withoutNoise: ZodOpenApiOverride = ({ jsonSchema, zodSchema }) => {
  if (jsonSchema.format === 'uuid') delete jsonSchema.pattern;
  if (jsonSchema.format === 'date-time') jsonSchema.pattern = String.raw`\.\d{3}Z$`;
  if (zodSchema instanceof z.core.$ZodRecord) delete jsonSchema.propertyNames;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
};
