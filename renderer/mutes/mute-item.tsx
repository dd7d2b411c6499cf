import { Button, MenuItem } from '@blueprintjs/core';
import { NotificationsSnoozeIcon } from '@blueprintjs/icons';
import { useSetAtom } from 'jotai';
import type { Alert } from '#backend/contract/alert.ts';
import { hasMutable, muteAskAtom } from './mute-ask.tsx';

/** The entry of an alert's menu that asks what of it to mute; nothing where nothing can be. */
export function MuteItem({ alert }: { alert: Alert }) {
  const ask = useSetAtom(muteAskAtom);
  if (!hasMutable(alert)) return null;
  return <MenuItem icon={<NotificationsSnoozeIcon size={16} />} text="Mute…" label="L" onClick={() => ask(alert)} />;
}

/** The same as a button by itself. */
export function MuteButton({ alert }: { alert: Alert }) {
  const ask = useSetAtom(muteAskAtom);
  if (!hasMutable(alert)) return null;
  return (
    <Button
      variant="minimal"
      icon={<NotificationsSnoozeIcon />}
      aria-label="Mute"
      aria-haspopup="dialog"
      data-tip="Mute"
      data-tip-always
      onClick={() => ask(alert)}
    />
  );
}
