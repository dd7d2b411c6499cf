import { Button } from '@blueprintjs/core';
import { RepeatIcon, TickIcon } from '@blueprintjs/icons';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type LadderRun, type PlannedStep, ladderRunListSchema } from '#backend/contract/ladder.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { MANAGER_ROLES } from '#renderer/lib/paths.ts';
import { formatCardTime, formatExactTime, writeTime } from '#renderer/lib/times.ts';
import { useSession } from '#renderer/session/session.ts';
import { peopleNotes } from './ladder-people.ts';
import * as styles from './next-steps.module.css';

export const laddersQuery = (alertId: string) => {
  const path = `/api/alerts/${encodeURIComponent(alertId)}/ladders`;
  return queryOptions({
    queryKey: ['ladders', alertId],
    queryFn: ({ signal }) => apiGet(path, ladderRunListSchema, { signal }),
    refetchOnMount: 'always',
  });
};

/** What happens until somebody takes the alert: a ladder each, those that ended in one line. */
export function NextSteps({ alertId }: { alertId: string }) {
  const { data: runs = [] } = useQuery(laddersQuery(alertId));
  return runs.map((run) =>
    run.endedAt === null ? (
      <Running key={run.id} alertId={alertId} run={run} />
    ) : (
      <Ended key={run.id} run={run} endedAt={run.endedAt} />
    ),
  );
}

const END_WORDS: Record<NonNullable<LadderRun['endReason']>, (by: string | undefined) => string> = {
  accepted: (by) => (by === undefined ? 'Ended when somebody accepted it' : `Ended by ${by}’s accept`),
  snoozed: () => 'Ended when it was snoozed',
  completed: () => 'Ended when it was completed',
  stopped: (by) => `Stopped by ${by ?? 'an administrator'}`,
  'not-taken': () => 'Nobody took it: every step was taken, and every administrator was notified',
  rule: () => 'Ended, because its rule was switched off or deleted',
};

function Ended({ run, endedAt }: { run: LadderRun; endedAt: string }) {
  const { ruleName, endReason, endedBy, steps } = run;
  const words = END_WORDS[endReason ?? 'completed'](endedBy === null ? undefined : inertLine(endedBy));
  const done = steps.length;
  const after = done === 0 ? 'before step 1' : `after ${done} ${done === 1 ? 'step' : 'steps'}`;
  return (
    <p className={styles.ended}>
      <bdi className={styles.rule}>{inertLine(ruleName)}</bdi>: {words} at{' '}
      <time dateTime={endedAt} title={formatExactTime(new Date(endedAt))}>
        {formatCardTime(new Date(endedAt))}
      </time>
      {endReason !== 'not-taken' && `, ${after}`}.
    </p>
  );
}

function Running({ alertId, run }: { alertId: string; run: LadderRun }) {
  const { role } = useSession();
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  const next = run.steps.find(({ state }) => state === 'next');
  const shown = shownSteps(run, next);
  const later = run.repeat - (next?.round ?? 0);
  const again = run.steps.find(({ round, step }) => round === (next?.round ?? 0) + 1 && step === 1);
  const ask = async (what: 'skip' | 'stop'): Promise<void> => {
    setPending(true);
    setFailure(undefined);
    const path = `/api/alerts/${encodeURIComponent(alertId)}/ladders/${encodeURIComponent(run.id)}/${what}`;
    try {
      await apiSend('POST', path, what === 'skip' ? { body: { position: next?.position } } : {});
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    } finally {
      setPending(false);
      await client.invalidateQueries({ queryKey: ['ladders', alertId] });
    }
  };
  return (
    <section className={styles.ladder} aria-label="What happens next">
      <header className={styles.head}>
        <h3 className={styles.title}>What happens next</h3>
        <bdi className={styles.small}>{inertLine(run.ruleName)}</bdi>
        {MANAGER_ROLES.includes(role) && (
          <span className={styles.tools}>
            {next && (
              <Button
                text={next.step === null ? 'Notify administrators now' : `Notify step ${next.step} now`}
                disabled={isPending}
                onClick={() => void ask('skip')}
              />
            )}
            <Button text="Stop" disabled={isPending} onClick={() => void ask('stop')} />
          </span>
        )}
      </header>
      {failure !== undefined && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
      <ol className={styles.steps}>
        {shown.map((step) => (
          <StepRow key={step.position} step={step} />
        ))}
        {later > 0 && (
          <li className={styles.step}>
            <span className={styles.circle}>
              <RepeatIcon size={12} />
            </span>
            <time className={styles.time} dateTime={again?.at}>
              {again && writeTime(new Date(again.at), 'h:mm a')}
            </time>
            <span className={styles.who}>
              <span>Start again at step 1</span>
              <span className={styles.small}>
                {later === 1 ? 'Once more' : `${later} times more`}, then it is marked as not taken
              </span>
            </span>
          </li>
        )}
      </ol>
      <p className={styles.foot}>Ends at once when somebody accepts or snoozes it, or when it resolves.</p>
    </section>
  );
}

/** The round that is on: what was done of it and what is to come, and the end where nothing is repeated any more. */
function shownSteps({ steps, repeat }: LadderRun, next: PlannedStep | undefined): PlannedStep[] {
  const round = next?.round ?? repeat;
  return steps.filter((one) => one.round === round && (one.step !== null || round === repeat));
}

function StepRow({ step }: { step: PlannedStep }) {
  const { at, state, to, people, faults } = step;
  const isNext = state === 'next';
  const label = step.step === null ? 'Not taken' : `Step ${step.step}`;
  return (
    <li className={`${styles.step} ${isNext ? styles.step_next : ''}`} aria-label={`${label}, ${state}`}>
      <span className={`${styles.circle} ${styles[`circle_${state}`]}`}>
        {state === 'done' ? <TickIcon size={12} /> : (step.step ?? '!')}
      </span>
      <time className={styles.time} dateTime={at} title={formatExactTime(new Date(at))}>
        {writeTime(new Date(at), 'h:mm a')}
      </time>
      <span className={styles.who}>
        <bdi className={styles.to}>{to.map(inertLine).join(', ')}</bdi>
        {state === 'done' && <span className={styles.small}>{doneLine(people)}</span>}
        {peopleNotes(people).map(
          ({ names, note, isFault }) =>
            (state !== 'done' || isFault) && (
              <span key={note} className={styles.small}>
                <bdi>{names}</bdi> <span className={isFault ? styles.fault : undefined}>{note}</span>
              </span>
            ),
        )}
        {faults.map((fault) => (
          <span key={fault} className={styles.fault}>
            {inertLine(fault)}
          </span>
        ))}
      </span>
      <span className={styles.end}>{state === 'done' ? 'Done' : isNext ? <Countdown at={at} /> : ''}</span>
    </li>
  );
}

/** How many people a step notified. */
function doneLine(people: PlannedStep['people']): string {
  const count = people.filter(({ without }) => without === undefined).length;
  return count === 0 ? '' : `${count} ${count === 1 ? 'person' : 'people'} notified`;
}

/** Ten minutes: above it the time is said in whole minutes. */
const FINE_MS = 600_000;

/** How long until a step, each second; it is not read aloud. */
function Countdown({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const leftMs = Date.parse(at) - now;
  return <span aria-hidden>{leftLabel(leftMs)}</span>;
}

function leftLabel(leftMs: number): string {
  if (leftMs <= 0) return 'now';
  const seconds = Math.ceil(leftMs / 1_000);
  if (leftMs > FINE_MS) return `in ${Math.ceil(seconds / 60)} min`;
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `in ${seconds} s` : `in ${minutes} min ${seconds % 60} s`;
}
