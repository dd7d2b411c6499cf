import { useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { writePart } from '#backend/contract/search.ts';
import { type NewView, viewSchema } from '#backend/contract/view.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { readNow } from '#renderer/lib/query-answers.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { type LabelView, isSameLabel, labelViewsIn } from '#renderer/views/view-labels.ts';
import { deletedViewsAtom, viewsQuery } from '#renderer/views/views.ts';
import * as texts from './incoming-rules-texts.ts';
import * as outgoingTexts from './texts.ts';

/** Whether a view is what would be made of a label. */
export const isViewMade = (view: LabelView, label: string): boolean =>
  view.list === 'inbox' && isSameLabel(view.label, label);

/**
 * Makes the view of New Alerts that everybody sees and that searches for a label, which can be undone. Where there is one by
 * now, because a colleague made it or a first attempt to save did, none is made; one that is being deleted here is none.
 *
 * @returns what does it; it throws an ApiError, such as for a name that another view has
 */
export function useMakeLabelView(): (label: string) => Promise<void> {
  const client = useQueryClient();
  const store = useStore();
  const undo = useUndoStack();
  return async (label) => {
    const views = await readNow(client, viewsQuery);
    const deleted = store.get(deletedViewsAtom);
    const staying = labelViewsIn(views.filter(({ id }) => !deleted.has(id)));
    if (staying.some((one) => isViewMade(one, label))) return;
    const body: NewView = {
      name: label,
      isShared: true,
      list: 'inbox',
      search: writePart('label', label),
      sort: 'newest',
      notify: 'settings',
    };
    const { id } = await apiSend('POST', '/api/views', { body, schema: viewSchema });
    await client.invalidateQueries(viewsQuery);
    undo.add({
      kind: 'view of a label made',
      title: texts.viewMade,
      description: inertLine(label),
      many: (count) => ({ title: texts.viewMade, description: outgoingTexts.times(count) }),
      undo: async () => {
        await apiSend('DELETE', `/api/views/${id}`);
        await client.invalidateQueries(viewsQuery);
      },
      undoFailed: outgoingTexts.notChanged,
    });
  };
}
