import { Button } from '@blueprintjs/core';
import { FeedIcon, NotificationsSnoozeIcon } from '@blueprintjs/icons';
import { createContext, use, useMemo } from 'react';
import type { Alert, AlertStatus } from '#backend/contract/alert.ts';
import { STATUS_LABELS, alertName } from '#renderer/alerts/data/alert-labels.ts';
import {
  type StateLine,
  factOf,
  shortStateOf,
  sourceLabel,
  spokenHeadline,
  stateLineOf,
} from '#renderer/alerts/data/problem-labels.ts';
import { AlertLink } from '#renderer/alerts/panel/open-alert.tsx';
import { Hits } from '#renderer/alerts/search/hits.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { isAmongMuted } from '#renderer/mutes/mutes.ts';
import { formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { SeverityMark } from './severity-mark.tsx';
import classNames from 'classnames';
import type { CardLayout } from './card-layout.ts';
import * as styles from './alert-card.module.css';
import './queue-card.module.css';
import './stacked-card.module.css';
import * as statusStyles from './status.module.css';
// After the others, which it changes for cards with a title.
import * as headlineStyles from './headline.module.css';
import './compact-card.module.css';

/**
 * Who and what: the customer over the New badge and the alert type. The element `id` names the card for assistive technology, as a person would. Text
 * from outside has its own direction where it is cut, so that its beginning stays, whichever side that is on.
 */
export function AlertLead({ alert, id, isNew }: { alert: Alert; id: string; isNew: boolean }) {
  return alert.title === null ? (
    <PlainLead alert={alert} id={id} isNew={isNew} />
  ) : (
    <TitledLead alert={alert} title={alert.title} id={id} />
  );
}

/** Severity and title over customer, type and source. */
const TitledLead = ({ alert, title, id }: { alert: Alert; title: string; id: string }) => (
  <>
    <SeverityMark severity={alert.severity} state={alert.state} />
    <CardTitle alert={alert} title={title} id={id} />
    <TitledWho alert={alert} />
  </>
);

/** The title, which leads to the alert, with the fact of the moment. */
export function CardTitle({ alert, title, id }: { alert: Alert; title: string; id: string }) {
  const line = inertLine(title);
  const name = useNow((now) => spokenHeadline(alert, now));
  const fact = useNow((now) => factOf(alert, now));
  return (
    <div className={headlineStyles.title} dir="auto" data-tip={line}>
      <span id={id} hidden>
        {name}
      </span>
      {fact === undefined ? (
        <AlertLink id={alert.id}>
          <Hits text={line} />
        </AlertLink>
      ) : (
        <span className={headlineStyles.noted}>
          <span className={headlineStyles.notedTitle} data-tip={line}>
            <AlertLink id={alert.id}>
              <Hits text={line} />
            </AlertLink>
          </span>
          <span className={headlineStyles.fact} data-tip={fact}>
            {fact}
          </span>
        </span>
      )}
    </div>
  );
}

/** Customer, type and source under a title. Without a customer the source takes its place. */
export function TitledWho({ alert }: { alert: Alert }) {
  const customer = alert.customer === null ? '' : inertLine(alert.customer);
  const isMuted = useIsMuted(alert);
  const type = alert.alertType === null ? '' : inertLine(alert.alertType);
  const source = sourceLabel(alert);
  return (
    <div className={styles.lead}>
      {customer === '' && source === '' && isMuted && <MutedMark />}
      {(customer !== '' || source !== '') && (
        <span className={styles.who}>
          {customer === '' && <FeedIcon className={headlineStyles.source} size={14} />}
          <span className={styles.customer} dir="auto" data-tip={customer || source}>
            <Hits text={customer || source} />
          </span>
          {isMuted && <MutedMark />}
        </span>
      )}
      {type !== '' && (
        <span className={styles.type} dir="auto" data-tip={type}>
          <Hits text={type} />
        </span>
      )}
      {customer !== '' && source !== '' && (
        <span className={headlineStyles.source} data-tip={source}>
          <FeedIcon size={14} />
          <span dir="auto">{source}</span>
        </span>
      )}
    </div>
  );
}

/** The customer over the New badge and the type, where there is no title. */
export function PlainLead({ alert, id, isNew }: { alert: Alert; id: string; isNew: boolean }) {
  const customer = alert.customer === null ? '' : inertLine(alert.customer);
  const isMuted = useIsMuted(alert);
  const type = alert.alertType === null ? '' : inertLine(alert.alertType);
  return (
    <div className={styles.lead}>
      <span id={id} hidden>
        {alertName(alert)}
      </span>
      {customer === '' ? (
        <span className={`${styles.customer} ${styles.customer_none}`}>
          <AlertLink id={alert.id}>No customer</AlertLink>
        </span>
      ) : (
        <span className={styles.who}>
          <span className={styles.customer} dir="auto" data-tip={customer}>
            <AlertLink id={alert.id}>
              <Hits text={customer} />
            </AlertLink>
          </span>
          {isMuted && <MutedMark />}
        </span>
      )}
      <span className={styles.tags}>
        {isNew && <span className={styles.cardNew}>New</span>}
        {type !== '' && (
          <span className={styles.type} dir="auto" data-tip={type}>
            <Hits text={type} />
          </span>
        )}
      </span>
    </div>
  );
}

/** Classes of a card: by its layout, by its problem (whether it has a headline, and whether it is quiet), and its list's own. */
export const cardClass = ({ title, state }: Alert, kind: CardLayout['kind'], own?: string): string =>
  classNames(
    styles.card,
    own,
    styles[`card_${kind}`],
    title !== null && headlineStyles.card_titled,
    state === 'resolved' && headlineStyles.card_quiet,
  );

interface AlertTimeProps {
  alert: Alert;
  isNew?: boolean;
}

const NONE: ReadonlySet<string> = new Set<string>();

/** What is muted, whose cards carry a bell that sleeps (`mutableKey`); the list provides it for its cards. */
export const MutedOnCards = createContext(NONE);

const useIsMuted = (alert: Alert): boolean => isAmongMuted(use(MutedOnCards), alert);

/** A bell that sleeps, and the word for it. */
const MutedMark = () => (
  <span className={styles.muted}>
    <NotificationsSnoozeIcon size={12} />
    Muted
  </span>
);

/** First arrival of an alert over how its problem stands. */
export const AlertTime = ({ alert, isNew = false }: AlertTimeProps) => (
  <div className={styles.time}>
    <AlertArrival alert={alert} isNew={isNew} />
    <AlertState alert={alert} />
  </div>
);

/** When an alert arrived first, exact in a tooltip. */
export function AlertArrival({ alert: { timestamp, title }, isNew = false }: AlertTimeProps) {
  const time = useMemo(() => new Date(timestamp), [timestamp]);
  return (
    <span className={headlineStyles.arrival}>
      {isNew && title !== null && <span className={styles.cardNew}>New</span>}
      <time dateTime={timestamp} data-tip={formatExactTime(time)} data-tip-always>
        {formatCardTime(time)}
      </time>
    </span>
  );
}

/** How the problem stands, kept current; in a word where `isShort`. */
export function AlertState({ alert, isShort = false }: { alert: Alert; isShort?: boolean }) {
  // Text, so that the card is drawn again only when it reads otherwise.
  const state = useNow((now) => JSON.stringify((isShort ? shortStateOf : stateLineOf)(alert, now)));
  if (state === undefined) return null;
  const line = JSON.parse(state) as StateLine;
  return (
    <span className={styles.ago}>
      {line.count !== undefined && (
        <>
          <strong>{line.count}</strong>
          {line.text !== '' && ' · '}
        </>
      )}
      {line.resolved !== undefined && <span className={headlineStyles.resolved}>{line.resolved} </span>}
      {line.text}
    </span>
  );
}

/** "9 more": opens Extra Information. Nothing at all when nothing remains. */
export function MoreButton({ count, onSelect }: { count: number; onSelect: () => void }) {
  if (count === 0) return null;
  return (
    <Button
      className={styles.more}
      variant="minimal"
      aria-label={`Extra information, ${count} more ${count === 1 ? 'field' : 'fields'}`}
      aria-haspopup="dialog"
      onClick={onSelect}
      text={`${count} more`}
    />
  );
}

/** Says which alert a dialog is about. */
export const AlertSubject = ({ alert }: { alert: Alert }) => (
  <p className="ad-dialog-alert" dir="auto">
    {alertName(alert)}
  </p>
);

/** The dot of a status, in the colour of the status whose class an element around it has. */
export const StatusDot = () => <span className={statusStyles.dot} aria-hidden />;

/** A dot and a label on a status's tint: the status's own label, or another in its colours. */
export function StatusTag({ status, label = STATUS_LABELS[status] }: { status: AlertStatus; label?: string }) {
  return (
    <span className={classNames(statusStyles.tag, statusStyles[`status_${status}`])}>
      <StatusDot />
      {label}
    </span>
  );
}
