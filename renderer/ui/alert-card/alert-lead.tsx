import { Tag } from '@blueprintjs/core';
import { NotificationsSnoozeIcon } from '@blueprintjs/icons';
import { use } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { alertName } from '#renderer/lib/alerts/alert-name.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { MutedCustomers } from './muted-customers.ts';
import './muted-customer.css';

/**
 * Who and what: the customer over the New badge and the alert type. The element `id` names the card for assistive technology, as a person would. Text
 * from outside has its own direction where it is cut, so that its beginning stays, whichever side that is on.
 */
export function AlertLead({ alert, id, isNew }: { alert: Alert; id: string; isNew: boolean }) {
  const customer = alert.customer === null ? '' : inertLine(alert.customer);
  const isMuted = use(MutedCustomers).has(alert.customer ?? '');
  const type = alert.alertType === null ? '' : inertLine(alert.alertType);
  return (
    <div className="ad-card-lead">
      <span id={id} hidden>
        {alertName(alert)}
      </span>
      {customer === '' ? (
        <span className="ad-card-customer ad-card-customer--none">No customer</span>
      ) : (
        <span className="ad-card-who">
          <span className="ad-card-customer" dir="auto" data-tip={customer}>
            {customer}
          </span>
          {isMuted && (
            <span className="ad-card-muted" data-tip="Muted" data-tip-always>
              <NotificationsSnoozeIcon size={12} title="Muted" />
            </span>
          )}
        </span>
      )}
      <span className="ad-card-tags">
        {isNew && <span className="ad-card-new">New</span>}
        {type !== '' && (
          <Tag className="ad-card-type" minimal dir="auto" data-tip={type}>
            {type}
          </Tag>
        )}
      </span>
    </div>
  );
}
