import { Button } from '@blueprintjs/core';
import { type ReactNode, Suspense, createContext, use, useMemo } from 'react';
import type { Alert, AlertStatus } from '#backend/contract/alert.ts';
import { STATUS_LABELS, alertName, typeBeside } from '#renderer/alerts/data/alert-labels.ts';
import {
  type StateLine,
  ageOf,
  factOf,
  sourceLabel,
  spokenCard,
  stateLineOf,
  stateWordOf,
} from '#renderer/alerts/data/problem-labels.ts';
import { AlertLink } from '#renderer/alerts/panel/open-alert.tsx';
import { Hits } from '#renderer/alerts/search/hits.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { isAmongMuted } from '#renderer/mutes/mutes.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import classNames from 'classnames';
import { type CardLayout, isOneLine } from './card-layout.ts';
import { CardTile } from './card-tile.tsx';
import { Lookers } from './lookers.tsx';
import { MarkTag } from './severity-mark.tsx';
import { lazyIcon } from '#renderer/alerts/actions/lazy-icon.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as styles from './alert-card.module.css';
import './queue-card.module.css';
import * as statusStyles from './status.module.css';
import './compact-card.module.css';

const FlappingMark = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "alert" */ './flapping-mark.tsx')).FlappingMark,
  'omit',
);

const QuietMark = lazyWithRetry(
  async () => (await import(/* webpackChunkName: "alert" */ './quiet-mark.tsx')).QuietMark,
  'omit',
);

const MutedIcon = lazyIcon(async () => {
  const { NotificationsSnoozeIcon: Icon } = await import('@blueprintjs/icons');
  return Icon;
});

interface NamedCardProps {
  alert: Alert;
  /** Id of the element that names the card for assistive technology. */
  id: string;
  isNew: boolean;
}

/**
 * The headline, which leads to the alert: its title, else its customer. What is to be said of it follows, and is cut before
 * it. Text from outside has its own direction where it is cut, so that its beginning stays, whichever side that is on.
 */
export function CardTitle({ alert, id, isNew, children }: NamedCardProps & { children?: ReactNode }) {
  const { title, customer, quietBy } = alert;
  const name = useNow((now) => spokenCard(alert, now, isNew));
  const line = inertLine(title ?? customer ?? '');
  const kind = title === null && (line === '' ? styles.customer_none : styles.customer);
  return (
    <div className={styles.headline}>
      <span id={id} hidden>
        {name}
        {quietBy && (
          <Suspense fallback={null}>
            {title === null && '.'}
            <QuietMark quietBy={quietBy} isSpoken />
          </Suspense>
        )}
      </span>
      <span className={classNames(styles.title, kind)} dir="auto" data-tip={line}>
        <AlertLink id={alert.id}>
          <Hits text={line || common.noCustomer} />
        </AlertLink>
      </span>
      {alert.isTest && <MarkTag />}
      {quietBy && (
        <Suspense fallback={<MarkTag text={inertLine(quietBy.name)} />}>
          <QuietMark quietBy={quietBy} />
        </Suspense>
      )}
      {alert.label && <MarkTag text={inertLine(alert.label)} />}
      {alert.flapping && (
        <Suspense fallback={null}>
          <FlappingMark flapping={alert.flapping} />
        </Suspense>
      )}
      {children}
      <Lookers alertId={alert.id} />
    </div>
  );
}

/**
 * What is to be said of an alert after its headline: how its problem stands, in a word where `isShort`, who gave it, how
 * long it was left.
 */
export function CardFacts({ alert, isShort }: { alert: Alert; isShort: boolean }) {
  const fact = useNow((now) => factOf(alert, now));
  return (
    <>
      <AlertState alert={alert} stateOf={isShort ? stateWordOf : stateLineOf} />
      {fact !== undefined && (
        <span className={styles.fact} data-tip={fact}>
          {fact}
        </span>
      )}
    </>
  );
}

/** What a click on a card can narrow its list to. */
export type CardFilterKey = 'customer' | 'type' | 'source';

/** Narrows the list of a card to what was clicked; absent where the list cannot be, or a tap opens the alert. */
export const FilterByCard = createContext<((key: CardFilterKey, value: string) => void) | undefined>(undefined);

