import { ApiError, apiSend } from './api-client.ts';

/** Deletes what is at a path of the API. What is gone already is gone. Throws an ApiError. */
export async function deleteAt(path: string): Promise<void> {
  try {
    await apiSend('DELETE', path);
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
  }
}
