import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiSend } from '#renderer/lib/api-client.ts';
import { alertTypeMutesQuery } from './get-alert-types.ts';

/** Whether I want to be notified of an alert type. */
export interface AlertTypeMuteChange {
  alertType: string;
  muted: boolean;
}

/**
 * `POST /api/alert-types/mutes`, or `DELETE /api/alert-types/mutes?alertType=…`: in a path, a browser would take the types
 * `.` and `..` for folders. Throws an ApiError.
 */
export const muteAlertType = ({ alertType, muted }: AlertTypeMuteChange): Promise<undefined> =>
  muted
    ? apiSend('POST', '/api/alert-types/mutes', { body: { alertType } })
    : apiSend('DELETE', `/api/alert-types/mutes?${new URLSearchParams({ alertType })}`);

/** Mutes or unmutes a type: on screen at once, and back if that fails. */
export function useMuteAlertType() {
  const client = useQueryClient();
  const show = ({ alertType, muted }: AlertTypeMuteChange) =>
    client.setQueryData<string[]>(alertTypeMutesQuery.queryKey, (mutes) => {
      const others = mutes?.filter((mute) => mute !== alertType);
      return others && muted ? [...others, alertType] : others;
    });
  return useMutation({
    mutationFn: muteAlertType,
    // One after the other: of two clicks the later one counts.
    scope: { id: alertTypeMutesQuery.queryKey.join('/') },
    onMutate: async (change) => {
      // An answer that is under way knows nothing of this.
      await client.cancelQueries({ queryKey: alertTypeMutesQuery.queryKey });
      show(change);
    },
    onError: (_error, change) => void show({ ...change, muted: !change.muted }),
  });
}
