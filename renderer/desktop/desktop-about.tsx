import { type ReactNode, Suspense, useEffect } from 'react';
import type { DesktopBridge } from '#electron/contract.ts';
import { lazyWithRetry } from '#renderer/lib/lazy-part.ts';
import { type DialogState, useDialog } from '#renderer/ui/use-dialog.ts';

const DesktopAboutDialog = lazyWithRetry(
  async () => (await import('./desktop-about-dialog.tsx')).DesktopAboutDialog,
  'report',
);

/** About's dialog, opened when the tray or the menu asks for it, also when that was before this page was there. */
export function useRequestedAbout(desktop: DesktopBridge): DialogState<true> {
  const dialog = useDialog();
  const { open } = dialog;
  useEffect(() => {
    const look = async () => {
      if (await desktop.consumeAboutRequest()) open(true);
    };
    void look();
    return desktop.on('showAbout', () => void look());
  }, [desktop, open]);
  return dialog;
}

interface OpenAboutProps {
  desktop: DesktopBridge;
  dialog: DialogState<true>;
  /** Where it leads, on a page that has no server to ask. */
  links?: ReactNode;
}

/** About while it is open. */
export const OpenAbout = ({ desktop, dialog: { shown }, links }: OpenAboutProps) =>
  shown && (
    <Suspense>
      <DesktopAboutDialog key={shown.key} desktop={desktop} presence={shown.presence} links={links} />
    </Suspense>
  );

/** About in the web app: on every page of it, signed in or not. */
export function DesktopAbout({ desktop }: { desktop: DesktopBridge }) {
  return <OpenAbout desktop={desktop} dialog={useRequestedAbout(desktop)} />;
}
