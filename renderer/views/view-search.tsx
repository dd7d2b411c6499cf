import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import { SearchField } from '#renderer/alerts/search/search-field.tsx';
import { VIEW_VERSION } from '#renderer/lib/paths.ts';
import { useViews } from './views.ts';

/**
 * Searches the list of a view; `place` stands for the field until the view is known and the address is that of its filter.
 * Before that, what is typed would be replaced by the filter.
 */
export function ViewSearch({ id, place }: { id: string; place: ReactNode }) {
  const { views } = useViews();
  const [params] = useSearchParams();
  const view = views?.find((one) => one.id === id);
  return view && params.has(VIEW_VERSION) ? <SearchField list={view} /> : place;
}
