import { useQuery } from '@tanstack/react-query';
import { type Source, sourceListSchema } from '#backend/contract/source.ts';
import { apiGetAll } from '#renderer/lib/api-client.ts';

const SOURCES = '/api/sources';

/** How many sources refuse and how many are silent; nothing while all are well, or while that is not known. */
export function SourceCounts() {
  const { data } = useQuery({
    queryKey: [SOURCES],
    queryFn: ({ signal }) => apiGetAll(SOURCES, sourceListSchema, { signal }),
    refetchOnMount: 'always',
  });
  const countOf = (state: Source['health']['state']): number =>
    data?.filter(({ health }) => health.state === state).length ?? 0;
  const refusing = countOf('refusing');
  const silent = countOf('silent');
  if (refusing === 0 && silent === 0) return null;
  return (
    <span className="ad-admin-card-health">
      {refusing > 0 && <span className="ad-admin-card-refusing">{refusing} refusing</span>}
      {silent > 0 && <span className="ad-admin-card-silent">{silent} silent</span>}
    </span>
  );
}
