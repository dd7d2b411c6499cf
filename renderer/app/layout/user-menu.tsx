import { PopupKind } from '@blueprintjs/core';
import { DoubleCaretVerticalIcon } from '@blueprintjs/icons';
import { type RefObject, Suspense, useRef } from 'react';
import { useMatch } from 'react-router-dom';
import { PATHS } from '#renderer/lib/paths.ts';
import { desktop } from '#renderer/desktop/bridge.ts';
import { lazyWithRetry, partAfterFirstScreen } from '#renderer/lib/lazy-part.ts';
import { useSession } from '#renderer/session/session.ts';
import { itemsOf } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { initialsOf } from '#renderer/lib/badge-text.ts';
import type { UserMenuPanelProps } from './user-menu-panel.tsx';
import * as texts from './texts.ts';
import * as styles from './user-menu.module.css';

const loadPanel = async () => (await import('./user-menu-panel.tsx')).UserMenuPanel;
const AboutDialog = lazyWithRetry(
  async () => (await import('#renderer/features/about/about-dialog.tsx')).AboutDialog,
  'report',
);
const DesktopAboutDialog = lazyWithRetry(
  async () => (await import('#renderer/desktop/desktop-about-dialog.tsx')).DesktopAboutDialog,
  'report',
);

// What administrators are to know, once the screen that they asked for is there.
const RefusingDot = partAfterFirstScreen(
  async () => (await import('#renderer/features/admin/source-counts.tsx')).RefusingDot,
  'omit',
);

/** The sidebar's footer: the signed-in member, as a button that opens the user menu. */
export function UserMenu({ iconsOnly }: { iconsOnly: boolean }) {
  const { displayName, email } = useSession();
  const name = displayName === '' ? texts.user : displayName;
  const about = useDialog();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <>
      <UserMenuButton
        name={name}
        email={email}
        iconsOnly={iconsOnly}
        button={button}
        onAbout={() => about.open(true, button.current)}
      />
      {about.shown && (
        <Suspense>
          {desktop ? (
            <DesktopAboutDialog desktop={desktop} presence={about.shown.presence} />
          ) : (
            <AboutDialog presence={about.shown.presence} />
          )}
        </Suspense>
      )}
    </>
  );
}

interface UserMenuButtonProps extends UserMenuPanelProps {
  iconsOnly: boolean;
  button: RefObject<HTMLButtonElement | null>;
}

function UserMenuButton({ iconsOnly, button, ...panel }: UserMenuButtonProps) {
  const { name, email } = panel;
  const { role } = useSession();
  const isInSettings = useMatch({ path: PATHS.settings, end: false }) !== null;
  const isInAccount = useMatch({ path: PATHS.account, end: false }) !== null;
  const isInAdmin = useMatch({ path: PATHS.admin, end: false }) !== null;
  return (
    <PopupButton
      className={styles.target}
      placement={iconsOnly ? 'right-end' : 'top-start'}
      popupKind={PopupKind.DIALOG}
      onOpening={(popup) =>
        itemsOf(popup.querySelector<HTMLElement>('[role="menu"]'))[0]?.focus({ preventScroll: true })
      }
      load={loadPanel}
      content={panel}
      buttonRef={button}
      button={{
        className: styles.user,
        variant: 'minimal',
        active: isInAccount || isInSettings || isInAdmin,
        fill: true,
        children: (
          <span className={styles.row}>
            <span className={styles.face}>
              <span className={styles.initials} aria-hidden>
                {initialsOf(name)}
              </span>
              {role === 'admin' && <RefusingDot />}
            </span>
            <span className={styles.words}>
              <span className={styles.name}>{name}</span>
              <span className={styles.email}>{email}</span>
            </span>
            {!iconsOnly && <DoubleCaretVerticalIcon />}
          </span>
        ),
      }}
    />
  );
}
