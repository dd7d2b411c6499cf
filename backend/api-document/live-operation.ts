import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { z } from 'zod';
import { CLOSE_SESSION_ENDED, CLOSE_TOO_SLOW, liveEventSchema, liveFrameSchema } from '#backend/contract/live-event.ts';
import { refusalResponses } from './refusals.ts';

/** The live events: a WebSocket, described as well as OpenAPI can. */
export const liveOperation: ZodOpenApiOperationObject = {
  operationId: 'getWs',
  tags: ['live events'],
  summary: 'Opens a WebSocket that tells what happens, as it happens.',
  description: `For any signed-in member, and only from this server's own pages or outside a browser.

Each text frame is one event (\`LiveEvent\`); after \`/ws?batch=1\` each is an array of them (\`LiveFrame\`). The first is
\`hello\`. Nothing needs to be sent; frames of more than 16 KiB end the connection.
A client that cannot see the pings of the WebSocket protocol may send \`{"type":"ping"}\` when nothing came for a while, and is
answered \`{"type":"pong"}\`, in an array after \`/ws?batch=1\`: without an answer the connection is lost.

| event | told to | when |
|---|---|---|
| \`hello\` | the new client | it has connected |
| \`new_alert\` | everybody | an alert was stored |
| \`alert_accepted\` | everybody | somebody took it from the inbox |
| \`alert_unaccepted\` | everybody | it is back in the inbox |
| \`alert_updated\` | its owner, admins and super users | its status or folder changed |
| \`alert_deleted\` | everybody | it was deleted |
| \`lists_changed\` | the owner, admins and super users | many of the owner's alerts changed at once (their folder was deleted): fetch \`lists\` again |
| \`notification_settings_changed\` | the member alone | their mutes, quiet hours, pause or sounds are others now |
| \`folders_changed\` | the member alone | a folder of theirs was made or deleted |

Events may be added: ignore those that you do not know. After \`lists_changed\` no \`alert_updated\` follows for the alerts that it
stands for; a client that does not know it has them right again after it fetched the lists, at the latest when it connects again.

The server closes with ${CLOSE_SESSION_ENDED} when the session ends, ${CLOSE_TOO_SLOW} when the client cannot keep up, and 1001 when it stops.
Connect again after a few seconds and fetch the lists anew: what happened in between is not repeated.`,
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
    ...refusalResponses([401, 403, 429, 503]),
  },
};
