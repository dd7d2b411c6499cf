import { Button, Menu, MenuDivider, MenuItem, PopoverNext, PopupKind, SegmentedControl } from '@blueprintjs/core';
import { CogIcon, DoubleCaretVerticalIcon, InfoSignIcon, LogOutIcon, ShieldIcon } from '@blueprintjs/icons';
import { type MouseEvent, type ReactElement, type RefObject, Suspense, lazy, useId, useRef } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { ADMIN_ROLES, PATHS } from '#renderer/app/paths.ts';
import { useSession, useSignOut } from '#renderer/lib/session.ts';
import { useThemeChoice } from '#renderer/lib/theme.ts';
import { isThemeChoice } from '#renderer/lib/theme-storage.ts';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { initialsOf } from './initials-of.ts';
import './user-menu.css';

const THEMES = [
  { label: 'System', value: 'system' },
  { label: 'Light', value: 'light' },
  { label: 'Dark', value: 'dark' },
];

const AboutDialog = lazy(async () => ({
  default: (await import('#renderer/features/about/about-dialog.tsx')).AboutDialog,
}));

/** The sidebar's footer: who is signed in, and behind it the way to what is theirs (spec.md section 2, "Sidebar"). */
export function UserMenu({ iconsOnly }: { iconsOnly: boolean }) {
  const { displayName, email } = useSession();
  const name = displayName === '' ? 'User' : displayName;
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
          <AboutDialog presence={about.shown.presence} />
        </Suspense>
      )}
    </>
  );
}

interface UserMenuProps {
  name: string;
  email: string;
  onAbout: () => void;
}

interface UserMenuButtonProps extends UserMenuProps {
  iconsOnly: boolean;
  button: RefObject<HTMLButtonElement | null>;
}

function UserMenuButton({ iconsOnly, button, ...panel }: UserMenuButtonProps) {
  const { name, email } = panel;
  return (
    <PopoverNext
      className="ad-user-target"
      content={<UserMenuPanel {...panel} />}
      placement={iconsOnly ? 'right-end' : 'top-start'}
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.DIALOG}
      shouldReturnFocusOnClose
    >
      <Button ref={button} className="ad-user" variant="minimal" fill>
        <span className="ad-user-row">
          <span className="ad-user-initials" aria-hidden>
            {initialsOf(name)}
          </span>
          <span className="ad-user-words">
            <span className="ad-user-name">{name}</span>
            <span className="ad-user-email">{email}</span>
          </span>
          {!iconsOnly && <DoubleCaretVerticalIcon />}
        </span>
      </Button>
    </PopoverNext>
  );
}

function UserMenuPanel({ name, email, onAbout }: UserMenuProps) {
  const { role } = useSession();
  const [theme, setTheme] = useThemeChoice();
  const signOut = useSignOut();
  const themeId = useId();
  return (
    <dialog className="ad-user-panel" aria-label="Account" open>
      <div className="ad-user-panel-who">
        <div className="ad-user-panel-name">{name}</div>
        <div className="ad-user-panel-email">{email}</div>
      </div>
      <div className="ad-user-panel-theme">
        <span id={themeId}>Theme</span>
        <SegmentedControl
          aria-labelledby={themeId}
          fill
          options={THEMES}
          value={theme}
          onValueChange={(value) => isThemeChoice(value) && setTheme(value)}
        />
      </div>
      <Menu className="ad-user-panel-menu">
        <MenuLink icon={<CogIcon />} text="Settings" to={PATHS.settings} />
        {ADMIN_ROLES.includes(role) && <MenuLink icon={<ShieldIcon />} text="Admin Panel" to={PATHS.admin} />}
        <MenuItem icon={<InfoSignIcon />} text="About" onClick={onAbout} />
        <MenuDivider />
        <MenuItem
          icon={<LogOutIcon />}
          text="Logout"
          disabled={signOut.isPending}
          shouldDismissPopover={false}
          onClick={() => signOut.mutate()}
        />
      </Menu>
    </dialog>
  );
}

function MenuLink({ icon, text, to }: { icon: ReactElement; text: string; to: string }) {
  const href = useHref(to);
  const open = useLinkClickHandler<HTMLAnchorElement>(to);
  return (
    <MenuItem icon={icon} text={text} href={href} onClick={(event) => open(event as MouseEvent<HTMLAnchorElement>)} />
  );
}
