import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { z } from 'zod';
import {
  WEBHOOK_MAX_BYTES,
  WEBHOOK_MAX_DEPTH,
  enqueueEventSchema,
  enqueueReceiptSchema,
  webhookReceiptSchema,
} from '#backend/contract/webhook.ts';
import { errorResponses } from './errors.ts';
import {
  CLOSE_SESSION_ENDED,
  CLOSE_TOO_SLOW,
  ENDED_BY_ADMINISTRATOR,
  liveEventSchema,
  liveFrameSchema,
} from '#backend/contract/live-event.ts';

const KEY = z.string().min(1).max(255).optional();

const MANY = z.union([z.string(), z.array(z.string())]);

/** What all addresses of sources have in common; they are declared outside the endpoints (docs/decisions/0002-endpoints-as-data.md). */
const BODY_DESCRIPTION = `JSON up to ${WEBHOOK_MAX_BYTES.toLocaleString('en')} bytes and ${WEBHOOK_MAX_DEPTH} levels deep, or a form, or a value a line
(\`application/x-ndjson\`); compressed with gzip, deflate, br or zstd, the bound counts after inflating, too. PUT does the same.

The sender is recognized by its headers and by the shape of the body, unless the source says whose it is. Each alert
of a body with several is one of its own; a report of a problem that is open changes its alert. What is not an object
is kept as \`{"value": …}\`. The query and CloudEvents \`ce-*\` headers are kept as the alert's extra data.
The answer comes after everything is stored.

A source may require its sender's signature: a key alone is then refused. The reason of a refusal stands in the source's
delivery log, never in the answer. On 429 and 503 send the request again, after the seconds in \`Retry-After\`.`;

const IDEMPOTENCY = z.object({
  'Idempotency-Key': KEY.meta({
    description:
      'Names this delivery: the same again within 24 hours answers the first alert’s id and stores nothing; with another body it is refused with 409.',
  }),
  'webhook-id': KEY.meta({ description: 'The same, as Standard Webhooks name it.' }),
});

const ANY_BODY: ZodOpenApiOperationObject['requestBody'] = {
  required: true,
  content: {
    'application/json': {
      schema: z.unknown().meta({ description: 'Any JSON.' }),
      example: { customer: 'Harbor & Finch', type: 'order.payment_failed', order_no: 'HF-204918' },
    },
    'application/x-www-form-urlencoded': { schema: z.record(z.string(), MANY) },
  },
};

const RECEIPT: ZodOpenApiOperationObject['responses'] = {
  202: {
    description:
      'Stored: the first alert that the request made or changed. A handshake gets its sender’s own answer instead.',
    content: { 'application/json': { schema: webhookReceiptSchema } },
  },
  ...errorResponses([400, 401, 409, 413, 415, 422, 429, 503]),
};

/** `POST /webhook`. */
export const webhookOperation: ZodOpenApiOperationObject = {
  operationId: 'postWebhook',
  tags: ['webhook'],
  summary: 'Takes alerts from an external system, with a key in a header.',
  description: BODY_DESCRIPTION,
  security: [{ webhookKey: [] }, { webhookBearer: [] }, { webhookBasic: [] }, { webhookToken: [] }],
  requestParams: { header: IDEMPOTENCY },
  requestBody: ANY_BODY,
  responses: RECEIPT,
};

/** `POST /in/{token}`. */
export const tokenOperation: ZodOpenApiOperationObject = {
  operationId: 'postInToken',
  tags: ['webhook'],
  summary: 'Takes alerts from an external system that can only be given an address.',
  description: BODY_DESCRIPTION,
  security: [],
  requestParams: {
    path: z.object({ token: z.string().meta({ description: 'The token of the source’s own address.' }) }),
    header: IDEMPOTENCY,
  },
  requestBody: ANY_BODY,
  responses: RECEIPT,
};

/** `POST /v2/enqueue`. */
export const enqueueOperation: ZodOpenApiOperationObject = {
  operationId: 'postEnqueue',
  tags: ['webhook'],
  summary: 'Takes an event of PagerDuty’s Events API v2.',
  description:
    'Any tool that sends events to PagerDuty can send them here, with a source’s key as `routing_key`. Events are those of https://developer.pagerduty.com/docs/events-api-v2-overview; answers are PagerDuty’s own.',
  security: [],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: enqueueEventSchema,
        example: {
          routing_key: 'ad_…',
          event_action: 'trigger',
          dedup_key: 'db-7/disk',
          payload: { summary: 'Disk of db-7 is full', source: 'db-7', severity: 'critical' },
        },
      },
    },
  },
  responses: {
    202: {
      description: 'Stored. `dedup_key` is the event’s, or one that was made for it.',
      content: { 'application/json': { schema: enqueueReceiptSchema } },
    },
    ...errorResponses([400, 401, 409, 413, 415, 422, 429, 503]),
  },
};

