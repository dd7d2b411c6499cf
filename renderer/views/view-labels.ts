import { useMemo } from 'react';
import { tokensOf } from '#backend/contract/search.ts';
import type { View } from '#backend/contract/view.ts';
import { useViews } from './views.ts';

/** A label, and a view that everybody sees and that shows whatever is filed under it, in New Alerts or in all lists. */
export interface LabelView {
  label: string;
  name: string;
  list: 'inbox' | 'all';
}

/** Whether two labels are the same: searches find them whatever their case. */
export const isSameLabel = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** The labels that a search names. */
const labelsIn = (search: string): string[] =>
  tokensOf(search).flatMap(({ key, value }) => (key === 'label' && value.trim() !== '' ? [value.trim()] : []));

/** The label that is all that a search is about. */
function onlyLabelIn(search: string): string | undefined {
  const labels = labelsIn(search);
  return tokensOf(search).length === 1 ? labels[0] : undefined;
}

/** The views that everybody sees and that show what is filed under a label: of each the first, of New Alerts where there is one. */
export function labelViewsIn(views: readonly Pick<View, 'isShared' | 'list' | 'name' | 'search'>[]): LabelView[] {
  const found: LabelView[] = [];
  for (const list of ['inbox', 'all'] as const) {
    for (const view of views) {
      const label = view.isShared && view.list === list ? onlyLabelIn(view.search) : undefined;
      if (label === undefined || found.some((one) => isSameLabel(one.label, label))) continue;
      found.push({ label, name: view.name, list });
    }
  }
  return found;
}

/** The view of a label, as {@link useLabelViews} finds it. */
export function useViewOfLabel(label: string | undefined): LabelView | undefined {
  const views = useLabelViews();
  return label === undefined ? undefined : views.find((one) => isSameLabel(one.label, label));
}

/** {@link labelViewsIn} of the views as they are now; none while they are being read. */
export function useLabelViews(): readonly LabelView[] {
  const { views } = useViews();
  return useMemo(() => labelViewsIn(views ?? []), [views]);
}

/** The labels that views name which everybody sees, also beside something else that narrows the view. */
export function useLabelsOfViews(): readonly string[] {
  const { views } = useViews();
  return useMemo(() => (views ?? []).flatMap(({ isShared, search }) => (isShared ? labelsIn(search) : [])), [views]);
}
