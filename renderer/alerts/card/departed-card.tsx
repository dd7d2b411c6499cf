import { DisableIcon, TickIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { typeBeside } from '#renderer/alerts/data/alert-labels.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as styles from './alert-card.module.css';

interface DepartedCardProps {
  alert: Alert;
  /** Who accepted the alert; undefined when it left the list for another reason. */
  acceptedBy: string | undefined;
  labelId: string;
}

/** What a card becomes when its alert left the list by somebody else's doing, until its place is closed. */
export function DepartedCard({ alert, acceptedBy, labelId }: DepartedCardProps) {
  return (
    <div className={styles.departed}>
      {acceptedBy === undefined ? <DisableIcon size={16} /> : <TickIcon size={16} />}
      <span className={styles.departedWhat} id={labelId}>
        <DepartedName alert={alert} />
      </span>
      <span className={styles.departedWho}>
        {acceptedBy === undefined ? (
          texts.noLongerInThisList
        ) : (
          <>{texts.acceptedBy(<bdi>{inertLine(acceptedBy)}</bdi>)}</>
        )}
      </span>
    </div>
  );
}

/** The headline with whom it concerns, or today's customer and type. */
function DepartedName({ alert }: { alert: Alert }) {
  const { title, customer, alertType } = alert;
  const about = [inertLine(customer ?? ''), typeBeside(alert) ?? ''].filter((part) => part !== '');
  if (title !== null) {
    return (
      <>
        <strong>{inertLine(title)}</strong> {about.join(' · ')}
      </>
    );
  }
  return (
    <>
      {customer === null ? common.noCustomer : <strong>{inertLine(customer)}</strong>}
      {alertType !== null && ` ${inertLine(alertType)}`}
    </>
  );
}
