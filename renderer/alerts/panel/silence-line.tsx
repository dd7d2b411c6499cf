import { Button } from '@blueprintjs/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Silence, alertSilenceSchema } from '#backend/contract/silence.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import * as texts from './silence-texts.ts';
import * as styles from './receipts.module.css';

/** How often a silence is read again while its alert is open in the panel, in milliseconds. */
const READ_MS = 5_000;

const silenceQuery = (alertId: string) =>
  queryOptions({
    queryKey: ['silence', alertId],
    queryFn: ({ signal }) =>
      apiGet(`/api/alerts/${encodeURIComponent(alertId)}/silence`, alertSilenceSchema, { signal }),
    refetchOnMount: 'always',
    refetchInterval: READ_MS,
  });

/** Whether the sender of an alert keeps quiet about it: for whom, until when, or why not. */
export function SilenceLine({ alertId }: { alertId: string }) {
  const { data } = useQuery(silenceQuery(alertId));
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const silence = data?.silence;
  if (!silence) return null;
  const retry = async (): Promise<void> => {
    setFailure(undefined);
    try {
      await apiSend('POST', `/api/silences/${encodeURIComponent(silence.id)}/retry`);
      await client.invalidateQueries({ queryKey: silenceQuery(alertId).queryKey });
    } catch (error) {
      setFailure(messageOf(error));
    }
  };
  const fault = failure ?? silence.fault;
  return (
    <section className={styles.silence} aria-label={texts.atTheSender}>
      <div className={styles.silenceWords}>
        {sentenceOf(silence)}
        {fault !== null && <div className={styles.failing}>{inertLine(fault)}</div>}
      </div>
      {silence.fault !== null && silence.state !== 'impossible' && (
        <Button text={texts.tryAgain} onClick={() => void retry()} />
      )}
    </section>
  );
}

function sentenceOf({ kind, state, end, endsAt, ownerName, sourceName, fault }: Silence): string {
  const source = sourceName === null ? texts.theSender : inertLine(sourceName);
  const owner = ownerName === null ? texts.somebody : inertLine(ownerName);
  if (state === 'active' && endsAt !== null) {
    return texts.doneUntil(kind, source, owner, formatCardTime(new Date(endsAt)));
  }
  if (state === 'impossible') {
    return fault === null ? `${texts.isNotDone(kind, source)}. ${texts.UNKNOWN[kind]}` : texts.isNotDone(kind, source);
  }
  if (state === 'held') return texts.isQuietByOthers(source);
  if (state === 'ending') return texts.isEnding(kind, source);
  if (state === 'ended') return texts.ended(kind, source, end ?? 'released');
  return fault === null ? texts.isBeingDone(kind, source) : texts.isNotDone(kind, source);
}
