import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DryRunResult } from '#backend/contract/delivery.ts';
import type { Mapping } from '#backend/contract/source.ts';
import { type DryRun, dryRun } from '#renderer/features/sources/data/try-source.ts';
import { mappingOf } from './mapping-draft.ts';

/** How long nothing must be typed before the server evaluates the paths, in milliseconds. */
const PAUSE_MS = 150;

/** What a draft is tried on: a stored delivery, or a request that was pasted. */
export type Sample = Pick<DryRun, 'deliveryId' | 'request'>;

/**
 * How a draft reads a request, evaluated by the server a moment after typing. `good` is the last result without an error, which
 * the card keeps.
 */
export function useDryRun(sourceId: string, sample: Sample | undefined, draft: Mapping) {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  const mapping = mappingOf(settled);
  const run = useQuery({
    queryKey: ['dry-run', sourceId, sample, mapping],
    queryFn: () => dryRun(sourceId, { ...sample, mapping }),
    enabled: sample !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const [good, setGood] = useState<DryRunResult>();
  if (run.data && run.data.errors.length === 0 && run.data !== good) setGood(run.data);
  return {
    result: run.data,
    good: good ?? run.data,
    error: run.error,
    isCurrent: settled === draft && !run.isFetching,
  };
}
