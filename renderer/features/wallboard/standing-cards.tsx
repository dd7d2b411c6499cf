import type { Wallboard } from '#backend/contract/wallboard.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ageText, endText, numberText } from './wallboard-labels.ts';
import * as texts from './texts.ts';
import * as styles from './wallboard.module.css';

/** Who is on, and what is quiet, missing, failed, or in trouble. */
export function StandingCards({ board, now }: { board: Wallboard; now: number }) {
  const { onNow, windows, heartbeats, sources } = board;
  const [window] = windows;
  const isInTrouble = sources.refusing + sources.silent > 0;
  return (
    <section className={styles.standing}>
      <Card
        title={texts.onNow}
        value={onNow ? onNow.names.map(inertLine).join(', ') : texts.nobody}
        below={
          onNow
            ? texts.untilTime(inertLine(onNow.calendar), endText(Date.parse(onNow.until), now))
            : texts.noCalendarNames
        }
      />
      <Card
        title={texts.maintenance}
        value={
          windows.length > 1 ? texts.windowsOn(windows.length) : window ? inertLine(window.name) : texts.nothingIsOn
        }
        below={
          window
            ? texts.untilKept(
                endText(Date.parse(window.endsAt), now),
                numberText(windows.reduce((sum, { kept }) => sum + kept, 0)),
              )
            : texts.allAlertsNotify
        }
      />
      <Card
        title={texts.heartbeats}
        tone={heartbeats.down > 0 ? 'bad' : undefined}
        value={
          heartbeats.down > 0
            ? texts.missingOrFailed(numberText(heartbeats.down))
            : heartbeats.all === 0
              ? texts.noHeartbeats
              : texts.allInTime
        }
        below={
          heartbeats.name !== null && heartbeats.since !== null
            ? texts.downSince(inertLine(heartbeats.name), ageText(Date.parse(heartbeats.since), now))
            : heartbeats.all === 0
              ? texts.nothingExpected
              : texts.expected(numberText(heartbeats.all))
        }
      />
      <Card
        title={texts.sources}
        tone={isInTrouble ? 'doubtful' : undefined}
        value={isInTrouble ? texts.sourcesInTrouble(sources.refusing, sources.silent) : texts.allSourcesSend}
        below={isInTrouble ? sources.names.map(inertLine).join(', ') : texts.nothingRefused}
      />
    </section>
  );
}

interface CardProps {
  title: string;
  value: string;
  below: string;
  tone?: 'bad' | 'doubtful' | undefined;
}

const Card = ({ title, value, below, tone }: CardProps) => (
  <div className={styles.standingCard}>
    <h2>{title}</h2>
    <p className={`${styles.standingValue} ${tone ? styles[`tone_${tone}`] : ''}`}>{value}</p>
    <p className={styles.standingBelow}>{below}</p>
  </div>
);
