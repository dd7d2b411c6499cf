import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { forgetScreensAtom } from '#renderer/lib/screen-memory.ts';
import { sessionQuery } from '#renderer/lib/session.ts';

/**
 * Clears what was read once nobody is signed in any more, however the session ended (spec.md section 7, logout). By
 * then the screens that read it are gone; what the sign-in page reads is in use and stays.
 */
export function ForgetOnSignOut() {
  const client = useQueryClient();
  const forgetScreens = useSetAtom(forgetScreensAtom);
  const { data: signedOut } = useQuery({ ...sessionQuery, select: (session) => session === null });
  useEffect(() => {
    if (!signedOut) return;
    client.removeQueries({ type: 'inactive' });
    client.getMutationCache().clear();
    forgetScreens();
  }, [client, signedOut, forgetScreens]);
  return null;
}
