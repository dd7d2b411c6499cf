import { onTestFinished, vi } from 'vitest';

/** What the browser permits, and what a person answers. */
export interface BrowserPermission {
  permission: NotificationPermission;
  /** How often the person was asked. */
  asked: number;
  /** How often the page read the permission. */
  reads: number;
}

/**
 * Gives the page notifications, which jsdom has not, until the test ends.
 *
 * @param permission what is permitted at the beginning
 * @param answers what a person says each time they are asked, the last answer for good; `default` passes the question over
 */
export function permitNotifications(
  permission: NotificationPermission,
  ...answers: NotificationPermission[]
): BrowserPermission {
  const state: BrowserPermission = { permission, asked: 0, reads: 0 };
  vi.stubGlobal('Notification', {
    get permission() {
      state.reads += 1;
      return state.permission;
    },
    async requestPermission() {
      const answer = answers[Math.min(state.asked, answers.length - 1)];
      state.asked += 1;
      if (state.permission === 'default' && answer) state.permission = answer;
      return state.permission;
    },
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return state;
}
