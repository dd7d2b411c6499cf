import { MenuDivider, MenuItem } from '@blueprintjs/core';
import type { Alert } from '#backend/contract/alert.ts';
import { exceptionKey } from '#backend/contract/mute.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { loadMuteDialog } from './mute-ask.ts';
import { FOREVER, MUTABLE_LABELS, mutablesOf, useMuteFor } from './mute-for.ts';
import { useMutedOnCards } from './mutes.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import * as texts from './texts.ts';

/** The type, customer and source of an alert. One click mutes, or unmutes what is muted. */
export function MuteMenu({ alerts: [alert] }: { alerts: readonly Alert[] }) {
  const ask = useAsk();
  const muted = useMutedOnCards();
  const mute = useMuteFor();
  if (!alert) return null;
  return (
    <MenuList label={texts.mute}>
      {mutablesOf(alert).map((one) => {
        const isMuted = muted.has(exceptionKey(one.kind, one.id));
        return (
          <MenuItem
            key={one.kind}
            text={
              <>
                {isMuted && texts.unmuteStart}
                {MUTABLE_LABELS[one.kind]} <bdi>{one.name}</bdi>
              </>
            }
            onClick={() => mute(one, isMuted ? undefined : FOREVER)}
          />
        );
      })}
      <MenuDivider />
      <MenuItem text={texts.forTime} onClick={() => ask(loadMuteDialog, { alert })} />
    </MenuList>
  );
}
