import type { Alert } from '#backend/contract/alert.ts';
import { ApiError, apiSend } from '#renderer/lib/api-client.ts';

/**
 * `DELETE /api/webhooks/{id}`, of the alert as it was when that was decided: one that has another owner by now stays.
 * `keepalive` sends it even though the page is going away. Throws an ApiError, or what became of the alert.
 */
export async function deleteAlert({ id, ownerId }: Alert, { keepalive = false } = {}): Promise<void> {
  const path = `/api/webhooks/${encodeURIComponent(id)}?ifOwner=${encodeURIComponent(ownerId ?? 'none')}`;
  await apiSend('DELETE', path, { keepalive }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status === 409 ? new Error(error.body, { cause: error }) : error;
  });
}
