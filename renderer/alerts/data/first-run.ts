import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtom } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { useCallback, useEffect } from 'react';
import { type FirstRun, firstRunSchema } from '#backend/contract/first-run.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { useSession } from '#renderer/session/session.ts';
import { useInboxCount } from './alert-queries.ts';

/** `GET /api/first-run`: whether an alert has ever arrived. Asked while the inbox is empty. */
export const firstRunQuery = queryOptions<FirstRun>({
  queryKey: ['/api/first-run'],
  queryFn: ({ signal }) => apiGet('/api/first-run', firstRunSchema, { signal }),
  staleTime: 0,
  refetchOnMount: 'always',
});

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Whether this browser has shown the first run, and nobody has closed it since. */
const openAtom = atomWithStorage<boolean>(
  'first-run-open',
  false,
  withStorageValidator(isBoolean)(createJSONStorage()),
  { getOnInit: true },
);

/** The first run on the inbox page. */
export interface FirstRunState {
  /** It is not known yet whether the empty inbox has ever had an alert. */
  isAsking: boolean;
  /** No alert has ever arrived. */
  isWaiting: boolean;
  /** No alert has arrived, or one has and an administrator has not closed the news of it. */
  isShown: boolean;
  close: () => void;
}

export interface FirstRunProps extends Pick<FirstRunState, 'isWaiting' | 'close'> {
  /** Whether it stands in the place of what the empty inbox says. */
  onDrawn: (isDrawn: boolean) => void;
}

/** Whether the first run is shown: while no alert ever arrived, and to administrators until they close it. */
export function useFirstRun(): FirstRunState {
  const client = useQueryClient();
  const count = useInboxCount();
  const { role } = useSession();
  const [isOpen, setOpen] = useAtom(openAtom);
  const isEmpty = count === 0;
  const { data, isError } = useQuery({ ...firstRunQuery, enabled: isEmpty });
  const isWaiting = isEmpty && data?.hasAlerts === false;
  const isAdministrator = role === 'admin';

  useEffect(() => {
    if (isWaiting && isAdministrator) setOpen(true);
  }, [isWaiting, isAdministrator, setOpen]);
  useEffect(() => {
    if (isEmpty || count === undefined) return;
    client.setQueryData(firstRunQuery.queryKey, (known) => known && { ...known, hasAlerts: true });
  }, [client, isEmpty, count]);

  return {
    isAsking: isEmpty && data === undefined && !isError,
    isWaiting,
    isShown: isWaiting || (isOpen && isAdministrator && !(isEmpty && data === undefined)),
    close: useCallback(() => setOpen(false), [setOpen]),
  };
}
