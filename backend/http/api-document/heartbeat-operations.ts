import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { z } from 'zod';
import {
  beatKindSchema,
  beatLogSchema,
  beatSchema,
  downtimeSchema,
  heartbeatChangeSchema,
  heartbeatListSchema,
  heartbeatScheduleSchema,
  heartbeatSchema,
  heartbeatSeveritySchema,
  heartbeatStateSchema,
  heartbeatTimesSchema,
  heartbeatWithAddressSchema,
  newHeartbeatSchema,
} from '#backend/contract/heartbeat.ts';
import type { Entities } from './account-entities.ts';

/** The objects of heartbeats. */
export const HEARTBEAT_ENTITIES: Entities = {
  Heartbeat: [heartbeatSchema, 'Something that has to call again and again, with its last 100 beats.'],
  HeartbeatList: [heartbeatListSchema, 'Heartbeats by state and name, and the times in which no server ran.'],
  HeartbeatSchedule: [heartbeatScheduleSchema, 'When calls are expected.'],
  HeartbeatState: [heartbeatStateSchema, 'How a heartbeat stands.'],
  HeartbeatSeverity: [heartbeatSeveritySchema, 'The severity of its alert.'],
  NewHeartbeat: [newHeartbeatSchema, 'A heartbeat to be made.'],
  HeartbeatChange: [heartbeatChangeSchema, 'Changes of a heartbeat; absent fields stay.'],
  HeartbeatWithAddress: [heartbeatWithAddressSchema, 'A heartbeat with the path of its address, which is shown once.'],
  HeartbeatTimes: [heartbeatTimesSchema, 'The next times of a schedule, or what is wrong with it.'],
  Beat: [beatSchema, 'One of the last beats of a heartbeat.'],
  BeatKind: [beatKindSchema, 'What a beat was.'],
  BeatLog: [beatLogSchema, 'What was sent along with a beat.'],
  HeartbeatDowntime: [downtimeSchema, 'A time in which no server ran, and what was due then.'],
};

const ERRORS = {
  400: 'The exit code is greater than 255, or `rid` is no UUID.',
  404: 'No heartbeat has this address.',
  429: 'It was called too often. Call again after the seconds in Retry-After.',
  503: 'The database is away. Call again after the seconds in Retry-After.',
};

const SIGNAL = z.union([z.enum(['start', 'fail', 'log']), z.string().regex(/^\d{1,3}$/)]).meta({
  description: '`start` of a run, `fail`, lines of a `log`, or the exit code of a run from 0 to 255.',
});

function operationOf(method: 'get' | 'post', hasSignal: boolean): ZodOpenApiOperationObject {
  return {
    operationId: `${method}Ping${hasSignal ? 'Signal' : ''}`,
    tags: ['webhook'],
    summary: hasSignal ? 'Says of a heartbeat that a run starts, fails or ends.' : 'Calls a heartbeat: all is well.',
    description:
      'As the pinging API of Healthchecks. HEAD does the same as GET. The last 4,000 bytes of a body are kept. Whoever has the address can call it.',
    security: [],
    requestParams: {
      path: z.object({ token: z.uuid(), ...(hasSignal && { signal: SIGNAL }) }),
      query: z.object({
        rid: z.uuid().optional().meta({ description: 'Names a run, where several go side by side.' }),
      }),
    },
    ...(method === 'post' && {
      requestBody: { required: false, content: { 'text/plain': { schema: z.string() } } },
    }),
    responses: {
      200: { description: 'Taken.', content: { 'text/plain': { schema: z.literal('OK') } } },
      ...Object.fromEntries(
        Object.entries(ERRORS).map(([status, description]) => [
          status,
          { description, content: { 'text/plain': { schema: z.string() } } },
        ]),
      ),
    },
  };
}

/** The calls of heartbeats, which are no endpoints: they are answered with deliveries. */
export const pingPaths = (): ZodOpenApiPathsObject => ({
  '/ping/{token}': { get: operationOf('get', false), post: operationOf('post', false) },
  '/ping/{token}/{signal}': { get: operationOf('get', true), post: operationOf('post', true) },
});
