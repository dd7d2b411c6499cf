import type { MaintenanceWindow } from '#backend/contract/maintenance.ts';
import type { AppServer } from './app-server.ts';
import { expect } from './fixtures.ts';

/** Deletes a maintenance window. One that is on is ended first, which takes a moment. */
export async function deleteWindow(app: AppServer, { id, current }: Pick<MaintenanceWindow, 'id' | 'current'>) {
  if (current) {
    expect((await app.admin.request('POST', `/api/maintenance/occurrences/${current.id}/end`)).status).toBe(200);
  }
  const remove = async () => (await app.admin.request('DELETE', `/api/maintenance/windows/${id}`)).status;
  await expect.poll(remove).toBe(204);
}
