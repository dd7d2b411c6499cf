import { useQueryClient } from '@tanstack/react-query';
import { writePart } from '#backend/contract/search.ts';
import { type NewView, viewSchema } from '#backend/contract/view.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { isSameLabel, labelViewsIn } from '#renderer/views/view-labels.ts';
import { viewsQuery } from '#renderer/views/views.ts';
import * as texts from './incoming-rules-texts.ts';
import * as outgoingTexts from './texts.ts';

/**
 * Makes the view of New Alerts that everybody sees and that searches for a label, which can be undone. Where there is one by
 * now, because a colleague made it or a first attempt to save did, none is made.
 *
 * @returns what does it; it throws an ApiError, such as for a name that another view has
 */
export function useMakeLabelView(): (label: string) => Promise<void> {
  const client = useQueryClient();
  const undo = useUndoStack();
  return async (label) => {
    const views = await client.fetchQuery({ ...viewsQuery, staleTime: 0 });
    if (labelViewsIn(views).some((one) => isSameLabel(one.label, label))) return;
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
