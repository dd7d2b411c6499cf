import { type ReactNode, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { writePart } from '#backend/contract/search.ts';
import { useAlertDetails } from '#renderer/alerts/data/alert-details.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { INCOMING_RULES } from './entries.tsx';
import * as texts from './incoming-rules-texts.ts';

interface AlertsLikeProps {
  alertId: string;
  /** What is shown once the search for such alerts is known; undefined where the alert is gone. */
  children: (search: string | undefined) => ReactNode;
}

/**
 * Reads an alert, for a rule about alerts like it. The first outcome stays: later events read the alert again, and must not
 * replace what is being written.
 */
export function AlertsLike({ alertId, children }: AlertsLikeProps) {
  const { known, error, refetch } = useAlertDetails(alertId);
  const [outcome, setOutcome] = useState<{ search: string | undefined }>();
  if (outcome) return children(outcome.search);
  const isGone = error instanceof ApiError && error.status === 404;
  if (known || isGone) setOutcome({ search: known && searchLike(known.alert) });
  else if (error) return <LoadError what={texts.alertInTitle} error={error} onRetry={() => void refetch()} />;
  return <RowsSkeleton label={INCOMING_RULES.inText} isSheet />;
}

/** The search for alerts of the same source, customer and type. */
const searchLike = ({ sourceName, customer, alertType }: Alert): string =>
  (
    [
      ['source', sourceName],
      ['customer', customer],
      ['type', alertType],
    ] as const
  )
    .flatMap(([key, value]) => (value ? [writePart(key, value)] : []))
    .join(' ');
