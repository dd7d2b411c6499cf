import { Button } from '@blueprintjs/core';
import { FilterListIcon, PeopleIcon, PlusIcon } from '@blueprintjs/icons';
import { NavLink, useLocation } from 'react-router-dom';
import type { View } from '#backend/contract/view.ts';
import { badgeText } from '#renderer/lib/badge-text.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { railTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { draftAt } from './draft-at.ts';
import { useSaveView } from './save-view.ts';
import { pathOfView, useViews } from './views.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as navStyles from '#renderer/ui/nav/nav.module.css';
import * as styles from './views-group.module.css';

/** The sidebar's Views group: the member's own, then the shared ones, each with its live count. */
export function ViewsGroup({ iconsOnly }: { iconsOnly: boolean }) {
  const { views, error, retry } = useViews();
  const { pathname, search } = useLocation();
  const { listOrders } = useSession();
  const saveView = useSaveView();
  const plus = (
    <span className={styles.plus}>
      <Button
        variant="minimal"
        icon={<PlusIcon />}
        aria-label={texts.saveOneView}
        aria-haspopup="dialog"
        data-tip={texts.saveOneView}
        data-tip-always
        data-tip-now={iconsOnly || undefined}
        data-tip-side="right"
        onClick={() => saveView(draftAt(pathname, search, views, listOrders))}
      />
    </span>
  );
  return (
    <section className={`${navStyles.group} ${styles.views}`} aria-label={texts.views}>
      <div className={navStyles.groupHead}>
        <h2 className={navStyles.groupLabel}>{texts.views}</h2>
        {!iconsOnly && plus}
      </div>
      {error && !views ? (
        <div className={styles.none} role="alert">
          <p>{texts.yourViewsCouldNotBe}</p>
          <Button text={common.tryAgain} onClick={retry} />
        </div>
      ) : (
        <ul aria-label={texts.views}>
          {views?.map((view) => (
            <ViewRow key={view.id} view={view} iconsOnly={iconsOnly} />
          ))}
        </ul>
      )}
      {iconsOnly && plus}
    </section>
  );
}

function ViewRow({ view: { id, name, list, isShared, alerts }, iconsOnly }: { view: View; iconsOnly: boolean }) {
  const label = inertLine(name);
  const badge = badgeText(alerts ?? undefined);
  const sharedWith = list === 'all' ? texts.sharedWithAdministrators : texts.sharedWithEveryone;
  return (
    <li>
      <NavLink className={navStyles.item} to={pathOfView(id)} {...(iconsOnly && railTip(label, alerts ?? undefined))}>
        <FilterListIcon />
        <span className={navStyles.label} dir="auto">
          {label}
        </span>
        {isShared && (
          <span className={styles.shared} data-tip={sharedWith} data-tip-always>
            <PeopleIcon size={12} title={texts.shared} />
          </span>
        )}
        {alerts === null && (
          <span className={navStyles.count} data-tip={texts.alertsAreBeingCounted} data-tip-always>
            …
          </span>
        )}
        {badge && <span className={navStyles.count}>{badge}</span>}
      </NavLink>
    </li>
  );
}
