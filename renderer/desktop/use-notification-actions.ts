import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { DesktopBridge } from '#electron/contract.ts';
import type { NotificationAction } from '#electron/contract/desktop.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { alertsOf } from '#renderer/lib/alerts/alert-pages.ts';
import { inboxQuery } from '#renderer/lib/alerts/get-inbox.ts';
import { useAlertActions } from '#renderer/lib/alerts/use-alert-actions.ts';
import { findCustomer } from '#renderer/lib/mutes/get-customers.ts';
import { useMuteCustomer } from '#renderer/lib/mutes/mute-customer.ts';
import { useToasts } from '#renderer/lib/toast.ts';

/** Does what the buttons of native notifications say: Accept, Mute customer. */
export function useNotificationActions(desktop: DesktopBridge): void {
  const client = useQueryClient();
  const { accept } = useAlertActions();
  const { mutateAsync: mute } = useMuteCustomer();
  const toasts = useToasts();

  useEffect(() => {
    const muteCustomerOf = async ({ customer }: Alert): Promise<void> => {
      // Customers are known by their names only here; a new one came with this very alert.
      const found = customer === null ? undefined : await findCustomer(customer);
      if (!found) return;
      await mute({ customerId: found.id, name: found.name, muted: true });
      toasts.show({ intent: 'done', title: 'Customer muted', description: `No more notifications from ${found.name}` });
    };
    const act = async ({ button, tag }: NotificationAction): Promise<void> => {
      const alert = await findAlert(client, tag);
      if (!alert) toasts.show({ variant: 'destructive', title: 'This alert is no longer in the inbox' });
      else if (button === 'accept') accept(alert);
      else await muteCustomerOf(alert);
    };
    const failed = (error: unknown) =>
      toasts.show({ variant: 'destructive', title: 'Could not do that', description: String(error) });
    return desktop.on('notificationAction', (action) => void act(action).catch(failed));
  }, [desktop, client, accept, mute, toasts]);
}

/** Notifications are known by their alert's id without its dashes (`tagOfAlert`). */
async function findAlert(client: QueryClient, tag: string): Promise<Alert | undefined> {
  const inbox = await client.fetchInfiniteQuery(inboxQuery);
  return alertsOf(inbox).find(({ id }) => id.replaceAll('-', '') === tag);
}
