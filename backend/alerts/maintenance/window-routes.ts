import { In, LessThan, MoreThan } from 'typeorm';
import { versionQuerySchema } from '#backend/contract/alert-change.ts';
import {
  MAX_OCCURRENCES,
  type MaintenanceWindow,
  type OccurrenceState,
  extensionSchema,
  maintenanceIdParamsSchema,
  newWindowSchema,
  occurrenceListSchema,
  occurrenceQuerySchema,
  occurrenceSchema,
  windowChangeSchema,
  windowListSchema,
  windowPreviewQuerySchema,
  windowPreviewSchema,
  windowSchema,
} from '#backend/contract/maintenance.ts';
import { byName } from '#backend/contract/name.ts';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import { type Actor, type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { changedMeanwhile } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type PreviewDeps, previewWindow } from './preview-window.ts';
import { faultOfSearch } from '#backend/alerts/lists/stored-search.ts';
import {
  type WindowAdministrator,
  type WindowDeps,
  changeWindow,
  createWindow,
  deleteWindow,
  endOccurrence,
  extendOccurrence,
  noSuchWindow,
  resumeOccurrence,
} from './window-commands.ts';
import {
  OccurrenceEntity,
  type StoredOccurrence,
  type StoredWindow,
  WindowEntity,
  presentOccurrence,
  presentSchedule,
} from './window-entities.ts';

/** States of the occurrences of a window that are on or next. */
const ACTIVE: OccurrenceState[] = ['planned', 'on', 'ending'];

/** Of the active occurrences of a window, in the order in which they begin, the one that is on, else the first. */
const currentOf = (active: readonly StoredOccurrence[]): StoredOccurrence | undefined =>
  active.find(({ state, startsAt }) => state !== 'ending' && startsAt <= Date.now()) ?? active[0];

const administratorOf = (actor: Actor, ip: string): WindowAdministrator => ({
  author: authorOf(actor, ip),
  displayName: actor.displayName,
});

/** Maintenance windows: every member reads them, administrators change them. */
export function windowRoutes(deps: WindowDeps & PreviewDeps): Endpoint[] {
  return [...definitionRoutes(deps), ...occurrenceRoutes(deps)];
}

