import { Button } from '@blueprintjs/core';
import { DuplicateIcon, FolderOpenIcon } from '@blueprintjs/icons';
import { type ReactNode, useEffect, useState } from 'react';
import type { DesktopBridge } from '#electron/contract.ts';
import type { DesktopFacts } from '#electron/contract/desktop.ts';
import { AboutDialog } from '#renderer/features/about/about-dialog.tsx';
import { useToasts } from '#renderer/toasts/toast.ts';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { SoftwareUpdates } from './software-updates.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as styles from './desktop-about.module.css';

const PLATFORMS: Readonly<Record<DesktopFacts['platform'], string>> = {
  win32: texts.windowsDesktop,
  darwin: texts.macOSDesktop,
  linux: texts.linuxDesktop,
};

interface DesktopAboutDialogProps {
  desktop: DesktopBridge;
  presence: DialogPresence;
  /** Where it leads, on a page that has no server to ask. */
  links?: ReactNode;
}

/** What this is, in the desktop app: with its updates and its log. */
export function DesktopAboutDialog({ desktop, presence, links }: DesktopAboutDialogProps) {
  const [facts, setFacts] = useState<DesktopFacts>();
  useEffect(() => void desktop.getFacts().then(setFacts), [desktop]);
  if (!facts) return null;
  const keys = facts.platform === 'darwin' ? 'Cmd+Option+I' : 'Ctrl+Shift+I';
  return (
    <AboutDialog
      presence={presence}
      version={facts.version}
      kind={texts.desktop}
      platform={PLATFORMS[facts.platform]}
      devToolsKeys={keys}
      links={links}
    >
      <SoftwareUpdates desktop={desktop} />
      <LogFile path={facts.logPath} desktop={desktop} />
    </AboutDialog>
  );
}

function LogFile({ path, desktop }: { path: string; desktop: DesktopBridge }) {
  const toasts = useToasts();
  const copy = () =>
    desktop.copyLogPath().then(
      () => toasts.show({ intent: 'done', title: common.copiedToClipboard }),
      () => toasts.show({ variant: 'destructive', title: common.failedToCopy, description: common.pleaseCopyManually }),
    );
  return (
    <section className={styles.section} aria-labelledby="ad-about-log">
      <h3 id="ad-about-log" className={styles.heading}>
        {texts.logFile}
      </h3>
      <div className={styles.log}>
        <code className={styles.path}>{path}</code>
        <Button variant="minimal" icon={<DuplicateIcon />} aria-label={texts.copyLogPath} onClick={() => void copy()} />
        <Button
          variant="minimal"
          icon={<FolderOpenIcon />}
          aria-label={texts.openLogFolder}
          onClick={() => void desktop.openLogFolder()}
        />
      </div>
    </section>
  );
}
