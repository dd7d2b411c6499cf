import { Button, Menu, MenuItem, PopoverNext, PopupKind, SegmentedControl } from '@blueprintjs/core';
import { DoubleCaretVerticalIcon, LogOutIcon } from '@blueprintjs/icons';
import { useId } from 'react';
import { useSession, useSignOut } from '#renderer/lib/session.ts';
import { useThemeChoice } from '#renderer/lib/theme.ts';
import { isThemeChoice } from '#renderer/lib/theme-storage.ts';
import { initialsOf } from './initials-of.ts';
import './user-menu.css';

const THEMES = [
  { label: 'System', value: 'system' },
  { label: 'Light', value: 'light' },
  { label: 'Dark', value: 'dark' },
];

/** The sidebar's footer: who is signed in, and behind it the theme and Logout (spec.md section 2, "Sidebar"). */
export function UserMenu({ iconsOnly }: { iconsOnly: boolean }) {
  const { displayName, email } = useSession();
  const name = displayName === '' ? 'User' : displayName;
  return (
    <PopoverNext
      className="ad-user-target"
      content={<UserMenuPanel name={name} email={email} />}
      placement={iconsOnly ? 'right-end' : 'top-start'}
      arrow={false}
      animation="minimal"
      popupKind={PopupKind.DIALOG}
      shouldReturnFocusOnClose
    >
      <Button className="ad-user" variant="minimal" fill>
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

function UserMenuPanel({ name, email }: { name: string; email: string }) {
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
