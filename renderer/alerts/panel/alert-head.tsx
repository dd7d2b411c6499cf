import { ShareIcon } from '@blueprintjs/icons';
import { type Ref, Suspense } from 'react';
import { Link } from 'react-router-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { Lookers } from '#renderer/alerts/card/lookers.tsx';
import { FlappingMark } from '#renderer/alerts/card/flapping-mark.tsx';
import { SeverityMark, MarkTag } from '#renderer/alerts/card/severity-mark.tsx';
import { alertTitle, typeBeside } from '#renderer/alerts/data/alert-labels.ts';
import { SEVERITY_LABELS, sourceLabel } from '#renderer/alerts/data/problem-labels.ts';
import { writePart } from '#backend/contract/search.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import classNames from 'classnames';
import { listOfAlert } from './list-of-alert.ts';
import * as texts from './texts.ts';
import * as styles from './alert-panel.module.css';
import * as alertCardStyles from '#renderer/alerts/card/alert-card.module.css';

const TicketLinks = lazyWithRetry(async () => (await import('./receipts.tsx')).TicketLinks, 'omit');

/** Id of the headline, which names the alert to its buttons. */
export const HEADLINE_ID = 'ad-alert-headline';

interface AlertHeadProps {
  alert: Alert;
  heading: Ref<HTMLHeadingElement>;
}

/** The headline, and under it how bad it is, whom it concerns, and the sender's page of it. */
export function AlertHead({ alert, heading }: AlertHeadProps) {
  const { severity, state, customer } = alert;
  const type = typeBeside(alert);
  const source = sourceLabel(alert);
  const link = /^https?:\/\//i.test(alert.url) ? alert.url : undefined;
  return (
    <header className={styles.head}>
      <Lookers alertId={alert.id} isHead />
      <SeverityMark severity={severity} state={state} />
      <h2 ref={heading} id={HEADLINE_ID} tabIndex={-1} className={styles.title} dir="auto">
        {alertTitle(alert)}
      </h2>
      <div className={styles.meta}>
        {alert.isTest && <MarkTag />}
        {alert.label !== undefined && <LabelLink alert={alert} label={alert.label} />}
        {alert.flapping && <FlappingMark flapping={alert.flapping} />}
        {severity !== 'none' && (
          <span className={classNames(styles.severity, styles[`severity_${severity}`])}>
            {SEVERITY_LABELS[severity]}
          </span>
        )}
        {customer !== null && <bdi>{inertLine(customer)}</bdi>}
        {type !== undefined && (
          <span className={alertCardStyles.type} dir="auto" data-tip={type}>
            {type}
          </span>
        )}
        {source !== '' && <bdi className={styles.source}>{source}</bdi>}
        <Suspense fallback={null}>
          <TicketLinks alertId={alert.id} />
        </Suspense>
        {link !== undefined && (
          <a className={styles.link} href={link} target="_blank" rel="noopener noreferrer">
            {texts.openInSource(source)}
            <ShareIcon size={14} />
          </a>
        )}
      </div>
    </header>
  );
}

/** What a rule has filed the alert under: leads to the list that the alert is in, narrowed to that, where the member has one. */
function LabelLink({ alert, label }: { alert: Alert; label: string }) {
  const list = listOfAlert(alert, useSession());
  const name = inertLine(label);
  if (list === undefined) return <MarkTag text={name} />;
  return (
    <Link
      className={styles.label}
      to={`${list}?${new URLSearchParams({ search: writePart('label', label) })}`}
      aria-label={texts.filterByLabel(name)}
      data-tip={texts.filterByLabel(name)}
      data-tip-always
    >
      <MarkTag text={name} hasTip={false} />
    </Link>
  );
}
