import process from 'node:process';
import { app } from 'electron';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { type Task, taskArgument } from '#electron/app/app-link.ts';
import { type NotificationState } from '#electron/contract/desktop.ts';
import { isPaused } from '#electron/notifications/pause.ts';
import type { State } from '#electron/state.ts';

const LABELS: Readonly<Record<Task, { title: string; description: string }>> = {
  'new-alerts': { title: 'New Alerts', description: 'Opens the alerts that nobody has accepted yet' },
  'my-alerts': { title: 'My Alerts', description: 'Opens the alerts that you have accepted' },
  pause: {
    title: 'Pause notifications for 1 hour',
    description: 'Stops notifications and the flashing of the taskbar',
  },
  resume: { title: 'Resume notifications', description: 'Turns notifications back on' },
  quit: { title: `Quit ${PRODUCT_NAME}`, description: 'Quits the app instead of keeping it in the tray' },
};

/**
 * What Windows offers at the taskbar button's right click. It outlives the app: each entry starts the program, and a running
 * one gets the request. Thumbnail buttons would offer the same as icons without words, so there are none.
 */
export function setupJumpList(notifications: State<NotificationState>): void {
  // From the sources the program is Electron itself, which would start without its app.
  if (process.platform !== 'win32' || !app.isPackaged) return;
  let shown: boolean | undefined;
  notifications.subscribe(({ pausedUntil }) => {
    const paused = isPaused(pausedUntil, new Date());
    if (paused === shown) return;
    shown = paused;
    const tasks: readonly Task[] = ['new-alerts', 'my-alerts', paused ? 'resume' : 'pause', 'quit'];
    app.setJumpList([{ type: 'tasks', items: tasks.map((task) => itemOf(task)) }]);
  });
}

const itemOf = (task: Task): Electron.JumpListItem => ({
  type: 'task',
  ...LABELS[task],
  program: process.execPath,
  args: taskArgument(task),
  iconPath: process.execPath,
  iconIndex: 0,
});
