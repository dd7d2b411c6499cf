import { useQuery } from '@tanstack/react-query';
import { sourcesInTroubleSchema } from '#backend/contract/source-standing.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import * as texts from './texts.tsx';
import * as refusingDotStyles from './refusing-dot.module.css';
import * as styles from './source-counts.module.css';

const SOURCE_HEALTH = '/api/source-health';

/** How often health is read again, in milliseconds: what changes with the time alone makes no event. */
const HEALTH_MS = 30_000;

/** How many sources refuse and how many are silent; 0 while that is not known. For administrators. */
function useHealthCounts(): { refusing: number; silent: number } {
  const { data } = useQuery({
    queryKey: [SOURCE_HEALTH],
    queryFn: ({ signal }) => apiGet(SOURCE_HEALTH, sourcesInTroubleSchema, { signal }),
    refetchOnMount: 'always',
    refetchInterval: HEALTH_MS,
  });
  return { refusing: data?.refusing.length ?? 0, silent: data?.silent.length ?? 0 };
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
