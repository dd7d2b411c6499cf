import { type MaintenanceWindow, windowSchema } from '#backend/contract/maintenance.ts';
import type { TestClient } from './test-client.ts';

/** An administrator of a server. */
interface WindowWorld {
  admin: TestClient;
}

const HOUR_MS = 3_600_000;

/** A window that nothing else has the name of. @param startsInMs from now; 0 for one that is on at once */
export const newWindow = (startsInMs: number, more: object = {}) => ({
  name: crypto.randomUUID(),
  search: 'customer:"Harbor & Finch"',
  startsAt: new Date(Date.now() + startsInMs).toISOString(),
  minutes: 60,
  timeZone: 'Europe/Berlin',
  rrule: null,
  ...more,
});

/** Plans a window. */
export async function planWindow(
  { admin }: WindowWorld,
  startsInMs = 0,
  more: object = {},
): Promise<MaintenanceWindow> {
  const answer = await admin.send('POST', '/api/maintenance/windows', newWindow(startsInMs, more));
  if (answer.status !== 201) throw new Error(`${answer.status}: ${await answer.text()}`);
  return windowSchema.parse(await answer.json());
}

/** The path of the occurrence of a window that is on. */
async function onOccurrence(world: WindowWorld): Promise<string> {
  const { current } = await planWindow(world);
  return `/api/maintenance/occurrences/${current?.id}`;
}

/** Every change of windows, with a request to it that succeeds. */
export const WINDOW_WRITE_ROUTES: Record<string, (world: WindowWorld) => Promise<{ path: string; body?: unknown }>> = {
  'POST /api/maintenance/windows': async () => ({ path: '/api/maintenance/windows', body: newWindow(HOUR_MS) }),
  'PATCH /api/maintenance/windows/:id': async (world) => ({
    path: `/api/maintenance/windows/${(await planWindow(world, HOUR_MS)).id}`,
    body: { minutes: 90 },
  }),
  'DELETE /api/maintenance/windows/:id': async (world) => ({
    path: `/api/maintenance/windows/${(await planWindow(world, HOUR_MS)).id}`,
  }),
  'POST /api/maintenance/preview': async () => {
    const { name: _, ...body } = newWindow(HOUR_MS, { rrule: 'FREQ=WEEKLY;BYDAY=SU' });
    return { path: '/api/maintenance/preview', body };
  },
  'POST /api/maintenance/occurrences/:id/end': async (world) => ({ path: `${await onOccurrence(world)}/end` }),
  'POST /api/maintenance/occurrences/:id/extend': async (world) => ({
    path: `${await onOccurrence(world)}/extend`,
    body: { minutes: 30 },
  }),
  'POST /api/maintenance/occurrences/:id/resume': async (world) => {
    const path = await onOccurrence(world);
    await world.admin.send('POST', `${path}/end`);
    return { path: `${path}/resume` };
  },
};

/** Who may call these, and the calls that read what they are about. */
export const WINDOW_POLICY: Record<string, 'admin' | 'member'> = {
  ...Object.fromEntries(Object.keys(WINDOW_WRITE_ROUTES).map((route) => [route, 'admin'] as const)),
  'GET /api/maintenance/windows': 'member',
  'GET /api/maintenance/windows/:id': 'member',
  'GET /api/maintenance/occurrences': 'member',
};

/** Successes that the document promises, and the route whose request gets each. */
export const WINDOW_CALL_NAMES: readonly (readonly [documented: string, route: string])[] = [
  ['POST /api/maintenance/windows 201', 'POST /api/maintenance/windows'],
  ['PATCH /api/maintenance/windows/{id} 200', 'PATCH /api/maintenance/windows/:id'],
  ['DELETE /api/maintenance/windows/{id} 204', 'DELETE /api/maintenance/windows/:id'],
  ['POST /api/maintenance/preview 200', 'POST /api/maintenance/preview'],
  ['POST /api/maintenance/occurrences/{id}/end 200', 'POST /api/maintenance/occurrences/:id/end'],
  ['POST /api/maintenance/occurrences/{id}/extend 200', 'POST /api/maintenance/occurrences/:id/extend'],
  ['POST /api/maintenance/occurrences/{id}/resume 200', 'POST /api/maintenance/occurrences/:id/resume'],
];

/** Calls that read what these are about. */
export const windowReads = (world: () => WindowWorld): Record<string, () => Promise<Response>> => ({
  'GET /api/maintenance/windows 200': () => world().admin.get('/api/maintenance/windows'),
  'GET /api/maintenance/windows/{id} 200': async () =>
    world().admin.get(`/api/maintenance/windows/${(await planWindow(world())).id}`),
  'GET /api/maintenance/occurrences 200': () => world().admin.get('/api/maintenance/occurrences'),
  // It says which windows are on.
  'GET /api/wallboard 200': () => world().admin.get('/api/wallboard'),
});
