import { Button } from '@blueprintjs/core';
import { SendMessageIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import { type Destination, type DestinationHealth, destinationHealthSchema } from '#backend/contract/outgoing.ts';
import { formatAgoInHours } from '#renderer/lib/ages.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { isCurrentAnswer } from '#renderer/lib/query-freshness.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { ChoiceFilter } from '#renderer/ui/filter-button/choice-filter.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { HealthMark, KindTile, Bars } from './destination-marks.tsx';
import { DESTINATIONS } from './entries.tsx';
import { destinationsQuery } from './outgoing-data.ts';
import { kindTexts } from './kind-texts.ts';
import { ListPage } from './list-page.tsx';
import { HEALTH_LABELS, byHealth, needsAttention } from './outgoing-labels.ts';
import { RowTools } from './row-tools.tsx';
import { SendAgainDialog } from './send-again-dialog.tsx';
import { type DestinationActions, useDestinationActions } from './use-destination-actions.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './destinations-texts.tsx';
import * as outgoingTexts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** Destinations: where alerts are sent, and how each is doing. */
export function DestinationsPage() {
  const query = useQuery(destinationsQuery);
  const [health, setHealth] = useState<DestinationHealth>();
  // Their dialogs stay when the row that they were opened from leaves the list.
  const actions = useDestinationActions();
  const again = useDialog<Destination>();
  const destinations = useFixedOrder(query.data?.destinations, isCurrentAnswer(query));
  const attention = destinations?.filter((one) => needsAttention(one.health)).length ?? 0;
  return (
    <>
      <ListPage
        entry={DESTINATIONS}
        queries={[query]}
        rows={destinations}
        countLabel={texts.destinations(destinations?.length, attention, <strong>{attention}</strong>)}
        wordsOf={({ name, kind }) => [name, kindTexts(kind).name]}
        filter={{
          tool: (
            <ChoiceFilter
              name={texts.health}
              all={outgoingTexts.all}
              choices={HEALTHS}
              chosen={health}
              onChoose={setHealth}
            />
          ),
          shows: health === undefined ? undefined : (one) => one.health === health,
          clear: () => setHealth(undefined),
          none: texts.noDestinationIs(HEALTH_LABELS[health ?? 'ok']),
        }}
      >
        {(rows) => <DestinationTable destinations={rows} actions={actions} onSendAgain={again.open} />}
      </ListPage>
      {actions.dialog}
      {again.shown && (
        <SendAgainDialog key={again.shown.key} destination={again.shown.subject} presence={again.shown.presence} />
      )}
    </>
  );
}

const HEALTHS = destinationHealthSchema.options.map((value) => ({ value, label: HEALTH_LABELS[value] }));

/** Destinations in the order of when the page opened, so that no row moves under the pointer. */
function useFixedOrder(
  destinations: readonly Destination[] | undefined,
  isCurrent: boolean,
): readonly Destination[] | undefined {
  const [order, setOrder] = useState<ReadonlyMap<string, number>>();
  if (!order) {
    const sorted = destinations?.toSorted((one, other) => byHealth(one.health, other.health));
    if (sorted && isCurrent) setOrder(new Map(sorted.map(({ id }, at) => [id, at])));
    return sorted;
  }
  const placeOf = ({ id }: Destination): number => order.get(id) ?? Number.POSITIVE_INFINITY;
  return destinations?.toSorted((one, other) => placeOf(one) - placeOf(other) || 0);
}

interface DestinationTableProps {
  destinations: readonly Destination[];
  actions: DestinationActions;
  onSendAgain: (destination: Destination) => void;
}

function DestinationTable({ destinations, actions, onSendAgain }: DestinationTableProps) {
  const undelivered = destinations.filter(({ notDelivered }) => notDelivered > 0);
  return (
    <div className={styles.sheets}>
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
          {destinations.map((destination) => (
            <DestinationRow key={destination.id} destination={destination} actions={actions} />
          ))}
        </tbody>
      </table>
      {undelivered.length > 0 && <UndeliveredSheet destinations={undelivered} onSendAgain={onSendAgain} />}
    </div>
  );
}

interface DestinationRowProps {
  destination: Destination;
  actions: DestinationActions;
}

function DestinationRow({ destination, actions }: DestinationRowProps) {
  const { id, kind, sent, waiting, lastSentAt, usedBy, health } = destination;
  const name = inertLine(destination.name);
  const total = sent.reduce((sum, count) => sum + count, 0);
  return (
    <tr className={`${styles.row} ${styles.bodyRow}`}>
      <td className={styles.who}>
        <KindTile kind={kind} />
        <div className={styles.names}>
          <Link className={`${styles.name} ${styles.rowLink}`} to={DESTINATIONS.pathOf(id)} dir="auto" data-tip={name}>
            {name}
          </Link>
          <span className={styles.small}>{kindText(destination)}</span>
        </div>
      </td>
      <td className={styles.healthCell}>
        <HealthMark destination={destination} />
      </td>
      <td className={styles.day}>
        <Bars counts={sent} labelOf={texts.sentInLast24Hours} />
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
          <>
            <time dateTime={lastSentAt} data-tip={formatExactTime(new Date(lastSentAt))} data-tip-always>
              {formatCardTime(new Date(lastSentAt))}
            </time>
            <Ago time={lastSentAt} />
          </>
        )}
      </td>
      <td className={styles.used}>
        <span className={usedBy.length === 0 ? styles.none : undefined}>{texts.usedByRules(usedBy.length)}</span>
      </td>
      <td className={styles.tools}>
        <RowTools name={name} actions={actions.of(destination)} deletion={actions.deletionOf(destination)}>
          <Button
            className={`${styles.tool} ${styles.quiet}`}
            variant="minimal"
            icon={<SendMessageIcon />}
            aria-label={texts.sendTestTo(name)}
            data-tip={pageTexts.sendTest}
            data-tip-always
            onClick={() => void actions.sendTest(destination)}
          />
        </RowTools>
      </td>
    </tr>
  );
}

/** How long ago that was, within a day. */
function Ago({ time }: { time: string }) {
  const ago = useNow((now) => formatAgoInHours(new Date(time), now));
  return ago === undefined ? null : <span className={styles.small}>{ago}</span>;
}

function kindText({ kind, recipients }: Destination): string {
  const { name } = kindTexts(kind);
  if (kind === 'mail') return texts.mailTo(name, recipients.length);
  return kind === 'webhook' ? texts.signed(name) : name;
}

/** What was not delivered, with a way to send it again. */
function UndeliveredSheet({ destinations, onSendAgain }: Pick<DestinationTableProps, 'destinations' | 'onSendAgain'>) {
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
            <Link to={DESTINATIONS.pathOf(destination.id)}>
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
              onClick={() => onSendAgain(destination)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
