import { Button } from '@blueprintjs/core';
import { ChevronDownIcon, ChevronRightIcon } from '@blueprintjs/icons';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { Ticket } from '#backend/contract/ticket.ts';
import type { OutgoingReceipt, ReceiptList } from '#backend/contract/outgoing-receipt.ts';
import { receiptListSchema } from '#backend/contract/outgoing-receipt.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { MANAGER_ROLES } from '#renderer/lib/paths.ts';
import { formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useSession } from '#renderer/session/session.ts';
import { WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { NextSteps, laddersQuery } from './next-steps.tsx';
import { SilenceLine } from './silence-line.tsx';
import * as texts from './texts.ts';
import * as styles from './receipts.module.css';

/** How often what is sent is read again while somebody looks at it, in milliseconds: it changes by itself. */
const READ_MS = 5_000;

const receiptsQuery = (alertId: string) => {
  const path = `/api/alerts/${encodeURIComponent(alertId)}/receipts`;
  return queryOptions({
    queryKey: ['receipts', alertId],
    queryFn: ({ signal }) => apiGet(path, receiptListSchema, { signal }),
    refetchOnMount: 'always',
    // Also where the ticket's link alone is shown.
    refetchInterval: ({ state: { data } }) =>
      data?.receipts.some(({ state }) => state === 'waiting') ? READ_MS : false,
  });
};

const KINDS: Record<OutgoingReceipt['kind'], string> = {
  webhook: texts.webhook,
  'slack-bot': texts.slack,
  'mattermost-bot': texts.mattermost,
  slack: texts.slackMattermostOrRocketChat,
  teams: 'Microsoft Teams',
  'google-chat': 'Google Chat',
  discord: 'Discord',
  telegram: 'Telegram',
  zulip: 'Zulip',
  matrix: 'Matrix',
  ntfy: 'ntfy',
  gotify: 'Gotify',
  mail: texts.mailList,
  jira: 'Jira',
  servicenow: 'ServiceNow',
  github: 'GitHub',
  gitlab: 'GitLab',
  zammad: 'Zammad',
  phone: texts.phone,
};

const EVENTS: Record<OutgoingReceipt['event'], string> = {
  new: 'new',
  escalated: 'escalated',
  accepted: 'accepted',
  completed: 'completed',
  note: 'note',
};

const STATES: Record<OutgoingReceipt['state'], string> = {
  waiting: texts.waiting,
  sent: texts.sent,
  replaced: texts.replaced,
  'not-delivered': texts.notDelivered,
};

/** Why no message went out. Members may have been notified all the same, of which nothing is kept. */
function emptyReasonOf({ emptyReason, keptQuietBy }: ReceiptList): string {
  if (keptQuietBy !== undefined) return texts.keptQuietBy(inertLine(keptQuietBy));
  return emptyReason === 'no-rules' ? texts.noRuleSendsAlertsAnywhere : texts.noRuleMatchedThisAlert;
}

/** Who was notified of an alert by rules: each with its answer. */
export function Receipts({ alertId }: { alertId: string }) {
  const query = useQuery({ ...receiptsQuery(alertId), refetchInterval: READ_MS });
  const ladders = useQuery(laddersQuery(alertId));
  const { role } = useSession();
  const { data } = query;
  const hasLadder = (ladders.data?.length ?? 0) > 0;
  return (
    <WhenLoaded what={texts.receipts} queries={[query, ladders]}>
      <NextSteps alertId={alertId} />
      <SilenceLine alertId={alertId} />
      <Tickets tickets={data?.tickets ?? []} />
      {data?.receipts.length === 0 && !hasLadder ? (
        <div className={styles.empty}>
          <strong>{texts.noMessageWentOut}</strong>
          <p>{emptyReasonOf(data)}</p>
        </div>
      ) : (
        <>
          {data?.hasOlder && <p className={styles.older}>{texts.olderAreLeftOut}</p>}
          <ul className={styles.list} aria-label={texts.notifiedSoFar}>
            {data?.receipts.map((receipt) => (
              <Receipt key={receipt.id} receipt={receipt} canSend={MANAGER_ROLES.includes(role)} />
            ))}
          </ul>
        </>
      )}
    </WhenLoaded>
  );
}

/** The tickets of the alert, each with the way to it and how it is. */
const Tickets = ({ tickets }: { tickets: readonly Ticket[] }) =>
  tickets.map((ticket) => (
    <section key={ticket.destinationId} className={styles.silence} aria-label={texts.ticket}>
      <div className={styles.silenceWords}>
        <TicketLink ticket={ticket} />
        {texts.ticketIs(ticket.state, inertLine(ticket.destinationName))}
      </div>
    </section>
  ));

/** The name of a ticket, which leads to it. */
const TicketLink = ({ ticket: { key, url } }: { ticket: Ticket }) =>
  url !== null && /^https?:\/\//i.test(url) ? (
    <a className="ad-link" href={url} target="_blank" rel="noopener noreferrer" dir="ltr">
      {inertLine(key)}
    </a>
  ) : (
    <bdi>{inertLine(key)}</bdi>
  );