/** The live events: a WebSocket, described as well as OpenAPI can. */
export const liveOperation: ZodOpenApiOperationObject = {
  operationId: 'getWs',
  tags: ['live events'],
  summary: 'Opens a WebSocket that reports what happens, as it happens.',
  description: `For any signed-in member, and only from this server's own pages or outside a browser.

Each text frame is one event (\`LiveEvent\`); after \`/ws?batch=1\` each is an array of them (\`LiveFrame\`). The first is
\`hello\`. Nothing needs to be sent; frames of more than 16 KiB end the connection.
A client that cannot see the pings of the WebSocket protocol may send \`{"type":"ping"}\` when nothing came for a while, and is
answered \`{"type":"pong"}\`, in an array after \`/ws?batch=1\`: without an answer the connection is lost.
A page may report with \`{"type":"shown","alertId":"…","afterMs":42}\` that it has drawn a new alert, so many milliseconds
after its event, half a round trip included: it counts as time from webhook to screen. One in 15 seconds is taken, without an answer.
With \`{"type":"looking","alertId":"…"}\` it says that its member has this alert open in front of them, and with
\`"alertId":null\` that they have none any more; so does the end of the connection. Others who may see the alert are sent
\`looking_changed\`, as is a new client of every alert that somebody looks at. Five in a second are taken, of more the last, without an answer.
\`hello\` has the place in the feed of changes at which the connection began, and whose connection it is (\`userId\`). With \`places=1\` the client is sent its place again, once
a second at most while something happens. A client that comes back asks \`GET /api/changes?since=\` with its last place for what it missed.

| event | sent to | when |
|---|---|---|
| \`hello\` | the new client; everybody | it has connected; events of other servers may be missing |
| \`place\` | who asked with \`places=1\` | so far everything was sent |
| \`new_alert\` | everybody | an alert was stored |
| \`alert_accepted\` | everybody | somebody took it from the inbox |
| \`alert_unaccepted\` | everybody | it is back in the inbox |
| \`alert_updated\` | its owner, admins and super users; everybody, when nobody has it | its status, folder or severity changed, or its sender reported it again (\`reason\`) |
| \`alert_deleted\` | everybody | it was deleted |
| \`lists_changed\` | the owner, admins and super users | many of the owner's alerts changed at once (their folder was deleted): fetch \`lists\` again |
| \`ladder_changed\` | its owner, admins and super users; everybody, when nobody has it | a ladder of the alert began, went on or ended |
| \`member_notified\` | the member alone | a colleague mentioned them, or gave or took alerts, or a ladder calls them |
| \`notices_changed\` | the member alone | notices of theirs were read, or are unread again |
| \`notification_settings_changed\` | the member alone | how much they are notified of, their exceptions, quiet hours, pause or sounds are others now |
| \`looking_changed\` | who may see the alert, while others than the looking member are connected | who has it open now is another |
| \`folders_changed\` | the member alone | a folder of theirs was made or deleted |
| \`profile_changed\` | the member alone | their name, how they read times, or their API tokens are others now |
| \`views_changed\` | the member, of shared views everybody | a view was saved, changed, moved or deleted |
| \`view_counted\` | who sees the view | so many alerts are in it now; with a \`timeZone\` for people there |
| \`notice_chosen\` | the member alone | comes before an alert that is in views of which the member made exceptions: the loudest of their levels |
| \`source_changed\` | administrators | a source changed; or its delivery log did, with \`counts\` and once a second at most |
| \`members_changed\` | administrators | an account or its link was made, changed or removed |
| \`outgoing_changed\` | administrators | a destination or a rule was changed, or messages were sent; every 2 s at most |
| \`rules_changed\` | administrators | a rule was made, moved, changed or deleted, or has switched itself off |
| \`maintenance_changed\` | everybody | a maintenance window was planned, changed or deleted, or is on; with \`ended\` once for each time that has ended and does not go on, or leaves alerts that still fire |
| \`heartbeats_changed\` | everybody | a heartbeat was made, changed or deleted, is missing, or, every 5 s at most, was called |

Events may be added: ignore those that you do not know. After \`lists_changed\` no \`alert_updated\` follows for the alerts that it
stands for; a client that does not know it has them right again after it fetched the lists, at the latest when it connects again.

The server closes with ${CLOSE_SESSION_ENDED} when the session ends (with the reason "${ENDED_BY_ADMINISTRATOR}" when one has ended it), ${CLOSE_TOO_SLOW} when the client cannot keep up, and 1001 when it stops.
Connect again after a few seconds and fetch the lists again: what happened in between is not repeated.`,
  security: [{ session: [] }],
  parameters: [
    {
      in: 'query',
      name: 'batch',
      description: '`1`: an array of events per frame instead of one event.',
      schema: { type: 'string', enum: ['1'] },
    },
  ],
  responses: {
    101: {
      description: 'The connection is open. What follows are frames, each of this form.',
      content: { 'application/json': { schema: z.union([liveEventSchema, liveFrameSchema]) } },
    },
    ...errorResponses([401, 403, 429, 503]),
  },
};
