import { Button } from '@blueprintjs/core';
import { SendMessageIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Destination } from '#backend/contract/outgoing.ts';
import { countText } from '#renderer/lib/badge-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { HealthMark, KindTile, SentBars } from './destination-marks.tsx';
import { destinationsQuery, useTestDestination } from './outgoing-data.ts';
import { KIND_TEXTS } from './kind-texts.ts';
import { ListPage } from './list-page.tsx';
import { byHealth, needsAttention, pathOfDestination } from './outgoing-labels.ts';
import { SendAgainDialog } from './send-again-dialog.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './destinations-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** Destinations: where alerts are sent, and how each is doing. */
export function DestinationsPage() {
  const { data, error, refetch } = useQuery(destinationsQuery);
  const destinations = data?.destinations;
  const attention = destinations?.filter(({ health }) => needsAttention(health)).length ?? 0;
  return (
    <ListPage
      rows={destinations}
      error={error}
      onRetry={() => void refetch()}
      countLabel={texts.destinations(destinations?.length, attention, <strong>{attention}</strong>)}
      add={{ text: texts.newDestination, path: pathOfDestination('new') }}
      empty={{ icon: <SendMessageIcon size={40} />, title: texts.nothingGoesOutYet, text: texts.nothingGoesOutHint }}
      what={outgoingTexts.destinations}
      label={texts.destinationsInText}
    >
      {(rows) => <DestinationTable destinations={rows} />}
    </ListPage>
  );
}

/** The destinations as rows. Their order is decided when the page opens, so that no row moves under the pointer. */
function DestinationTable({ destinations }: { destinations: readonly Destination[] }) {
  const [order] = useState(
    () =>
      new Map(destinations.toSorted((one, other) => byHealth(one.health, other.health)).map(({ id }, at) => [id, at])),
  );
  const placeOf = ({ id }: Destination): number => order.get(id) ?? order.size;
  const shown = destinations.toSorted((one, other) => placeOf(one) - placeOf(other));
  const undelivered = shown.filter(({ notDelivered }) => notDelivered > 0);
  return (
    <HoverTip className={styles.sheets}>
      <table className={`${styles.table} ${panelStyles.rows_sheet}`} aria-label={outgoingTexts.destinations}>
        <thead>
          <tr className={`${styles.row} ${styles.head}`}>
            <th scope="col">{texts.destination}</th>
            <th scope="col">{texts.health}</th>
            <th scope="col" className={styles.day}>
              {texts.sentLast24Hours}
            </th>
            <th scope="col" className={styles.number}>
              {texts.waiting}
            </th>
            <th scope="col" className={styles.last}>
              {texts.lastSent}
            </th>
            <th scope="col" className={styles.used}>
              {texts.usedBy}
            </th>
            <th scope="col">
              <span className="ad-hidden">{texts.actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((destination) => (
            <DestinationRow key={destination.id} destination={destination} />
          ))}
        </tbody>
      </table>
      {undelivered.length > 0 && <UndeliveredSheet destinations={undelivered} />}
    </HoverTip>
  );
}

function DestinationRow({ destination }: { destination: Destination }) {
  const { id, kind, sent, waiting, lastSentAt, usedBy, health } = destination;
  const test = useTestDestination();
  const toasts = useToasts();
  const name = inertLine(destination.name);
  const total = sent.reduce((sum, count) => sum + count, 0);
  const sendTest = async (): Promise<void> => {
    const result = await test
      .mutateAsync({ kind, name: destination.name, destinationId: id })
      .catch((error: unknown) => ({ isDelivered: false, message: error instanceof Error ? error.message : '' }));
    toasts.show({
      title: result.isDelivered ? texts.testSentTo(name) : texts.testNotSentTo(name),
      description: result.message,
      variant: result.isDelivered ? 'default' : 'destructive',
    });
  };
  return (
    <tr className={`${styles.row} ${styles.bodyRow}`}>
      <td className={styles.who}>
        <KindTile kind={kind} />
        <div className={styles.names}>
          <Link className={`${styles.name} ${styles.rowLink}`} to={pathOfDestination(id)} data-tip={name}>
            <bdi>{name}</bdi>
          </Link>
          <span className={styles.small}>{kindText(destination)}</span>
        </div>
      </td>
      <td className={styles.healthCell}>
        <HealthMark destination={destination} />
      </td>
      <td className={styles.day}>
        <SentBars sent={sent} />
        <span className={total === 0 ? styles.none : undefined} aria-hidden>
          {countText(total)}
        </span>
      </td>
      <td
        className={`${styles.number} ${waiting === 0 ? styles.none : health === 'failing' ? styles.many : styles.some}`}
      >
        <span className={styles.onPhone}>{texts.waiting} </span>
        {countText(waiting)}
      </td>
      <td className={styles.last}>
        {lastSentAt === null ? (
          <span className={styles.none}>{texts.never}</span>
        ) : (
          <time dateTime={lastSentAt} data-tip={formatExactTime(new Date(lastSentAt))} data-tip-always>
            {formatCardTime(new Date(lastSentAt))}
          </time>
        )}
      </td>
      <td className={styles.used}>
        <span className={usedBy.length === 0 ? styles.none : undefined}>{texts.usedByRules(usedBy.length)}</span>
      </td>
      <td className={styles.tools}>
        <Button
          className={styles.tool}
          variant="minimal"
          icon={<SendMessageIcon />}
          loading={test.isPending}
          aria-label={texts.sendTestTo(name)}
          data-tip={pageTexts.sendTest}
          data-tip-always
          onClick={() => void sendTest()}
        />
      </td>
    </tr>
  );
}

function kindText({ kind, recipients }: Destination): string {
  const { name } = KIND_TEXTS[kind];
  if (kind === 'mail') return texts.mailTo(name, recipients.length);
  return kind === 'webhook' ? texts.signed(name) : name;
}

/** What was not delivered, with a way to send it again. */
function UndeliveredSheet({ destinations }: { destinations: readonly Destination[] }) {
  const again = useDialog<Destination>();
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-undelivered-title">
      <h2 id="ad-undelivered-title" className={styles.sheetTitle}>
        {texts.notDelivered}
      </h2>
      <p className={styles.sheetHint}>{texts.notDeliveredHint}</p>
      <ul className={panelStyles.rows}>
        {destinations.map((destination) => (
          <li key={destination.id} className={styles.undeliveredRow}>
            <KindTile kind={destination.kind} isSmall />
            <Link to={pathOfDestination(destination.id)}>
              <bdi>{inertLine(destination.name)}</bdi>
            </Link>
            <span className={styles.grow}>
              {texts.messageCount(<strong>{countText(destination.notDelivered)}</strong>, destination.notDelivered)}
            </span>
            <Button
              variant="minimal"
              text={texts.askToSendAgain}
              aria-haspopup="dialog"
              aria-label={texts.sendAgainTo(inertLine(destination.name))}
              onClick={() => again.open(destination)}
            />
          </li>
        ))}
      </ul>
      {again.shown && (
        <SendAgainDialog key={again.shown.key} destination={again.shown.subject} presence={again.shown.presence} />
      )}
    </section>
  );
}
