import { type ComponentType, Fragment, type ReactNode, createContext, use, useCallback } from 'react';
import { loadWithRetry } from '#renderer/lib/lazy-part.ts';
import { type DialogPresence, findOpener, useDialog } from './use-dialog.ts';

/**
 * Opens a dialog, whichever menu, key or button asks: the menu has closed by then, and its card may leave. The dialog is
 * fetched when it is first asked for.
 *
 * @param load fetches the dialog's component
 * @param props what it is about; its presence is added
 */
export type Ask = <P extends object>(
  load: () => Promise<ComponentType<P & { presence: DialogPresence }>>,
  props: P,
) => void;

const AskContext = createContext<Ask | undefined>(undefined);

/** Has {@link Ask} for everything inside. There is one of these dialogs at a time. */
export function Dialogs({ children }: { children: ReactNode }) {
  const { shown, open } = useDialog<(presence: DialogPresence) => ReactNode>();
  const ask = useCallback<Ask>(
    async (load, props) => {
      const opener = findOpener();
      const { pathname } = location;
      const Dialog = await loadWithRetry(load as () => Promise<ComponentType<object>>, 'report');
      // On a slow line: who has gone to another screen meanwhile is not asked there.
      if (!Dialog || location.pathname !== pathname) return;
      open((presence) => <Dialog {...props} {...{ presence }} />, opener);
    },
    [open],
  );
  return (
    <AskContext value={ask}>
      {children}
      {shown && <Fragment key={shown.key}>{shown.subject(shown.presence)}</Fragment>}
    </AskContext>
  );
}

/** How to open a dialog from here. The same function on every render. */
export function useAsk(): Ask {
  const ask = use(AskContext);
  if (!ask) throw new Error('There are no dialogs here.');
  return ask;
}