/** Customer, type and source; the customer is missing where it is the headline. Each narrows the list when it is clicked. */
export function CardLead({ alert }: { alert: Alert }) {
  const { title, customer, sourceId, sender } = alert;
  const type = typeBeside(alert);
  const isMuted = useIsMuted(alert);
  const source = sourceLabel(alert);
  return (
    <div className={styles.lead}>
      {title !== null && customer !== null && (
        <LeadPart filter="customer" value={customer} className={styles.customer}>
          <Hits text={inertLine(customer)} />
        </LeadPart>
      )}
      {isMuted && <MutedMark />}
      {type !== undefined && (
        <LeadPart filter="type" value={alert.alertType ?? type} className={styles.type}>
          <Hits text={type} />
        </LeadPart>
      )}
      {source !== '' && (
        <LeadPart filter="source" value={sourceId} tip={source} className={styles.source}>
          <CardTile sender={sender} />
          <span className={styles.sourceName} dir="auto">
            {source}
          </span>
        </LeadPart>
      )}
    </div>
  );
}

interface LeadPartProps {
  filter: CardFilterKey;
  /** What the list is narrowed to; undefined where that is not known. */
  value: string | undefined;
  tip?: string;
  className: string | undefined;
  children: ReactNode;
}

function LeadPart({ filter, value, tip = inertLine(value ?? ''), className, children }: LeadPartProps) {
  const filterBy = use(FilterByCard);
  const text = { className, dir: 'auto', 'data-tip': tip };
  if (!filterBy || value === undefined) return <span {...text}>{children}</span>;
  return (
    <button {...text} type="button" aria-label={texts.filterBy(tip, filter)} onClick={() => filterBy(filter, value)}>
      {children}
    </button>
  );
}

/** Classes of a card: by its layout, by its problem, which is quiet once it is resolved or while a window keeps it quiet, and its list's own. */
export const cardClass = (
  { state, quietBy }: Pick<Alert, 'state' | 'quietBy'>,
  layout: CardLayout,
  own?: string,
): string =>
  classNames(
    styles.card,
    own,
    styles[`card_${layout.kind}`],
    (layout.kind === 'narrow' || layout.kind === 'wide') && !isOneLine(layout) && styles.card_lines,
    (state === 'resolved' || quietBy) && styles.card_quiet,
  );

interface AlertTimeProps {
  alert: Alert;
  isNew?: boolean;
}

const NONE: ReadonlySet<string> = new Set<string>();

/** What is muted, whose cards carry a bell that sleeps (`exceptionKey`); the list provides it for its cards. */
export const MutedOnCards = createContext(NONE);

/** Whether an alert's customer, type or source is muted, where its list says so. */
export const useIsMuted = (alert: Alert): boolean => isAmongMuted(use(MutedOnCards), alert);

/** A bell that sleeps, and the word for it. */
const MutedMark = () => (
  <span className={styles.muted}>
    <MutedIcon size={12} />
    {texts.muted}
  </span>
);

/** How old an alert is, over when it arrived. What is new has a dot before it. */
export function AlertTime({ alert, isNew = false }: AlertTimeProps) {
  const age = useNow((now) => ageOf(alert.timestamp, now));
  return (
    <div className={styles.time}>
      <span className={styles.age}>
        {isNew && <NewDot />}
        {age}
      </span>
      <AlertArrival alert={alert} />
    </div>
  );
}

/** A dot, and the word for those who cannot see it. */
export const NewDot = () => (
  <span className={styles.cardNew} data-tip={texts.isNew} data-tip-always>
    <span>{texts.isNew}</span>
  </span>
);

/** When an alert arrived first, exact in a tooltip. */
export function AlertArrival({ alert: { timestamp } }: AlertTimeProps) {
  const time = useMemo(() => new Date(timestamp), [timestamp]);
  return (
    <time dateTime={timestamp} data-tip={formatExactTime(time)} data-tip-always>
      {formatCardTime(time)}
    </time>
  );
}

/** How the problem stands, kept current. */
export function AlertState({ alert, stateOf }: { alert: Alert; stateOf: typeof stateLineOf }) {
  // Text, so that the card is drawn again only when it reads otherwise.
  const state = useNow((now) => JSON.stringify(stateOf(alert, now)));
  if (state === undefined) return null;
  const line = JSON.parse(state) as StateLine;
  return (
    <span className={classNames(styles.fact, styles.state)}>
      {line.count}
      {line.count !== undefined && line.text !== '' && ', '}
      {line.resolved !== undefined && <strong>{line.resolved} </strong>}
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
      aria-label={texts.extraInformation(count)}
      aria-haspopup="dialog"
      onClick={onSelect}
      text={texts.countMore(count)}
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
