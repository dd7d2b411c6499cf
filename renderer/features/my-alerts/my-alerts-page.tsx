import { QueueListPage } from '#renderer/ui/alert-list/queue-list-page.tsx';
import { MyAlertsEmpty } from './my-alerts-empty.tsx';

const LIST = { list: 'mine' } as const;

/** My Alerts: what I accepted and have not filed in a folder (spec.md section 2, "My Alerts"). */
export function MyAlertsPage() {
  return <QueueListPage title="My Alerts" list={LIST} words="in your queue" empty={<MyAlertsEmpty />} />;
}
