import { type Query, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useSyncExternalStore } from 'react';
import { alertStoreOf, knownAlertLists, readAlertList } from './list-cache.ts';
import { idsOf } from './list-pages.ts';

interface QuietOnScreenProps {
  children: (ids: ReadonlySet<string>) => ReactNode;
}

/** Whether the alerts of a list are drawn. What only counts inbox and queue, beside other lists, selects the number. */
const isDrawn = (query: Query | undefined): boolean =>
  query?.isActive() === true && query.observers.some(({ options }) => options.select === undefined);

/** Draws by what keeps alerts of the lists on screen quiet, by its id. */
export function QuietOnScreen({ children }: QuietOnScreenProps) {
  const client = useQueryClient();
  const subscribe = useCallback(
    (listener: () => void) => {
      const ends = [client.getQueryCache().subscribe(listener), alertStoreOf(client).subscribe(listener)];
      return () => ends.forEach((end) => end());
    },
    [client],
  );
  const read = useCallback(() => {
    const store = alertStoreOf(client);
    const cache = client.getQueryCache();
    const ids = knownAlertLists(client)
      .filter(({ path }) => isDrawn(cache.find({ queryKey: [path] })))
      .flatMap(({ path }) => {
        const pages = readAlertList(client, path);
        return pages ? idsOf(pages).map((id) => store.read(id)?.quietBy?.id ?? '') : [];
      });
    return [...new Set(ids)].toSorted().join(' ');
  }, [client]);
  return children(new Set(useSyncExternalStore(subscribe, read).split(' ')));
}
