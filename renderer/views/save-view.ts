import { useCallback } from 'react';
import type { AlertSort } from '#backend/contract/alert.ts';
import type { ViewList } from '#backend/contract/view.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';

/** What a view is to be made of. */
export interface ViewDraft {
  list: ViewList;
  search: string;
  sort: AlertSort;
}

const loadDialog = async () => (await import('./save-view-dialog.tsx')).SaveViewDialog;

/** Opens the dialog that saves a view. */
export function useSaveView(): (draft: ViewDraft) => void {
  const ask = useAsk();
  return useCallback((draft) => ask(loadDialog, { draft }), [ask]);
}
