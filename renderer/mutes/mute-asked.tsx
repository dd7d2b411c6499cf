import { useAtom } from 'jotai';
import { Suspense, useEffect } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { muteAskAtom } from './mute-ask.ts';
import { useMuteEnds } from './use-mute-ends.ts';

const MuteDialog = lazyWithRetry(async () => (await import('./mute-dialog.tsx')).MuteDialog, 'report');

/** Opens the dialog for muting whenever it is asked for, and sees to it that mutes end on screen. */
export function MuteAsk() {
  useMuteEnds();
  const [asked, setAsked] = useAtom(muteAskAtom);
  const { shown, open } = useDialog<Alert>();
  useEffect(() => {
    if (!asked) return;
    open(asked, document.querySelector<HTMLElement>('[data-alert-id][tabindex="0"]'));
    setAsked(undefined);
  }, [asked, open, setAsked]);
  return <Suspense>{shown && <MuteDialog key={shown.key} alert={shown.subject} presence={shown.presence} />}</Suspense>;
}
