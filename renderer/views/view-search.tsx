import { SearchField } from '#renderer/alerts/search/search-field.tsx';
import { useViews } from './views.ts';

/** Searches the list of a view. */
export function ViewSearch({ id }: { id: string }) {
  const { views } = useViews();
  const view = views?.find((one) => one.id === id);
  return view ? <SearchField list={view} /> : <span className="ad-header-search" />;
}
