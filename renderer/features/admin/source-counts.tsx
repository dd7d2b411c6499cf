import { useQuery } from '@tanstack/react-query';
import { type Source, sourceListSchema } from '#backend/contract/source.ts';
import { apiGetAll } from '#renderer/lib/api-client.ts';
import * as texts from './texts.tsx';
import * as refusingDotStyles from './refusing-dot.module.css';
import * as styles from './source-counts.module.css';

const SOURCES = '/api/sources';

/** How often health is read again, in milliseconds: what changes with the time alone makes no event. */
const HEALTH_MS = 30_000;

/** How many sources refuse and how many are silent; 0 while that is not known. For administrators. */
function useHealthCounts(): { refusing: number; silent: number } {
  const { data } = useQuery({
    queryKey: [SOURCES],
    queryFn: ({ signal }) => apiGetAll(SOURCES, sourceListSchema, { signal }),
    refetchOnMount: 'always',
    refetchInterval: HEALTH_MS,
  });
  const countOf = (state: Source['health']['state']): number =>
    data?.filter(({ health }) => health.state === state).length ?? 0;
  return { refusing: countOf('refusing'), silent: countOf('silent') };
}

/** How many sources refuse and how many are silent; nothing while all are well, or while that is not known. */
export function SourceCounts() {
  const { refusing, silent } = useHealthCounts();
  if (refusing === 0 && silent === 0) return null;
  return (
    <span className={styles.health}>
      {refusing > 0 && <span className={styles.refusing}>{texts.refusing(refusing)}</span>}
      {silent > 0 && <span className={styles.silent}>{texts.silent(silent)}</span>}
    </span>
  );
}

/** A dot while a source refuses what is posted to it, which screen readers read out; nothing else. */
export function RefusingDot() {
  const { refusing } = useHealthCounts();
  if (refusing === 0) return null;
  return (
    <span className={refusingDotStyles.refusingDot}>
      <span className="ad-hidden">
        {refusing === 1 ? texts.oneSourceIsRefusingRequests : texts.sourcesAreRefusingRequests(refusing)}
      </span>
    </span>
  );
}
