import { useEffect } from 'react';
import { useLeaveGuard } from './leave-guard.tsx';
import * as texts from './unsaved-texts.ts';

/**
 * Keeps the page while a secret is being created that only this page will show. Who wants to leave reads why they cannot yet, and
 * stays with the secret, or with the reason why there is none. A call without an answer is given up, so this ends.
 */
export function HoldWhile({ isPending }: { isPending: boolean }) {
  const { isAsked, stay } = useLeaveGuard(isPending);
  useEffect(() => {
    if (!isPending && isAsked) stay();
  }, [isPending, isAsked, stay]);
  return isAsked && <output>{texts.secretComesFirst}</output>;
}
