import { useEffect } from 'react';
import type { DesktopBridge } from '#electron/contract.ts';
import type { UpdateState } from '#electron/contract/updates.ts';
import type { Toast } from '#renderer/lib/toast-queue.ts';
import { useToasts } from '#renderer/lib/toast.ts';

/** Reports update news in toasts, on whichever screen somebody is. */
export function useUpdateToasts(desktop: DesktopBridge): void {
  const toasts = useToasts();
  useEffect(() => {
    let last: UpdateState['status'] | undefined;
    let isOver = false;
    const tell = (state: UpdateState) => {
      const toast = state.status === last ? undefined : updateToast(state, desktop);
      last = state.status;
      if (toast) toasts.show(toast);
    };
    const stop = desktop.on('updateState', tell);
    // The app looks for updates as it starts, before there is a page. An error of that time is over.
    const catchUp = async () => {
      const state = await desktop.getUpdateState();
      if (!isOver && last === undefined && state.status !== 'error') tell(state);
    };
    void catchUp();
    return () => {
      isOver = true;
      stop();
    };
  }, [desktop, toasts]);
}

/** The toast of a new status; most have none. */
export function updateToast(
  { status, version, error }: UpdateState,
  desktop: Pick<DesktopBridge, 'downloadUpdate' | 'restartAndInstall'>,
): Toast | undefined {
  if (status === 'available') {
    return {
      intent: 'done',
      title: 'Update Available',
      description: `Version ${version} can be downloaded.`,
      action: { label: 'Download', onSelect: () => void desktop.downloadUpdate() },
    };
  }
  if (status === 'downloaded') {
    return {
      intent: 'done',
      title: 'Update Downloaded',
      description: `Version ${version} is installed when the app restarts.`,
      action: { label: 'Restart', onSelect: () => void desktop.restartAndInstall() },
    };
  }
  if (status !== 'error') return undefined;
  return { variant: 'destructive', title: 'Update Error', description: error ?? 'Failed to check for updates' };
}
