import { type ReactNode, useMemo } from 'react';
import type { ReadEvent } from '#backend/contract/delivery.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { problemLabel } from '#renderer/alerts/data/problem-labels.ts';
import { type FormattedValue, formatValue } from '#renderer/alerts/card/format-value.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatAgo, formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { headlineFields } from './headline-fields.ts';
import { STATE_LABELS } from './outcome-labels.ts';
import classNames from 'classnames';
import { countText } from '#backend/contract/count-text.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as alertCardStyles from '#renderer/alerts/card/alert-card.module.css';
import * as styles from './headline-card.module.css';

interface HeadlineCardProps {
  event: ReadEvent;
  /** When it arrived. */
  time: string;
  /** Name of its source. */
  source?: string | undefined;
  /** What can be done with it. */
  action?: ReactNode;
}

/** An alert as its card shows it in the inbox: headline, customer, type, fields, time. */
export function HeadlineCard({ event, time, source, action }: HeadlineCardProps) {
  const { shown, more } = useMemo(() => headlineFields(event), [event]);
  const customer = event.customer === null ? '' : inertLine(event.customer);
  const type = event.alertType === null ? '' : inertLine(event.alertType);
  const title = inertLine(event.title ?? '') || type || pageTexts.alertWithoutTitle;
  const date = new Date(time);
  const ago = useNow((now) => formatAgo(date, now));
  const isLasting = event.state === 'firing' || event.state === 'acknowledged';
  return (
    <div className={classNames(styles.headline, event.state === 'resolved' && styles.headline_resolved)}>
      <SeverityMark severity={event.severity} state={event.state} />
      <div className={styles.main}>
        <div className={styles.title} dir="auto" data-tip={title}>
          <span className="ad-hidden">{problemLabel(event)}: </span>
          {title}
        </div>
        <div className={styles.line}>
          <span className={styles.lead}>
            <span className={styles.customer} dir="auto" data-tip={customer}>
              {customer === '' ? (source ?? common.noCustomer) : customer}
            </span>
            {type !== '' && type !== title && (
              <span className={alertCardStyles.type} dir="auto" data-tip={type}>
                {type}
              </span>
            )}
            {source !== undefined && customer !== '' && <span className={styles.source}>{source}</span>}
          </span>
          <span className={styles.fields}>
            {shown.map(({ id, key, name, value }) => (
              <span key={id} className={styles.field}>
                <span className={styles.name}>{name}</span>
                <span className={styles.value} dir="auto">
                  <FieldValue value={formatValue(key, value, date)} />
                </span>
              </span>
            ))}
          </span>
          {more > 0 && <span className={styles.more}>{texts.more(countText(more))}</span>}
        </div>
      </div>
      <div className={styles.when}>
        <div>
          <span className={styles.new}>{texts.newLabel}</span>{' '}
          <time dateTime={time} data-tip={formatExactTime(date)} data-tip-always>
            {formatCardTime(date)}
          </time>
        </div>
        <div className={styles.state}>
          {isLasting ? `${STATE_LABELS[event.state]}${ago === undefined ? '' : `, ${ago}`}` : (ago ?? '')}
        </div>
      </div>
      {action !== undefined && <div className={styles.act}>{action}</div>}
    </div>
  );
}

/** A value on one line; an address can be followed. */
function FieldValue({ value }: { value: FormattedValue }) {
  if (value.kind !== 'link') return value.line;
  return (
    <a className={styles.link} href={value.href} target="_blank" rel="noopener noreferrer">
      {value.line}
    </a>
  );
}
