import { useMemo } from 'react';
import { tokensOf } from '#backend/contract/search.ts';
import type { View } from '#backend/contract/view.ts';
import { useViews } from './views.ts';

/** A label, and the view that everybody sees and that searches for it. */
export interface LabelView {
  label: string;
  name: string;
}

/** Whether two labels are the same: searches find them whatever their case. */
export const isSameLabel = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

/** The label that a search is about: the only one that it names; undefined for none or several. */
function labelIn(search: string): string | undefined {
  const labels = tokensOf(search).flatMap(({ key, value }) => (key === 'label' ? [value.trim()] : []));
  return labels.length === 1 && labels[0] !== '' ? labels[0] : undefined;
}

/** The views that everybody sees and that are about one label: of each label the first. */
export function labelViewsIn(views: readonly Pick<View, 'isShared' | 'name' | 'search'>[]): LabelView[] {
  const found: LabelView[] = [];
  for (const { isShared, name, search } of views) {
    const label = isShared ? labelIn(search) : undefined;
    if (label !== undefined && !found.some((one) => isSameLabel(one.label, label))) found.push({ label, name });
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
