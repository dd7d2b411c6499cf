import { DisableIcon, TickIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';

interface DepartedCardProps {
  alert: Alert;
  /** Who accepted the alert; undefined when it left the list in another way. */
  acceptedBy: string | undefined;
  labelId: string;
}

/** What a card becomes when its alert left the list by somebody else's doing, until its place is closed. */
export function DepartedCard({ alert, acceptedBy, labelId }: DepartedCardProps) {
  return (
    <div className="ad-card-departed">
      {acceptedBy === undefined ? <DisableIcon size={16} /> : <TickIcon size={16} />}
      <span className="ad-card-departed-what" id={labelId}>
        {alert.customer === null ? 'No customer' : <strong>{inertLine(alert.customer)}</strong>}
        {alert.alertType !== null && ` ${inertLine(alert.alertType)}`}
      </span>
      <span className="ad-card-departed-who">
        {acceptedBy === undefined ? (
          'No longer in this list'
        ) : (
          <>
            Accepted by <bdi>{inertLine(acceptedBy)}</bdi>
          </>
        )}
      </span>
    </div>
  );
}
