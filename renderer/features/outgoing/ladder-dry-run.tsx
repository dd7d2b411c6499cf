import { useQuery } from '@tanstack/react-query';
import type { Ladder, PlannedStep } from '#backend/contract/ladder.ts';
import { peopleNotes } from '#renderer/alerts/panel/ladder-people.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { writeTime } from '#renderer/lib/times.ts';
import { dryRunQuery } from './ladder-data.ts';
import { stepLabel } from './ladder-labels.ts';
import * as texts from './ladders-texts.ts';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';
import * as ladderStyles from './ladder.module.css';

/** Rows that are shown; the rest is a number. */
const MAX_ROWS = 12;

/** What a ladder would do if an alert came now, with real names. Nobody is notified. */
export function LadderDryRun({ ladder }: { ladder: Ladder | null }) {
  const isComplete = ladder?.steps.every(({ recipients }) => recipients.length > 0) === true;
  const { data, error } = useQuery(dryRunQuery(isComplete ? ladder : null));
  if (!ladder) return null;
  const shown = data && data.length > MAX_ROWS ? [...data.slice(0, MAX_ROWS - 1), ...data.slice(-1)] : data;
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-ladder-dry-run">
      <h2 id="ad-ladder-dry-run" className={styles.sheetTitle}>
        {texts.ifAlertCameNow}
      </h2>
      <p className={styles.sheetHint}>{texts.dryRunHint}</p>
      {error && <p className={styles.emptyMatches}>{error.message}</p>}
      {!isComplete && <p className={styles.emptyMatches}>{outgoingTexts.chooseWhomEachStepNotifies}</p>}
      {isComplete && (
        <ol className={panelStyles.rows}>
          {shown?.map((step) => (
            <DryRunRow key={step.position} step={step} />
          ))}
        </ol>
      )}
      {isComplete && data && data.length > MAX_ROWS && (
        <p className={styles.emptyMatches}>{texts.moreSteps(data.length - MAX_ROWS)}</p>
      )}
    </section>
  );
}

function DryRunRow({ step }: { step: PlannedStep }) {
  return (
    <li className={ladderStyles.dryRow}>
      <time dateTime={step.at}>{writeTime(new Date(step.at), 'h:mm a')}</time>
      <div className={styles.names}>
        <span className={ladderStyles.dryTitle}>
          {stepLabel(step)}: {step.to.map(inertLine).join(', ')}
        </span>
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
