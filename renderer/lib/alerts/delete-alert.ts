import { apiSend } from '#renderer/lib/api-client.ts';

/** `DELETE /api/webhooks/{id}`. `keepalive` sends it even though the page is going away. Throws an ApiError. */
export const deleteAlert = (id: string, { keepalive = false } = {}): Promise<undefined> =>
  apiSend('DELETE', `/api/webhooks/${encodeURIComponent(id)}`, { keepalive });
