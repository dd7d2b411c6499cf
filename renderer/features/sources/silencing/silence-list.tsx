import { Button } from '@blueprintjs/core';
import { Link } from 'react-router-dom';
import type { Silence } from '#backend/contract/silence.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useSilencingCommands } from './silencing-data.ts';
import * as texts from './texts.ts';
import * as styles from './silencing.module.css';

/** Silences of a source that are not over: of which alert, for whom, until when. */
export function SilenceList({ sourceId, silences }: { sourceId: string; silences: readonly Silence[] }) {
  if (silences.length === 0) return <p className={styles.empty}>{texts.noSilences}</p>;
  return (
    <ul className={styles.list} aria-label={texts.activeSilences(silences.length)}>
      {silences.map((silence) => (
        <SilenceRow key={silence.id} sourceId={sourceId} silence={silence} />
      ))}
    </ul>
  );
}

function wordOf({ state, kind }: Silence): string {
  if (state === 'active') return texts.ACTIVE[kind];
  if (state === 'held') return texts.held;
  return state === 'ending' ? texts.ending : texts.waiting;
}

function SilenceRow({ sourceId, silence }: { sourceId: string; silence: Silence }) {
  const commands = useSilencingCommands(sourceId);
  const toasts = useToasts();
  const { id, alertId, alertTitle, ownerName, state, endsAt, fault } = silence;
  const name = alertTitle === null ? texts.alertIsGone : inertLine(alertTitle);
  const run = (work: Promise<void>): void =>
    void work.catch((error: unknown) =>
      toasts.show({
        variant: 'destructive',
        title: texts.couldNotBeDone,
        description: messageOf(error),
      }),
    );
  const word = wordOf(silence);
  const words = [
    word,
    ...(endsAt === null ? [] : [texts.until(formatCardTime(new Date(endsAt)))]),
    ...(ownerName === null ? [] : [texts.forOwner(inertLine(ownerName))]),
  ];
  return (
    <li className={styles.silence}>
      <div className={styles.words}>
        {alertTitle === null ? name : <Link to={`/alert/${alertId}`}>{name}</Link>}
        <div className={styles.state}>{words.join(' ')}</div>
        {fault !== null && <div className={styles.fault}>{inertLine(fault)}</div>}
      </div>
      {fault !== null && (
        <Button text={texts.tryAgain} aria-label={texts.tryAgainOf(name)} onClick={() => run(commands.retry(id))} />
      )}
      {state !== 'ending' && state !== 'held' && (
        <Button text={texts.endNow} aria-label={texts.endNowOf(name)} onClick={() => run(commands.end(id))} />
      )}
    </li>
  );
}
