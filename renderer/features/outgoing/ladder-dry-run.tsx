import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Ladder, PlannedStep } from '#backend/contract/ladder.ts';
import { peopleNotes } from '#renderer/alerts/panel/ladder-people.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatMoment, writeTime } from '#renderer/lib/times.ts';
import { typedMoment } from '#renderer/lib/times-in-zone.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { dryRunQuery } from './ladder-data.ts';
import { stepLabel } from './ladder-labels.ts';
import * as texts from './ladders-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** Rows that are shown; the rest is a number. */
const MAX_ROWS = 12;

/** A moment as it is typed, by the clock that the rows show. What is not written in full is none yet. */
function startAt(from: string): { from: string; at?: string } {
  const moment = typedMoment(from, new Date());
  return Number.isNaN(moment.getTime()) ? { from } : { from, at: moment.toISOString() };
}

/** What a ladder would do if an alert came now, or at a time that is chosen, with real names. Nobody is notified. */
export function LadderDryRun({ ladder }: { ladder: Ladder | null }) {
  const isComplete = ladder?.steps.every(({ recipients }) => recipients.length > 0) === true;
  const [{ from, at }, setStart] = useState<{ from: string; at?: string }>({ from: '' });
  const { data, error } = useQuery(dryRunQuery(isComplete ? ladder : null, at));
  if (!ladder) return null;
  const shown = data && data.length > MAX_ROWS ? [...data.slice(0, MAX_ROWS - 1), ...data.slice(-1)] : data;
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-ladder-dry-run">
      <h2 id="ad-ladder-dry-run" className={styles.sheetTitle}>
        {at === undefined ? texts.ifAlertCameNow : texts.ifAlertCameThen}
      </h2>
      <p className={styles.sheetHint}>{texts.dryRunHint}</p>
      <div className={ladderStyles.dryFrom}>
        <label>
          {texts.dryRunFrom}
          <input
            className="bp6-input"
            type="datetime-local"
            value={from}
            onChange={({ currentTarget }) => setStart(startAt(currentTarget.value))}
          />
        </label>
        <span className={styles.small}>{at === undefined && texts.dryRunFromNow}</span>
      </div>
      {error && <p className={styles.emptyMatches}>{error.message}</p>}
      {!isComplete && <p className={styles.emptyMatches}>{outgoingTexts.chooseWhomEachStepNotifies}</p>}
      {isComplete && (
        <ol className={panelStyles.rows}>
          {shown?.map((step, index) => (
            <DryRunRow key={step.position} step={step} before={shown[index - 1]} />
          ))}
        </ol>
      )}
      {isComplete && data && data.length > MAX_ROWS && (
        <p className={styles.emptyMatches}>{texts.moreSteps(data.length - MAX_ROWS)}</p>
      )}
    </section>
  );
}

/** The clock's offset from UTC at a moment, such as "GMT-5". */
const offsetAt = (at: string): string => writeTime(new Date(at), 'O');

/** @param before the row above, undefined for the first */
function DryRunRow({ step, before }: { step: PlannedStep; before: PlannedStep | undefined }) {
  const time = useNow((now) => formatMoment(new Date(step.at), now));
  return (
    <li className={ladderStyles.dryRow}>
      <time dateTime={step.at}>{time}</time>
      <div className={styles.names}>
        <span className={ladderStyles.dryTitle}>
          {stepLabel(step)}: {step.to.map(inertLine).join(', ')}
        </span>
        {before && offsetAt(before.at) !== offsetAt(step.at) && (
          <span className={styles.small}>{texts.clocksChange}</span>
        )}
        {peopleNotes(step.people).map(({ names, note, isFault }) => (
          <span key={note} className={styles.small}>
            <bdi>{names}</bdi> <span className={isFault ? ladderStyles.fault : undefined}>{note}</span>
          </span>
        ))}
        {step.faults.map((fault) => (
          <span key={fault} className={`${styles.small} ${ladderStyles.fault}`}>
            {inertLine(fault)}
          </span>
        ))}
      </div>
    </li>
  );
}
