import { Suspense } from 'react';
import { useLookers } from '#renderer/alerts/data/looking.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';

const LookersLine = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "lookers" */ './lookers-line.tsx')).LookersLine,
  'omit',
);

/** Which colleagues have the alert open now; nothing when none has. */
export function Lookers({ alertId, isHead }: { alertId: string; isHead?: boolean }) {
  const people = useLookers(alertId);
  return (
    people && (
      <Suspense>
        <LookersLine people={people} isHead={isHead} />
      </Suspense>
    )
  );
}
