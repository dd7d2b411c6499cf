import { useEffect, useState } from 'react';
import { type Wallboard, type WallboardRow } from '#backend/contract/wallboard.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ArrivalsChart } from './arrivals-chart.tsx';
import { type WallboardState, NOTHING_READ, followWallboard } from './follow-wallboard.ts';
import { SeverityShape } from './severity-shape.tsx';
import { StandingCards } from './standing-cards.tsx';
import { ageText, currencyOf, numberText, serverNow, shiftAt, timeText } from './wallboard-labels.ts';
import * as texts from './texts.ts';
import * as styles from './wallboard.module.css';

/** How often ages and the clock are drawn, in milliseconds. */
const TICK_MS = 1_000;

/** The wallboard of a token: large figures on a dark ground, for weeks. */
export function WallboardPage({ token }: { token: string }) {
  const [state, setState] = useState<WallboardState>(NOTHING_READ);
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => followWallboard(token, setState), [token]);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  const { board, readAt, isEnded } = state;
  const currency = currencyOf(readAt, now);
  // Alerts have times of the server: by another clock they would seem older or younger.
  const thereNow = board ? serverNow(board.at, readAt, now) : now;
  return (
    <main className={styles.screen} style={{ transform: shiftAt(now) }}>
      {board ? (
        <>
          <Head board={board} currency={currency} readAt={readAt} now={now} />
          <div className={`${styles.body} ${currency === 'old' ? styles.old : ''}`}>
            <Figures board={board} now={thereNow} />
            <div className={styles.middle}>
              <Rows rows={board.rows} now={thereNow} />
              <ArrivalsChart arrivals={board.arrivals} />
            </div>
            <StandingCards board={board} now={thereNow} />
          </div>
        </>
      ) : (
        <div className={styles.message}>
          <h1>
            <output>{isEnded ? texts.linkEnded : texts.reconnecting(undefined)}</output>
          </h1>
          {isEnded && <p>{texts.linkEndedHint}</p>}
        </div>
      )}
    </main>
  );
}

interface HeadProps {
  board: Wallboard;
  currency: ReturnType<typeof currencyOf>;
  readAt: number | undefined;
  now: number;
}

function Head({ board, currency, readAt, now }: HeadProps) {
  const { names, more } = board.customers;
  return (
    <header className={styles.head}>
      <img className={styles.logo} src="/icon.svg" alt="" />
      <h1>{inertLine(board.name)}</h1>
      <p className={styles.customers}>{texts.andMore(names.map(inertLine).join(', '), more)}</p>
      <output className={styles.connection}>
        <span className={currency === 'live' ? styles.dot_live : styles.dot_lost} aria-hidden />
        {currency === 'live' || readAt === undefined ? texts.live : texts.reconnecting(timeText(readAt))}
      </output>
      <time className={styles.clock}>{timeText(now)}</time>
    </header>
  );
}

function Figures({ board: { waiting, inProgress }, now }: { board: Wallboard; now: number }) {
  return (
    <section className={styles.figures}>
      {waiting.map(({ severity, alerts, oldestAt, onLadder }) => (
        <div
          key={severity}
          className={`${styles.figure} ${severity === 'critical' && alerts > 0 ? styles.alarming : ''}`}
        >
          <h2>
            <SeverityShape severity={severity} />
            {texts.severities[severity]}
          </h2>
          <p className={styles.number}>{numberText(alerts)}</p>
          <p className={styles.below}>
            {oldestAt === null ? texts.none : texts.oldest(ageText(Date.parse(oldestAt), now))}
            {onLadder > 0 && `, ${texts.onLadder(onLadder)}`}
          </p>
        </div>
      ))}
      <div className={styles.figure}>
        <h2>
          <span className={styles.dot_progress} aria-hidden />
          {texts.inProgress}
        </h2>
        <p className={styles.number}>{numberText(inProgress.alerts)}</p>
        <p className={styles.below}>{texts.byPeople(inProgress.people)}</p>
      </div>
    </section>
  );
}

function Rows({ rows, now }: { rows: readonly WallboardRow[]; now: number }) {
  return (
    <section className={styles.card}>
      <div className={styles.cardHead}>
        <h2>{texts.waiting}</h2>
        {rows.length > 0 && <p>{texts.mostSevereFirst}</p>}
      </div>
      {rows.length === 0 ? (
        <p className={styles.empty}>{texts.nothingWaits}</p>
      ) : (
        <ul className={styles.rows}>
          {rows.map(({ id, title, severity, customer, alertType, arrivedAt, isFlapping }) => (
            <li key={id}>
              <SeverityShape severity={severity} />
              <span className={styles.hidden}>{texts.severities[severity]}</span>
              <strong>{inertLine(title ?? alertType ?? texts.alert)}</strong>
              {isFlapping && <span className={styles.flapping}>{texts.flapping}</span>}
              <span className={styles.customer} dir="auto">
                {inertLine(customer ?? texts.noCustomer)}
              </span>
              <span className={styles.age}>{ageText(Date.parse(arrivedAt), now)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
