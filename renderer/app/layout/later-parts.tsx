import { QuietOnScreen } from '#renderer/alerts/data/quiet-on-screen.tsx';
import { MaintenanceBanner } from '#renderer/maintenance/maintenance-banner.tsx';
import { MuteEnds } from '#renderer/mutes/mute-ends.ts';

/** What comes after the first screen: windows that are on, over whichever list they are about, and mutes that end. */
export function LaterParts() {
  return (
    <>
      <MaintenanceBanner QuietOnScreen={QuietOnScreen} />
      <MuteEnds />
    </>
  );
}
