import { type Alert, alertSchema } from '#backend/contract/alert.ts';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { apiGet, apiSend, mayAnswerLater } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import * as texts from './texts.ts';

/**
 * Accepts an alert and files it in one step, which only the call for many has. Once that is done, an alert that cannot be
 * read just now is given as `expected`: its live event brings the rest.
 */
export async function acceptInto(folderId: string | null, { id }: Alert, expected: Alert): Promise<Alert> {
  const body = { action: 'move', folderId, ids: [id] };
  const { lost } = await apiSend('POST', '/api/alerts/bulk', { body, schema: bulkResultSchema });
  const [loss] = lost;
  if (loss?.reason === 'taken') throw new Error(texts.acceptedItFirst(loss.ownerName && inertLine(loss.ownerName)));
  if (loss) throw new Error(texts.itIsNoLongerIn);
  return apiGet(`/api/alerts/${encodeURIComponent(id)}`, alertSchema).catch((error: unknown) => {
    if (mayAnswerLater(error)) return expected;
    throw error;
  });
}
