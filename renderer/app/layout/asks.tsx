import { AssignAsk } from '#renderer/alerts/assign/assign-ask.tsx';
import { SnoozeAsk } from '#renderer/alerts/snooze/snooze-ask.tsx';
import { MuteAsk } from '#renderer/mutes/mute-asked.tsx';
import { ViewAsk } from '#renderer/views/view-ask.tsx';

/**
 * The dialogs that menus and keys ask for, whichever screen they are on: the menu has closed by then, and its card may
 * leave. What is asked waits until they are there.
 */
export function Asks() {
  return (
    <>
      <SnoozeAsk />
      <AssignAsk />
      <MuteAsk />
      <ViewAsk />
    </>
  );
}
