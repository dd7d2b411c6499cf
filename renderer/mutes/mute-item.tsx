import { Button, MenuDivider, MenuItem } from '@blueprintjs/core';
import { NotificationsSnoozeIcon } from '@blueprintjs/icons';
import type { Alert } from '#backend/contract/alert.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { KeyCap, tipWithKey } from '#renderer/ui/key-cap.tsx';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { SubMenu } from '#renderer/ui/menu/sub-menu.tsx';
import { FOREVER, MUTABLE_LABELS, mutablesOf, useMuteFor } from './mute-for.ts';
import { mutableKey, useMutedOnCards } from './mutes.ts';
import { hasMutable, useAskToMute } from './mute-ask.ts';

/** The key that does the same, as the lists' table of keys has it. */
const KEY = 'L';

/**
 * The entry of an alert's menu that mutes its type, its customer or its source until that is ended, or asks for how long;
 * nothing where nothing can be muted.
 */
export function MuteItem({ alert }: { alert: Alert }) {
  const ask = useAskToMute();
  const [areKeysOn] = useSingleKeys();
  if (!hasMutable(alert)) return null;
  return (
    <SubMenu
      icon={<NotificationsSnoozeIcon size={16} />}
      text="Mute"
      {...(areKeysOn && { labelElement: <KeyCap label={KEY} />, 'aria-keyshortcuts': KEY })}
    >
      <MuteMenu alert={alert} onAsk={() => ask(alert)} />
    </SubMenu>
  );
}

/** One click mutes, or unmutes what is muted. */
function MuteMenu({ alert, onAsk }: { alert: Alert; onAsk: () => void }) {
  const muted = useMutedOnCards();
  const mute = useMuteFor();
  return (
    <MenuList label="Mute">
      {mutablesOf(alert).map((one) => {
        const isMuted = muted.has(mutableKey(one.kind, one.id));
        return (
          <MenuItem
            key={one.kind}
            text={
              <>
                {isMuted && 'Unmute '}
                {MUTABLE_LABELS[one.kind]} <bdi>{one.name}</bdi>
              </>
            }
            onClick={() => mute(one, isMuted ? undefined : FOREVER, isMuted)}
          />
        );
      })}
      <MenuDivider />
      <MenuItem text="For a time…" onClick={onAsk} />
    </MenuList>
  );
}

/** The same as a button by itself. */
export function MuteButton({ alert }: { alert: Alert }) {
  const ask = useAskToMute();
  const [areKeysOn] = useSingleKeys();
  if (!hasMutable(alert)) return null;
  return (
    <Button
      variant="minimal"
      icon={<NotificationsSnoozeIcon />}
      aria-label="Mute"
      aria-haspopup="dialog"
      {...tipWithKey('Mute', areKeysOn ? KEY : undefined)}
      {...(areKeysOn && { 'aria-keyshortcuts': KEY })}
      onClick={() => ask(alert)}
    />
  );
}
