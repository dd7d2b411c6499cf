import { writeTime } from '#renderer/lib/times.ts';
import { Button, Spinner } from '@blueprintjs/core';
import { ChevronRightIcon, TickCircleIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { isCompletedUntaken } from '#backend/contract/alert-place.ts';
import type { Delivery } from '#backend/contract/delivery.ts';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import type { Sender } from '#backend/contract/sender.ts';
import type { Source } from '#backend/contract/source.ts';
import { ACCEPT } from '#renderer/alerts/actions/accept.ts';
import { useActions } from '#renderer/alerts/actions/change-alert.ts';
import { STATUS_LABELS } from '#renderer/alerts/data/alert-labels.ts';
import { useAlertDetails } from '#renderer/alerts/data/alert-details.ts';
import { unknownKeysQuery } from '#renderer/features/sources/data/get-unknown-keys.ts';
import { counted, formatTook } from '#renderer/features/sources/shown/amounts.ts';
import { HeadlineCard } from '#renderer/features/sources/shown/headline-card.tsx';
import { RichText } from '#renderer/features/sources/shown/rich-text.tsx';
import { UNKNOWN_KEYS_PAGE, deliveryPageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { StepMark } from './step-mark.tsx';
import type { FirstDelivery } from './use-first-delivery.ts';
import * as texts from './texts.tsx';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as createdSourceStyles from './created-source.module.css';
import * as headlineCardStyles from '#renderer/features/sources/shown/headline-card.module.css';
import * as styles from './waiting-panel.module.css';

interface WaitingPanelProps {
  source: Source;
  sender: Sender;
  first: FirstDelivery;
  /** Why nothing may have been sent yet. */
  waits: string | undefined;
}

/** Waits for the first delivery, and becomes what arrived; nothing above it moves. */
export function WaitingPanel({ source, sender, first, waits }: WaitingPanelProps) {
  const { delivery, refused, latencyMs, isLate, isConnected } = first;
  const took = latencyMs === undefined ? undefined : formatTook(latencyMs);
  return (
    <section className={`${panelStyles.panel} ${styles.waiting}`} aria-label={texts.firstDelivery}>
      <output className="ad-hidden">{took !== undefined && texts.firstDeliveryArrivedAfter(took)}</output>
      {delivery ? (
        <ArrivedHead source={source} delivery={delivery} took={took} />
      ) : (
        <div className={styles.head}>
          <StepMark step={3} />
          <h2 className={createdSourceStyles.title}>{sourceTexts.waitingForFirstDelivery}</h2>
          <Spinner size={16} aria-label={texts.waiting} />
          <span className={styles.side}>
            {isConnected ? texts.thisPageUpdatesAutomatically : texts.tryingAgainIn4S}
          </span>
        </div>
      )}
      <div className={styles.card}>{delivery ? <ArrivedCard delivery={delivery} source={source} /> : <CardBars />}</div>
      {!delivery && (
        <>
          <WaitingNews sourceId={source.id} refused={refused} />
          {isLate && <output className={styles.news}>{texts.nothingYetSeeHintsBelow}</output>}
          <Hints sender={sender} waits={waits} />
        </>
      )}
    </section>
  );
}

function ArrivedHead({ source, delivery, took }: { source: Source; delivery: Delivery; took: string | undefined }) {
  const { sender, remoteAddress, receivedAt, status, results } = delivery;
  const product = sender === null ? texts.aSender : SENDERS[sender].name;
  const made =
    results.length === 0
      ? texts.noAlert
      : `${results.length === 1 ? texts.oneAlert : counted(results.length, 'alert')}:`;
  return (
    <div className={`${styles.head} ${styles.head_arrived}`}>
      <TickCircleIcon size={20} />
      <h2 className={createdSourceStyles.title}>{texts.arrived(took)}</h2>
      <span className={styles.facts}>
        {texts.arrivedFrom(product, remoteAddress, writeTime(new Date(receivedAt), 'h:mm:ss a'), status, made)}
      </span>
      <Link className={`${styles.side} ${styles.how}`} to={deliveryPageOf(source.id, delivery.id)}>
        {sourceTexts.howThisAlertWasCreated}
        <ChevronRightIcon />
      </Link>
    </div>
  );
}

function ArrivedCard({ delivery, source }: { delivery: Delivery; source: Source }) {
  const [event] = delivery.events;
  const [result] = delivery.results;
  if (!event) return <p className={styles.plain}>{inertLine(delivery.summary)}</p>;
  return (
    <HeadlineCard
      event={event}
      time={delivery.receivedAt}
      source={source.name}
      action={result?.outcome === 'new' && result.alertId !== null && <AcceptButton id={result.alertId} />}
    />
  );
}

function AcceptButton({ id }: { id: string }) {
  const { known } = useAlertDetails(id);
  const actions = useActions();
  const isOffered = known !== undefined && actions.offers(ACCEPT, known.alert);
  const isOver = known !== undefined && isCompletedUntaken(known.alert);
  const taken = isOver ? STATUS_LABELS.completed : texts.accepted;
  return (
    <Button
      text={known && !isOffered ? taken : texts.accept}
      disabled={!isOffered}
      onClick={() => known && actions.run(ACCEPT, known.alert)}
    />
  );
}

/** What came meanwhile and was not taken: the latest refused request, and one with an unknown key. */
export function WaitingNews({ sourceId, refused }: Pick<FirstDelivery, 'refused'> & { sourceId: string }) {
  return (
    <>
      {refused && (
        <output className={styles.news}>
          {texts.requestRefused(inertLine(refused.summary), (text) => (
            <Link className="ad-link" to={deliveryPageOf(sourceId, refused.id)}>
              {text}
            </Link>
          ))}
        </output>
      )}
      <UnknownKeyNews />
    </>
  );
}

/** Says that a request came whose key nobody knows: perhaps the sender has another one. */
function UnknownKeyNews() {
  const { data } = useQuery(unknownKeysQuery);
  const { data: before } = useQuery({
    queryKey: ['unknown-keys-before'],
    // By the server's clock: the device's may be another.
    queryFn: async ({ client }) =>
      (await client.fetchQuery({ ...unknownKeysQuery, staleTime: 0 })).keys.at(0)?.lastAt ?? '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [latest] = data?.keys ?? [];
  if (!latest || before === undefined || latest.lastAt <= before) return null;
  return (
    <output className={styles.news}>
      {texts.unknownKeyCame(latest.remoteAddress, latest.sender === null ? undefined : SENDERS[latest.sender].name)}{' '}
      <Link className="ad-link" to={UNKNOWN_KEYS_PAGE}>
        {sourceTexts.unknownKeys}
      </Link>
    </output>
  );
}

function CardBars() {
  return (
    <div className={`${headlineCardStyles.headline} ${styles.bars}`} aria-hidden>
      <span />
      <div className={headlineCardStyles.main}>
        <span className={styles.bar} style={{ width: '36%' }} />
        <span className={styles.bar} style={{ width: '60%' }} />
      </div>
      <span className={styles.bar} style={{ width: 80 }} />
      <span className={styles.bar} style={{ width: 72, height: 28 }} />
    </div>
  );
}

function Hints({ sender, waits }: { sender: Sender; waits: string | undefined }) {
  return (
    <div className={styles.hints}>
      <div>
        <h3>{texts.notReachable}</h3>
        {sender === 'email' ? (
          <p>{texts.mxRecordOfDomainOr}</p>
        ) : (
          <p>{texts.fromItsMachine(<code className="ad-code">curl -I {window.location.origin}/webhook</code>)}</p>
        )}
      </div>
      <div>
        <h3>{texts.notSentYet}</h3>
        <p>
          <RichText text={waits ?? texts.sendsOnlyWhen(sender === 'generic' ? undefined : SENDERS[sender].name)} />
        </p>
      </div>
      <div>
        <h3>{sender === 'email' ? texts.wrongAddress : texts.wrongKey}</h3>
        <p>{texts.unknownOnesAppear(sender)}</p>
      </div>
    </div>
  );
}
