import type { Alert } from '#backend/contract/alert.ts';
import { ASSIGN } from '#renderer/alerts/actions/assign.ts';
import { HISTORY } from '#renderer/alerts/actions/look.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { CardDescription, CardEndProps } from './alert-card.tsx';
import { StatusTag } from './card-parts.tsx';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './read-only-card.module.css';

/** The status and the owner. */
const StateEnd = ({ alert }: CardEndProps) => (
  <div className={styles.state}>
    <StatusTag status={alert.status} />
    <Owner alert={alert} />
  </div>
);

/** Anybody's alert, which is read, and given to somebody. */
export const READ_ONLY_CARD: CardDescription = {
  kind: 'all',
  variant: 'all',
  className: styles.card_all,
  isNew: () => false,
  buttons: [ASSIGN, HISTORY],
  areQuiet: false,
  hasMenu: false,
  End: StateEnd,
};

function Owner({ alert: { ownerId, ownerName } }: { alert: Alert }) {
  if (ownerId === undefined) return <span className={panelStyles.badge}>{texts.unassigned}</span>;
  const name = ownerName === undefined ? '' : inertLine(ownerName);
  return (
    <span className={styles.owner}>
      <span className={panelStyles.badge}>{texts.assigned}</span>
      {name !== '' && (
        <span className={styles.ownerName} data-tip={name}>
          <bdi>{name}</bdi>
        </span>
      )}
    </span>
  );
}
