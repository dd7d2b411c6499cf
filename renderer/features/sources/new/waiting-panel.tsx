import { writeTime } from '#renderer/lib/times.ts';
import { Button, Spinner } from '@blueprintjs/core';
import { ChevronRightIcon, TickCircleIcon } from '@blueprintjs/icons';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import type { Delivery } from '#backend/contract/delivery.ts';
import { SENDERS, type Sender } from '#backend/contract/sender.ts';
import type { Source } from '#backend/contract/source.ts';
import { unknownKeysQuery } from '#renderer/features/sources/data/get-unknown-keys.ts';
import { counted, formatTook } from '#renderer/features/sources/shown/amounts.ts';
import { HeadlineCard } from '#renderer/features/sources/shown/headline-card.tsx';
import { RichText } from '#renderer/features/sources/shown/rich-text.tsx';
import { UNKNOWN_KEYS_PAGE, deliveryPageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { StepMark } from './step-mark.tsx';
import type { FirstDelivery } from './use-first-delivery.ts';
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
    <section className={`${panelStyles.panel} ${styles.waiting}`} aria-label="First delivery">
      <output className="ad-hidden">{took !== undefined && `The first delivery arrived after ${took}.`}</output>
      {delivery ? (
        <ArrivedHead source={source} delivery={delivery} took={took} />
      ) : (
        <div className={styles.head}>
          <StepMark step={3} />
          <h2 className={createdSourceStyles.title}>Waiting for the first delivery…</h2>
          <Spinner size={16} aria-label="Waiting" />
          <span className={styles.side}>
            {isConnected ? 'This page updates automatically.' : 'Trying again in 4 s'}
          </span>
        </div>
      )}
      <div className={styles.card}>{delivery ? <ArrivedCard delivery={delivery} source={source} /> : <CardBars />}</div>
      {!delivery && (
        <>
          <WaitingNews sourceId={source.id} refused={refused} />
          {isLate && <output className={styles.news}>Nothing yet. See the hints below.</output>}
          <Hints sender={sender} waits={waits} />
        </>
      )}
    </section>
  );
}

function ArrivedHead({ source, delivery, took }: { source: Source; delivery: Delivery; took: string | undefined }) {
  const { sender, remoteAddress, receivedAt, status, results } = delivery;
  const product = sender === null ? 'A sender' : SENDERS[sender].name;
  const made =
    results.length === 0 ? 'No alert.' : `${results.length === 1 ? 'One alert' : counted(results.length, 'alert')}:`;
  return (
    <div className={`${styles.head} ${styles.head_arrived}`}>
      <TickCircleIcon size={20} />
      <h2 className={createdSourceStyles.title}>Arrived{took !== undefined && ` after ${took}`}</h2>
      <span className={styles.facts}>
        {product} from {remoteAddress} at {writeTime(new Date(receivedAt), 'h:mm:ss a')}, answered {status}. {made}
      </span>
      <Link className={`${styles.side} ${styles.how}`} to={deliveryPageOf(source.id, delivery.id)}>
        How this alert was created
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
  const toasts = useToasts();
  const accept = useMutation({
    mutationFn: (alertId: string) => apiSend('POST', `/api/alerts/${encodeURIComponent(alertId)}/accept`),
    onSuccess: () => toasts.show({ intent: 'done', title: 'Alert accepted' }),
    onError: ({ message }) =>
      toasts.show({ variant: 'destructive', title: 'Failed to accept alert', description: message }),
  });
  return (
    <Button
      text={accept.isSuccess ? 'Accepted' : 'Accept'}
      disabled={accept.isSuccess}
      aria-disabled={accept.isPending || undefined}
      onClick={() => !accept.isPending && accept.mutate(id)}
    />
  );
}

/** What came meanwhile and was not taken: the latest refused request, and one with an unknown key. */
export function WaitingNews({ sourceId, refused }: Pick<FirstDelivery, 'refused'> & { sourceId: string }) {
  return (
    <>
      {refused && (
        <output className={styles.news}>
          A request was refused: {inertLine(refused.summary)}{' '}
          <Link className="ad-link" to={deliveryPageOf(sourceId, refused.id)}>
            Open the delivery
          </Link>
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
    queryFn: () => new Date().toISOString(),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const [latest] = data?.keys ?? [];
  if (!latest || before === undefined || latest.lastAt < before) return null;
  return (
    <output className={styles.news}>
      A request with an unknown key came from {latest.remoteAddress}.
      {latest.sender !== null && ` It looks like ${SENDERS[latest.sender].name}.`}{' '}
      <Link className="ad-link" to={UNKNOWN_KEYS_PAGE}>
        Unknown keys
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
        <h3>Not reachable?</h3>
        {sender === 'email' ? (
          <p>The MX record of the domain, or your own mail server, must lead to this server.</p>
        ) : (
          <p>
            From its machine: <code className="ad-code">curl -I {window.location.origin}/webhook</code>
          </p>
        )}
      </div>
      <div>
        <h3>Not sent yet?</h3>
        <p>
          <RichText
            text={
              waits ??
              `${sender === 'generic' ? 'A sender' : SENDERS[sender].name} sends only when something happens. Send test checks everything after the sender.`
            }
          />
        </p>
      </div>
      <div>
        <h3>{sender === 'email' ? 'Wrong address?' : 'Wrong key?'}</h3>
        <p>
          {sender === 'email' ? 'Emails to an unknown address' : 'Requests with an unknown key'} appear here within
          seconds.
        </p>
      </div>
    </div>
  );
}