/** The tickets of the alert below its headline. */
export function TicketLinks({ alertId }: { alertId: string }) {
  const { data } = useQuery(receiptsQuery(alertId));
  return data?.tickets?.map((ticket) => <TicketLink key={ticket.destinationId} ticket={ticket} />);
}

/** A receipt in one line. It opens in place: every attempt with its time and its answer. */
function Receipt({ receipt, canSend }: { receipt: OutgoingReceipt; canSend: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const [failure, setFailure] = useState<string>();
  const client = useQueryClient();
  const id = useId();
  const { state, attempts, attemptCount, createdAt, finishedAt } = receipt;
  const name = inertLine(receipt.destinationName);
  const at = finishedAt ?? createdAt;
  const end = useNow((now) => endOf(receipt, now));
  const isFailing = state === 'waiting' && attempts.length > 0;
  const hasCreated = state === 'sent' && attempts.at(-1)?.answer.startsWith('Created ') === true;
  const again = async (): Promise<void> => {
    setFailure(undefined);
    try {
      await apiSend('POST', `/api/outgoing/messages/${encodeURIComponent(receipt.id)}/send-again`);
    } catch (error) {
      setFailure(messageOf(error));
    }
    // A colleague may have sent it in the same moment.
    await client.invalidateQueries({ queryKey: ['receipts', receipt.alertId] });
  };
  return (
    <li className={styles.receipt}>
      <button
        type="button"
        className={styles.line}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <ChevronDownIcon size={14} /> : <ChevronRightIcon size={14} />}
        <span className={styles.names}>
          <bdi className={styles.name}>{name}</bdi>
          <span className={styles.kind}>
            {KINDS[receipt.kind]}, {EVENTS[receipt.event]}
            {receipt.alerts !== undefined && texts.aboutAlerts(receipt.alerts)}
          </span>
        </span>
        <time className={styles.time} dateTime={at} title={formatExactTime(new Date(at))}>
          {formatCardTime(new Date(at))}
        </time>
        <span className={`${styles.state} ${isFailing ? styles.failing : styles[`state_${state}`]}`}>
          <span className={styles.dot} />
          {isFailing ? texts.failed : hasCreated ? texts.created : STATES[state]}
        </span>
        <span className={styles.end}>{end}</span>
      </button>
      <div id={id} hidden={!isOpen} className={styles.details}>
        {attempts.length === 0 ? (
          <p>{state === 'replaced' ? texts.newerMessageWasSentIn : texts.noAttemptWasMadeYet}</p>
        ) : (
          <ol>
            {attempts.map((attempt) => (
              <li key={attempt.at}>
                <time dateTime={attempt.at}>{formatExactTime(new Date(attempt.at))}</time>
                <span>{inertLine(attempt.answer)}</span>
                <span className={styles.end}>{texts.durationMs(countText(attempt.durationMs))}</span>
              </li>
            ))}
          </ol>
        )}
        {attemptCount > attempts.length && <p>{texts.earlierAttempts(attemptCount - attempts.length)}</p>}
        {failure !== undefined && <p role="alert">{failure}</p>}
        {canSend && receipt.isOwn !== true && (state === 'not-delivered' || isFailing) && (
          <Button text={texts.sendAgain} aria-label={texts.sendAgainTo(name)} onClick={() => void again()} />
        )}
      </div>
    </li>
  );
}

function endOf({ state, attempts, attemptCount, nextAt, kind }: OutgoingReceipt, now: Date): string {
  const last = attempts.at(-1);
  if (state === 'sent')
    return kind === 'mail' ? texts.noReceipts : texts.afterMilliseconds(countText(last?.durationMs ?? 0));
  if (state === 'not-delivered') return `after ${attemptCount} ${attemptCount === 1 ? 'try' : 'tries'}`;
  if (state === 'replaced' || nextAt === null) return '';
  if (attempts.length === 0) return '';
  const seconds = Math.ceil((Date.parse(nextAt) - now.getTime()) / 1000);
  return seconds <= 60 ? texts.nextTrySoon(attemptCount + 1) : texts.nextTry(attemptCount + 1, Math.ceil(seconds / 60));
}

/** The tab's title with how many there are, once it is known. */
export function ReceiptsTitle({ alertId }: { alertId: string }) {
  const { data } = useQuery(receiptsQuery(alertId));
  return (
    <>
      {texts.notified}{' '}
      {data && data.receipts.length > 0 && (
        <span className={styles.count}>
          {countText(data.receipts.length)}
          {data.hasOlder && '+'}
        </span>
      )}
    </>
  );
}
