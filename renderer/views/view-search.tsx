import type { ReactNode } from 'react';
import { SearchField } from '#renderer/alerts/search/search-field.tsx';
import { useViews } from './views.ts';

/** Searches the list of a view; `place` stands for the field until the view is known. */
export function ViewSearch({ id, place }: { id: string; place: ReactNode }) {
  const { views } = useViews();
  const view = views?.find((one) => one.id === id);
  return view ? <SearchField list={view} /> : place;
}
