import { QuietOnScreen } from '#renderer/alerts/data/quiet-on-screen.tsx';
import { KeyNotice } from '#renderer/alerts/keys/key-notice.tsx';
import { MaintenanceBanner } from '#renderer/maintenance/maintenance-banner.tsx';
import { MuteEnds } from '#renderer/mutes/mute-ends.ts';

/**
 * What comes after the first screen: windows that are on, over whichever list they are about, mutes that end, and what keys say
 * that do nothing.
 */
export function LaterParts() {
  return (
    <>
      <MaintenanceBanner QuietOnScreen={QuietOnScreen} />
      <MuteEnds />
      <KeyNotice />
    </>
  );
}
