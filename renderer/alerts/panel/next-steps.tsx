import { Button } from '@blueprintjs/core';
import { ChevronDownIcon, ChevronRightIcon, RepeatIcon, TickIcon } from '@blueprintjs/icons';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import { type LadderRun, type PlannedStep, ladderRunListSchema } from '#backend/contract/ladder.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { MANAGER_ROLES } from '#renderer/lib/paths.ts';
import { formatCardTime, formatExactTime, writeTime } from '#renderer/lib/times.ts';
import { useSession } from '#renderer/session/session.ts';
import { peopleNotes } from './ladder-people.ts';
import { laddersKey, useRunCommands } from './run-commands.ts';
import * as texts from './next-steps-texts.ts';
import * as styles from './next-steps.module.css';

export const laddersQuery = (alertId: string) => {
  const path = `/api/alerts/${encodeURIComponent(alertId)}/ladders`;
  return queryOptions({
    queryKey: laddersKey(alertId),
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

/** A ladder that has ended in one line. It opens in place: each step that was taken, with whom it notified. */
function Ended({ run, endedAt }: { run: LadderRun; endedAt: string }) {
  const { ruleName, endReason, endedBy, steps } = run;
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const words = texts.END_WORDS[endReason ?? 'completed'](endedBy === null ? undefined : inertLine(endedBy));
  const line = (
    <>
      <bdi className={styles.rule}>{inertLine(ruleName)}</bdi>: {words} {texts.at}{' '}
      <time dateTime={endedAt} title={formatExactTime(new Date(endedAt))}>
        {formatCardTime(new Date(endedAt))}
      </time>
      {endReason !== 'not-taken' && `, ${texts.endedAfter(steps.length)}`}.
    </>
  );
  if (steps.length === 0) return <p className={styles.ended}>{line}</p>;
  return (
    <div className={styles.ended}>
      <button
        type="button"
        className={styles.endedLine}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
        <span>{line}</span>
      </button>
      <ol id={id} hidden={!isOpen} className={styles.steps}>
        {isOpen && steps.map((step) => <StepRow key={step.position} step={step} hasNames />)}
      </ol>
    </div>
  );
}

function Running({ alertId, run }: { alertId: string; run: LadderRun }) {
  const { role } = useSession();
  const next = run.steps.find(({ state }) => state === 'next');
  const shown = shownSteps(run, next);
  const later = run.repeat - (next?.round ?? 0);
  const again = run.steps.find(({ round, step }) => round === (next?.round ?? 0) + 1 && step === 1);
  const { isPending, skip, stop } = useRunCommands(alertId, run);
  return (
    <section className={styles.ladder} aria-label={texts.whatHappensNext}>
      <header className={styles.head}>
        <h3 className={styles.title}>{texts.whatHappensNext}</h3>
        <bdi className={styles.small}>{inertLine(run.ruleName)}</bdi>
        {MANAGER_ROLES.includes(role) && (
          <span className={styles.tools}>
            {next && (
              <Button
                text={next.step === null ? texts.notifyAdministratorsNow : texts.notifyStepNow(next.step)}
                aria-disabled={isPending || undefined}
                onClick={() => !isPending && skip(next)}
              />
            )}
            <Button text={texts.stop} aria-disabled={isPending || undefined} onClick={() => !isPending && stop()} />
          </span>
        )}
      </header>
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
              <span>{texts.startAgain}</span>
              <span className={styles.small}>{texts.timesMore(later)}</span>
            </span>
          </li>
        )}
      </ol>
      <p className={styles.foot}>{texts.endsAtOnce}</p>
    </section>
  );
}

/** The round that is on: what was done of it and what is to come, and the end where nothing is repeated any more. */
function shownSteps({ steps, repeat }: LadderRun, next: PlannedStep | undefined): PlannedStep[] {
  const round = next?.round ?? repeat;
  return steps.filter((one) => one.round === round && (one.step !== null || round === repeat));
}

/** @param hasNames whether a step that was taken names whom it notified, and not their number alone */
function StepRow({ step, hasNames = false }: { step: PlannedStep; hasNames?: boolean }) {
  const { at, state, to, people, faults } = step;
  const isNext = state === 'next';
  return (
    <li className={`${styles.step} ${isNext ? styles.step_next : ''}`} aria-label={texts.stepName(step.step, state)}>
      <span className={`${styles.circle} ${styles[`circle_${state}`]}`}>
        {state === 'done' ? <TickIcon size={12} /> : (step.step ?? '!')}
      </span>
      <time className={styles.time} dateTime={at} title={formatExactTime(new Date(at))}>
        {writeTime(new Date(at), 'h:mm a')}
      </time>
      <span className={styles.who}>
        <bdi className={styles.to}>{to.map(inertLine).join(', ')}</bdi>
        {state === 'done' && !hasNames && <span className={styles.small}>{doneLine(people)}</span>}
        {peopleNotes(people).map(
          ({ names, note, isFault }) =>
            (state !== 'done' || isFault || hasNames) && (
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
      <span className={styles.end}>{state === 'done' ? texts.done : isNext ? <Countdown at={at} /> : ''}</span>
    </li>
  );
}

/** How many people a step notified, and of how many other alerts together with this one. */
function doneLine(people: PlannedStep['people']): string {
  const notified = people.filter(({ without, gathered }) => without === undefined && gathered?.state !== 'dropped');
  if (notified.length === 0) return '';
  const isWaiting = notified.some(({ gathered }) => gathered?.state === 'waiting');
  const most = Math.max(...notified.map(({ gathered }) => gathered?.alerts ?? 1));
  return texts.peopleNotified(notified.length) + (isWaiting ? `, ${texts.gatheredWaiting}` : texts.gatheredSent(most));
}

/** How long until a step, each second; it is not read aloud. */
function Countdown({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span aria-hidden>{texts.leftLabel(Date.parse(at) - now)}</span>;
}
