import { Button } from '@blueprintjs/core';
import { ClipboardIcon, CrossIcon, InboxIcon } from '@blueprintjs/icons';
import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '#backend/contract/product.ts';
import { PATHS } from '#renderer/app/paths.ts';
import { useInboxCount } from '#renderer/lib/alerts/get-inbox.ts';
import { useMyAlertsCount } from '#renderer/lib/alerts/get-my-alerts.ts';
import { FoldersGroup } from '#renderer/features/folders/folders-group.tsx';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { NavGroup } from './nav-group.tsx';
import { NavItem } from './nav-item.tsx';
import { UserMenu } from './user-menu.tsx';
import './sidebar.css';

interface SidebarContentProps {
  /** Shows icons without words, with tooltips. */
  iconsOnly?: boolean;
  /** Closes the sheet that holds the sidebar, if one does. */
  onClose?: () => void;
}

/** The content of the sidebar, the same in its column and in its sheet. */
export function SidebarContent({ iconsOnly = false, onClose }: SidebarContentProps) {
  const inbox = useInboxCount();
  const mine = useMyAlertsCount();
  return (
    <>
      <div className="ad-brand">
        <BrandMark />
        <div className="ad-brand-words">
          <div className="ad-brand-name">{PRODUCT_NAME}</div>
          <div className="ad-brand-subtitle">{PRODUCT_SUBTITLE}</div>
        </div>
        {onClose && <Button variant="minimal" icon={<CrossIcon />} aria-label="Close the sidebar" onClick={onClose} />}
      </div>
      <nav className="ad-nav" aria-label="Main">
        <HoverTip className="ad-nav-tips">
          <NavGroup label="Alerts">
            <NavItem
              to={PATHS.inbox}
              icon={<InboxIcon />}
              label="New Alerts"
              count={inbox}
              prominent
              iconsOnly={iconsOnly}
            />
            <NavItem
              to={PATHS.myAlerts}
              icon={<ClipboardIcon />}
              label="My Alerts"
              count={mine}
              dropTarget="mine"
              iconsOnly={iconsOnly}
            />
          </NavGroup>
          <FoldersGroup iconsOnly={iconsOnly} />
        </HoverTip>
      </nav>
      <div className="ad-sidebar-foot">
        <UserMenu iconsOnly={iconsOnly} />
      </div>
    </>
  );
}
