import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import type { Destination } from '#backend/contract/outgoing.ts';
import type { OutgoingReceipt } from '#backend/contract/outgoing-receipt.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { undeliveredQuery, useOutgoingCommands } from './outgoing-data.ts';
import { EVENT_LABELS } from './outgoing-labels.ts';
import * as texts from './destinations-texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** The newest messages that were not delivered to a destination, each with why. */
export function UndeliveredPanel({ destination }: { destination: Destination }) {
  const query = useQuery(undeliveredQuery(destination.id));
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-undelivered">
      <h2 id="ad-undelivered" className={styles.sheetTitle}>
        {texts.notDelivered}
      </h2>
      <WhenLoaded what={texts.messages} queries={[query]}>
        <ul className={panelStyles.rows}>
          {query.data?.map((message) => (
            <UndeliveredRow key={message.id} message={message} />
          ))}
        </ul>
      </WhenLoaded>
    </section>
  );
}

function UndeliveredRow({ message }: { message: OutgoingReceipt }) {
  const { sendAgain } = useOutgoingCommands();
  const toasts = useToasts();
  const title = inertLine(message.alertTitle);
  const last = message.attempts.at(-1)?.answer ?? texts.givenUp;
  const send = (): void =>
    void sendAgain(message.id).catch((error: unknown) =>
      toasts.show({
        title: texts.messageNotSentAgain,
        description: error instanceof Error ? error.message : '',
        variant: 'destructive',
      }),
    );
  return (
    <li className={styles.undeliveredRow}>
      <div className={styles.grow}>
        <Link to={pathOfAlert(message.alertId)}>
          <bdi>{title}</bdi>
        </Link>
        <span className={styles.small}>
          {texts.eventAt(EVENT_LABELS[message.event], formatCardTime(new Date(message.createdAt)), inertLine(last))}
        </span>
      </div>
      <Button variant="minimal" text={texts.sendAgain} aria-label={texts.sendAgainOf(title)} onClick={send} />
    </li>
  );
}
