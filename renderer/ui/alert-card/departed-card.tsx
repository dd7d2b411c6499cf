import { TickIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';

/** What a card becomes for a moment when somebody else accepted its alert (tokens.md, "The card", states). */
export function DepartedCard({ alert, acceptedBy, labelId }: { alert: Alert; acceptedBy: string; labelId: string }) {
  return (
    <div className="ad-card-departed">
      <TickIcon size={16} />
      <span className="ad-card-departed-what" id={labelId}>
        {alert.customer === null ? 'No customer' : <strong>{inertLine(alert.customer)}</strong>}
        {alert.alertType !== null && ` ${inertLine(alert.alertType)}`}
      </span>
      <span className="ad-card-departed-who">
        Accepted by <bdi>{inertLine(acceptedBy)}</bdi>
      </span>
    </div>
  );
}
