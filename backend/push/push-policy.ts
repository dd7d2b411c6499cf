import type { PublishedAlert } from '#backend/live/event-bus.ts';

/** What a member has decided about being told, as far as it matters for the alerts at hand. */
export interface MemberSettings {
  isActive: boolean;
  /** Names of muted customers. */
  mutedCustomers: ReadonlySet<string>;
  mutedAlertTypes: ReadonlySet<string>;
}

/** Whether a member is told of an alert by web push: the one place that decides it (contract.md section 4, mutes). */
export function shouldPush(
  settings: MemberSettings,
  { customer, alertType }: Pick<PublishedAlert, 'customer' | 'alertType'>,
): boolean {
  if (!settings.isActive) return false;
  if (customer !== null && settings.mutedCustomers.has(customer)) return false;
  return alertType === null || !settings.mutedAlertTypes.has(alertType);
}
