import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refetchSoon } from '#renderer/lib/query-freshness.ts';
import { MUTE_KEYS, muteEndsQuery } from './mutes.ts';

/** A moment after an end, so that the server's clock is past it, too; and the longest wait. In milliseconds. */
const AFTER_MS = 1_000;
const LONGEST_MS = 60 * 60 * 1000;

/** Reads the mutes again when the next of them has ended, so that nothing is shown as muted longer than it is. */
export function MuteEnds(): null {
  const client = useQueryClient();
  const { data, dataUpdatedAt } = useQuery(muteEndsQuery);
  const next = data?.[0]?.until;
  useEffect(() => {
    if (next === undefined) return undefined;
    const rest = Math.max(Date.parse(next), dataUpdatedAt) - Date.now() + AFTER_MS;
    const timer = setTimeout(
      () => {
        for (const queryKey of MUTE_KEYS) refetchSoon(client, queryKey);
      },
      Math.min(Math.max(0, rest), LONGEST_MS),
    );
    return () => clearTimeout(timer);
  }, [client, next, dataUpdatedAt]);
  return null;
}
