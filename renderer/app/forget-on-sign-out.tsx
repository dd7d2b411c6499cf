import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { forgetScreensAtom } from '#renderer/lib/screen-memory.ts';
import { sessionQuery } from '#renderer/lib/session.ts';
import { toastOwnerAtom, useToasts } from '#renderer/lib/toast.ts';
import { useUndoStack } from '#renderer/lib/undo-stack.ts';

/**
 * Clears cached data once nobody is signed in any more, however the session ended. By
 * then the screens that read it are gone; what the sign-in page reads is in use and stays.
 */
export function ForgetOnSignOut() {
  const client = useQueryClient();
  const forgetScreens = useSetAtom(forgetScreensAtom);
  const setToastOwner = useSetAtom(toastOwnerAtom);
  const undo = useUndoStack();
  const toasts = useToasts();
  const { data: signedOut } = useQuery({ ...sessionQuery, select: (session) => session === null });
  useEffect(() => {
    if (!signedOut) return;
    const unsent = undo.drop();
    client.removeQueries({ type: 'inactive' });
    client.getMutationCache().clear();
    forgetScreens();
    setToastOwner(null);
    if (unsent > 0) {
      const description = 'You were signed out before your last change was sent.';
      toasts.show({ variant: 'destructive', title: 'Not saved', description });
    }
  }, [client, signedOut, forgetScreens, setToastOwner, undo, toasts]);
  return null;
}