function definitionRoutes(deps: WindowDeps & PreviewDeps): Endpoint[] {
  const { database } = deps;
  const present = async (window: StoredWindow, current: StoredOccurrence | undefined): Promise<MaintenanceWindow> => {
    const { id, name, search, version, createdBy, changedBy, changedAt } = window;
    const fault = await faultOfSearch(database, search);
    return {
      id,
      name,
      search,
      ...presentSchedule(window),
      version,
      createdBy,
      changedBy,
      changedAt: new Date(changedAt).toISOString(),
      ...(current && { current: presentOccurrence(current) }),
      ...(fault !== undefined && { fault }),
    };
  };
  const occurrences = () => database.reads.getRepository(OccurrenceEntity);
  const find = async (id: string): Promise<MaintenanceWindow> => {
    const window = await database.reads.getRepository(WindowEntity).findOneBy({ id });
    if (!window) throw noSuchWindow();
    const active = await occurrences().find({ where: { windowId: id, state: In(ACTIVE) }, order: { startsAt: 'ASC' } });
    return present(window, currentOf(active));
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/maintenance/windows',
      tag: 'maintenance',
      summary: 'Lists the maintenance windows, by name, each with the time that is on or next.',
      access: 'member',
      responses: { 200: windowListSchema },
      handle: async () => {
        const windows = await database.reads.getRepository(WindowEntity).find();
        const active = await occurrences().find({ where: { state: In(ACTIVE) }, order: { startsAt: 'ASC' } });
        const byWindow = Map.groupBy(active, ({ windowId }) => windowId);
        const sorted = windows.toSorted((one, other) => byName(one.name, other.name));
        return ok(await Promise.all(sorted.map((window) => present(window, currentOf(byWindow.get(window.id) ?? [])))));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/maintenance/windows',
      tag: 'maintenance',
      summary: 'Plans a maintenance window: what arrives at its times is kept, marked, and notifies nobody.',
      access: ['admin'],
      body: newWindowSchema,
      errors: [409],
      responses: { 201: windowSchema },
      handle: async ({ actor, ip, body }) =>
        created(await find(await createWindow(deps, administratorOf(actor, ip), body))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/maintenance/preview',
      tag: 'maintenance',
      summary: 'Says when a window would be on, and what it would have kept quiet at its last time. Stores nothing.',
      access: ['admin'],
      body: windowPreviewQuerySchema,
      responses: { 200: windowPreviewSchema },
      handle: async ({ body }) => ok(await previewWindow(deps, body)),
    }),
    endpoint({
      method: 'GET',
      path: '/api/maintenance/windows/:id',
      tag: 'maintenance',
      summary: 'One maintenance window.',
      access: 'member',
      params: maintenanceIdParamsSchema,
      responses: { 200: windowSchema },
      handle: async ({ params }) => ok(await find(params.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/maintenance/windows/:id',
      tag: 'maintenance',
      summary: 'Changes a maintenance window; absent fields stay, and a time that is on keeps what it began with.',
      access: ['admin'],
      params: maintenanceIdParamsSchema,
      query: versionQuerySchema,
      body: windowChangeSchema,
      errors: [409],
      responses: { 200: windowSchema },
      handle: async ({ actor, ip, params, query, body }) => {
        const isDone = await changeWindow(deps, administratorOf(actor, ip), params.id, body, query.ifVersion);
        const window = await find(params.id);
        if (!isDone) throw changedMeanwhile('window', jsonText(JSON.stringify(window)));
        return ok(window);
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/maintenance/windows/:id',
      tag: 'maintenance',
      summary: 'Deletes a maintenance window that is not on; what it kept quiet stays.',
      access: ['admin'],
      params: maintenanceIdParamsSchema,
      errors: [409],
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await deleteWindow(deps, administratorOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}

/** A call by which an administrator changes when a window that is on ends. */
const onOccurrence = (path: string, summary: string) =>
  ({
    method: 'POST',
    path: `/api/maintenance/occurrences/:id/${path}`,
    tag: 'maintenance',
    summary,
    access: ['admin'],
    params: maintenanceIdParamsSchema,
    errors: [409],
    responses: { 200: occurrenceSchema },
  }) as const;

function occurrenceRoutes(deps: WindowDeps & PreviewDeps): Endpoint[] {
  const { reads } = deps.database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/maintenance/occurrences',
      tag: 'maintenance',
      summary: `Lists the times at which windows were on between two moments, newest first, ${MAX_OCCURRENCES} at most.`,
      access: 'member',
      query: occurrenceQuerySchema,
      responses: { 200: occurrenceListSchema },
      handle: async ({ query: { from, to } }) => {
        const found = await reads.getRepository(OccurrenceEntity).find({
          where: {
            ...(from !== undefined && { endsAt: MoreThan(Date.parse(from)) }),
            startsAt: LessThan(to === undefined ? Date.now() : Math.min(Date.now(), Date.parse(to))),
          },
          order: { startsAt: 'DESC', id: 'DESC' },
          take: MAX_OCCURRENCES,
        });
        const windows = await reads.getRepository(WindowEntity).find({ select: { id: true } });
        const ids = new Set(windows.map(({ id }) => id));
        return ok(found.map((one) => presentOccurrence(one, !ids.has(one.windowId))));
      },
    }),
    endpoint({
      ...onOccurrence('end', 'Ends a window that is on, five seconds from now.'),
      handle: async ({ actor, ip, params }) =>
        ok(presentOccurrence(await endOccurrence(deps, administratorOf(actor, ip), params.id))),
    }),
    endpoint({
      ...onOccurrence('resume', 'Takes back within these five seconds that a window was ended.'),
      handle: async ({ actor, ip, params }) =>
        ok(presentOccurrence(await resumeOccurrence(deps, administratorOf(actor, ip), params.id))),
    }),
    endpoint({
      ...onOccurrence('extend', 'Has a window that is on, or planned, end later.'),
      body: extensionSchema,
      handle: async ({ actor, ip, params, body }) =>
        ok(presentOccurrence(await extendOccurrence(deps, administratorOf(actor, ip), params.id, body.minutes))),
    }),
  ];
}
