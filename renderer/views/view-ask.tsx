import { useAtom } from 'jotai';
import { Suspense, useEffect } from 'react';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { type ViewDraft, viewAskAtom } from './view-ask-atom.ts';

const SaveViewDialog = lazyWithRetry(async () => (await import('./save-view-dialog.tsx')).SaveViewDialog, 'report');

/** Opens the dialog that saves a view whenever it is asked for. */
export function ViewAsk() {
  const [asked, setAsked] = useAtom(viewAskAtom);
  const { shown, open } = useDialog<ViewDraft>();
  useEffect(() => {
    if (!asked) return;
    open(asked);
    setAsked(undefined);
  }, [asked, open, setAsked]);
  return (
    <Suspense>{shown && <SaveViewDialog key={shown.key} draft={shown.subject} presence={shown.presence} />}</Suspense>
  );
}
