import { versionQuerySchema } from '#backend/contract/alert-change.ts';
import {
  type Heartbeat,
  type HeartbeatSchedule,
  beatLogSchema,
  beatParamsSchema,
  heartbeatChangeSchema,
  heartbeatIdParamsSchema,
  heartbeatListSchema,
  heartbeatSchema,
  heartbeatTimesQuerySchema,
  heartbeatTimesSchema,
  heartbeatWithAddressSchema,
  heartbeatsQuerySchema,
  newHeartbeatSchema,
} from '#backend/contract/heartbeat.ts';
import { administratorOf } from '#backend/intake/sources/source-routes.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changedMeanwhile, notFound } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import {
  type HeartbeatDeps,
  changeHeartbeat,
  closeDowntime,
  createHeartbeat,
  deleteHeartbeat,
  noSuchHeartbeat,
  renewAddress,
} from './heartbeat-commands.ts';
import { BeatEntity, slotOf } from './heartbeat-entities.ts';
import { listHeartbeats, presentHeartbeats } from './list-heartbeats.ts';
import { faultOfCron, nextTimes } from './schedule.ts';

/** Times that are shown of a schedule. */
const SHOWN_TIMES = 5;

/** Heartbeats: read by all members, changed by administrators. */
export function heartbeatRoutes(deps: HeartbeatDeps): Endpoint[] {
  const { database, clock } = deps;
  const find = async (id: string): Promise<Heartbeat> => {
    const [heartbeat] = await presentHeartbeats(deps, [id]);
    if (!heartbeat) throw noSuchHeartbeat();
    return heartbeat;
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/heartbeats',
      tag: 'heartbeats',
      summary: 'Lists what has to call again and again, by state and name, with the last 100 beats of each.',
      access: 'member',
      query: heartbeatsQuerySchema,
      responses: { 200: heartbeatListSchema },
      isList: true,
      handle: async ({ query }) => ok(await listHeartbeats(deps, query)),
    }),
    endpoint({
      method: 'POST',
      path: '/api/heartbeats',
      tag: 'heartbeats',
      summary: 'Makes a heartbeat with an address, which is shown this once.',
      access: ['admin'],
      proof: 'always',
      body: newHeartbeatSchema,
      errors: [409],
      responses: { 201: heartbeatWithAddressSchema },
      handle: async ({ actor, ip, body }) => {
        const { id, path } = await createHeartbeat(deps, administratorOf(actor, ip), body);
        return created({ heartbeat: await find(id), path });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/heartbeat-times',
      tag: 'heartbeats',
      summary: 'The next times of a schedule as it is written, saved or not, or what is wrong with it.',
      access: 'member',
      query: heartbeatTimesQuerySchema,
      responses: { 200: heartbeatTimesSchema },
      handle: async ({ query: { everySeconds, expression, timeZone = 'UTC' } }) => {
        const now = clock.now();
        if (expression !== undefined) {
          const fault = faultOfCron(expression, timeZone, now);
          if (fault !== undefined) return ok({ times: [], fault });
        }
        const schedule: HeartbeatSchedule | undefined =
          expression === undefined
            ? everySeconds === undefined
              ? undefined
              : { kind: 'interval', everySeconds }
            : { kind: 'cron', expression, timeZone };
        const times = schedule ? nextTimes(schedule, now, SHOWN_TIMES) : [];
        return ok({ times: times.map((time) => new Date(time).toISOString()), fault: null });
      },
    }),
    endpoint({
      method: 'GET',
      path: '/api/heartbeats/:id',
      tag: 'heartbeats',
      summary: 'One heartbeat.',
      access: 'member',
      params: heartbeatIdParamsSchema,
      responses: { 200: heartbeatSchema },
      handle: async ({ params }) => ok(await find(params.id)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/heartbeats/:id/beats/:number',
      tag: 'heartbeats',
      summary: 'What was sent along with one of the last beats.',
      access: 'member',
      params: beatParamsSchema,
      responses: { 200: beatLogSchema },
      handle: async ({ params: { id, number } }) => {
        const beat = await database.reads
          .getRepository(BeatEntity)
          .findOneBy({ heartbeatId: id, slot: slotOf(number), number });
        if (!beat) throw notFound('There is no beat with this number.');
        return ok({ log: beat.log });
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/heartbeats/:id',
      tag: 'heartbeats',
      summary: 'Changes a heartbeat, pauses or resumes it; absent fields stay.',
      access: ['admin'],
      params: heartbeatIdParamsSchema,
      query: versionQuerySchema,
      body: heartbeatChangeSchema,
      errors: [409],
      responses: { 200: heartbeatSchema },
      handle: async ({ actor, ip, params, query, body }) => {
        const isDone = await changeHeartbeat(deps, administratorOf(actor, ip), params.id, body, query.ifVersion);
        const heartbeat = await find(params.id);
        if (!isDone) throw changedMeanwhile('heartbeat', jsonText(JSON.stringify(heartbeat)));
        return ok(heartbeat);
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/heartbeats/:id/address',
      tag: 'heartbeats',
      summary: 'Gives a heartbeat a new address, which is shown this once; the old one ends at once.',
      access: ['admin'],
      proof: 'always',
      params: heartbeatIdParamsSchema,
      responses: { 201: heartbeatWithAddressSchema },
      handle: async ({ actor, ip, params }) => {
        const path = await renewAddress(deps, administratorOf(actor, ip), params.id);
        return created({ heartbeat: await find(params.id), path });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/heartbeats/:id',
      tag: 'heartbeats',
      summary: 'Deletes a heartbeat: its address ends at once, its alert is resolved, its beats are deleted.',
      access: ['admin'],
      params: heartbeatIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await deleteHeartbeat(deps, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/heartbeat-downtimes/:id',
      tag: 'heartbeats',
      summary: 'Closes the line about a time in which no server ran, for everybody.',
      access: ['admin'],
      params: heartbeatIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await closeDowntime(deps, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}
