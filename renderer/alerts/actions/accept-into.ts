import { type Alert, alertSchema } from '#backend/contract/alert.ts';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';

/** Accepts an alert and files it in one step, which only the call for many has. */
export async function acceptInto(folderId: string | null, { id }: Alert): Promise<Alert> {
  const body = { action: 'move', folderId, ids: [id] };
  const { lost } = await apiSend('POST', '/api/alerts/bulk', { body, schema: bulkResultSchema });
  const [loss] = lost;
  if (loss?.reason === 'taken') throw new Error(`${inertLine(loss.ownerName ?? 'Someone')} accepted it first.`);
  if (loss) throw new Error('It is no longer in the inbox.');
  return apiGet(`/api/alerts/${encodeURIComponent(id)}`, alertSchema);
}
