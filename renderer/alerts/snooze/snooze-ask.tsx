import { useAtom } from 'jotai';
import { Suspense, useEffect } from 'react';
import { snoozeAskAtom } from '#renderer/alerts/data/list-state.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';

const SnoozeDialog = lazyWithRetry(async () => (await import('./snooze-dialog.tsx')).SnoozeDialog, 'report');

/**
 * Opens the dialog for date and time whenever a menu asks for it. It belongs to the page: the menu has closed by then, and
 * its card may leave.
 */
export function SnoozeAsk() {
  const [asked, setAsked] = useAtom(snoozeAskAtom);
  const { shown, open } = useDialog<NonNullable<typeof asked>>();
  useEffect(() => {
    if (!asked) return;
    open(asked, document.querySelector<HTMLElement>('[data-alert-id][tabindex="0"]'));
    setAsked(undefined);
  }, [asked, open, setAsked]);
  return (
    <Suspense>
      {shown && <SnoozeDialog key={shown.key} presence={shown.presence} onSelect={shown.subject.onSelect} />}
    </Suspense>
  );
}
