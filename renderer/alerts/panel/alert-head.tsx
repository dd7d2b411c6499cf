import { Tag } from '@blueprintjs/core';
import { ShareIcon } from '@blueprintjs/icons';
import type { Ref } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { SEVERITY_LABELS, sourceLabel } from '#renderer/alerts/data/problem-labels.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { joinClasses } from '#renderer/lib/join-classes.ts';

interface AlertHeadProps {
  alert: Alert;
  heading: Ref<HTMLHeadingElement>;
}

/** The headline, and under it how bad it is, whom it concerns, and the sender's page of it. */
export function AlertHead({ alert, heading }: AlertHeadProps) {
  const { severity, state, customer, alertType } = alert;
  const source = sourceLabel(alert);
  const link = /^https?:\/\//i.test(alert.url) ? alert.url : undefined;
  return (
    <header className="ad-alert-panel-head">
      <SeverityMark severity={severity} state={state} />
      <h2 ref={heading} tabIndex={-1} className="ad-alert-panel-title" dir="auto">
        {alertTitle(alert)}
      </h2>
      <div className="ad-alert-panel-meta">
        {severity !== 'none' && (
          <span className={joinClasses('ad-alert-panel-severity', `ad-alert-panel-severity--${severity}`)}>
            {SEVERITY_LABELS[severity]}
          </span>
        )}
        {customer !== null && <bdi>{inertLine(customer)}</bdi>}
        {alertType !== null && (
          <Tag className="ad-card-type" minimal dir="auto" data-tip={inertLine(alertType)}>
            {inertLine(alertType)}
          </Tag>
        )}
        {source !== '' && <bdi className="ad-alert-panel-source">{source}</bdi>}
        {link !== undefined && (
          <a className="ad-alert-panel-link" href={link} target="_blank" rel="noopener noreferrer">
            Open in {source === '' ? 'its source' : source}
            <ShareIcon size={14} />
          </a>
        )}
      </div>
    </header>
  );
}
