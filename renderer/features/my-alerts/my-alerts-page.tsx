import { QueueListPage } from '#renderer/ui/alert-list/queue-list-page.tsx';
import { MyAlertsEmpty } from './my-alerts-empty.tsx';

const LIST = { list: 'mine' } as const;

/** My Alerts: the member's accepted alerts that are in no folder. */
export function MyAlertsPage() {
  return <QueueListPage title="My Alerts" list={LIST} words="in your queue" empty={<MyAlertsEmpty />} />;
}
