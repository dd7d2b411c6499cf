import { Dialog, DialogBody } from '@blueprintjs/core';
import type { Alert } from '#backend/contract/alert.ts';
import { useHistory } from '#renderer/lib/alerts/get-history.ts';
import { AlertSubject } from '#renderer/ui/alert-card/alert-subject.tsx';
import { HistoryList } from './history-list.tsx';
import './history-dialog.css';

interface HistoryDialogProps {
  alert: Alert;
  isOpen: boolean;
  onClose: () => void;
  /** Called when it has gone from the screen. */
  onClosed: () => void;
}

/** The history of an alert. Fetched each time it opens. */
export function HistoryDialog({ alert, ...dialog }: HistoryDialogProps) {
  const { data, error, isFetching, refetch } = useHistory(alert.id);
  return (
    <Dialog {...dialog} className="ad-history" title="Alert History" shouldReturnFocusOnClose>
      <DialogBody useOverflowScrollContainer={false}>
        <p className="ad-dialog-subtitle">Complete tracking history for this alert</p>
        <AlertSubject alert={alert} />
        {isFetching ? (
          <output className="ad-history-state">Loading history...</output>
        ) : (
          <HistoryList entries={data ?? []} error={error} onRetry={() => void refetch()} />
        )}
      </DialogBody>
    </Dialog>
  );
}
