import { useAtom } from 'jotai';
import { Suspense } from 'react';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { assignRequestAtom } from './assign-request.ts';

const AssignDialog = lazyWithRetry(async () => (await import('./assign-dialog.tsx')).AssignDialog, 'report');

/** The dialog of {@link assignRequestAtom}, whichever screen asks. */
export function AssignAsk() {
  const [request, setRequest] = useAtom(assignRequestAtom);
  if (request === undefined) return null;
  const onClosed = (): void => {
    setRequest(undefined);
    focusSomeCard(request.alerts[0]?.id);
  };
  return (
    <Suspense>
      <AssignDialog request={request} onClosed={onClosed} />
    </Suspense>
  );
}

/** The focus goes back to the alert, and when its card has left, to the one that is in the tab order. */
function focusSomeCard(alertId = ''): void {
  const main = document.querySelector('main');
  const isElsewhere = document.activeElement !== document.body && document.activeElement !== main;
  if (isElsewhere || main === null) return;
  const places = [`[data-alert-id="${CSS.escape(alertId)}"]`, '[data-alert-id][tabindex="0"]'];
  const card = places.map((place) => main.querySelector<HTMLElement>(place)).find((found) => found !== null);
  (card ?? main).focus();
}
