import { Button } from '@blueprintjs/core';
import { CrossIcon, InfoSignIcon } from '@blueprintjs/icons';
import type { Downtime } from '#backend/contract/heartbeat.ts';
import { ApiError } from '#renderer/lib/api-client.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { dateOf, formatCardTime, writeTime } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import { placeOnPage } from '#renderer/ui/use-dialog.ts';
import { useHeartbeatCommands } from './heartbeats-data.ts';
import * as texts from './texts.tsx';
import * as styles from './heartbeats.module.css';

/** The focus of a line that is closed goes to the next one, to the one before, or to the page. */
const leaveFocus = passFocus((line) => {
  const lines = [...document.querySelectorAll(`.${styles.downtime}`)];
  const at = lines.indexOf(line);
  return (lines[at + 1] ?? lines[at - 1])?.querySelector('button') ?? placeOnPage();
});

/** A line for each time in which no server ran and heartbeats were due, until an administrator closes it. */
export function DowntimeLines({ downtimes, isAdmin }: { downtimes: readonly Downtime[]; isAdmin: boolean }) {
  const { closeDowntime } = useHeartbeatCommands();
  const toasts = useToasts();
  const close = (id: string): Promise<void> =>
    closeDowntime(id).catch((error: unknown) => {
      // A colleague was faster: the line is gone.
      if (error instanceof ApiError && error.status === 404) return;
      const description = messageOf(error);
      toasts.show({ title: texts.failed, description, variant: 'destructive' });
    });
  return downtimes.map(({ id, from, to, heartbeats, missing, waiting }) => (
    <div key={id} ref={leaveFocus} className={styles.downtime}>
      <InfoSignIcon className={styles.downtimeIcon} />
      <p>
        <strong>{texts.downtime(...spanText(new Date(from), new Date(to)))}</strong>{' '}
        <span>{texts.downtimeCount(heartbeats, missing, waiting)}</span>
      </p>
      {isAdmin && (
        <Button
          variant="minimal"
          className={styles.tool}
          icon={<CrossIcon />}
          aria-label={texts.closeForEverybody}
          data-tip={texts.closeForEverybody}
          onClick={() => void close(id)}
        />
      )}
    </div>
  ));
}

/** Today's times alone; of another day with the day; to the second where it lasted less than a minute. */
function spanText(from: Date, to: Date): [string, string] {
  const isShort = to.getTime() - from.getTime() < 60_000;
  const time = (at: Date): string => writeTime(at, isShort ? 'h:mm:ss a' : 'h:mm a');
  if (dateOf(from) === dateOf(new Date()) && dateOf(to) === dateOf(from)) return [time(from), time(to)];
  if (dateOf(from) === dateOf(to)) return [`${writeTime(from, 'MMM d')}, ${time(from)}`, time(to)];
  return [formatCardTime(from), formatCardTime(to)];
}
