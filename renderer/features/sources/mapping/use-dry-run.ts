import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DryRunResult } from '#backend/contract/delivery.ts';
import type { Mapping } from '#backend/contract/mapping.ts';
import { type DryRun, dryRun, previewMapping } from '#renderer/features/sources/data/try-source.ts';
import { missingParts, triedMapping } from './mapping-draft.ts';

/** How long nothing must be typed before the server evaluates the paths, in milliseconds. */
const PAUSE_MS = 150;

/** How long nothing must be typed before the past deliveries are read, in milliseconds. */
const PREVIEW_PAUSE_MS = 600;

/** What a draft is tried on: a stored delivery, or a request that was pasted. */
export type Sample = Pick<DryRun, 'deliveryId' | 'request'>;

/** A draft once nothing was typed for so long. */
function useSettled(draft: Mapping, pauseMs: number): Mapping {
  const [settled, setSettled] = useState(draft);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), pauseMs);
    return () => clearTimeout(timer);
  }, [draft, pauseMs]);
  return settled;
}

/**
 * How a draft reads a request, evaluated by the server a moment after typing. `good` is the last result without an error, which
 * the card keeps.
 */
export function useDryRun(sourceId: string, sample: Sample | undefined, draft: Mapping) {
  const settled = useSettled(draft, PAUSE_MS);
  const missing = missingParts(settled).length > 0;
  const mapping = triedMapping(settled);
  const run = useQuery({
    queryKey: ['dry-run', sourceId, sample, mapping],
    queryFn: () => dryRun(sourceId, { ...sample, mapping }),
    // What half a condition leaves out is not tried.
    enabled: sample !== undefined && !missing,
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

/** What the last deliveries would become by a draft. `isEnabled`: it differs from what is saved. */
export function usePreview(sourceId: string, draft: Mapping, isEnabled: boolean) {
  const settled = useSettled(draft, PREVIEW_PAUSE_MS);
  const mapping = triedMapping(settled);
  return useQuery({
    queryKey: ['mapping-preview', sourceId, mapping],
    queryFn: () => previewMapping(sourceId, mapping),
    enabled: isEnabled && settled === draft && missingParts(settled).length === 0,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
}
