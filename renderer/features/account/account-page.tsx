import { useSession } from '#renderer/session/session.ts';
import { TokensPanel } from '#renderer/tokens/token-list.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { ChatAccountsPanel } from './chat-accounts-panel.tsx';
import { DataPanel } from './data-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { ProfilePanel } from './profile-panel.tsx';
import { ProvidersPanel } from './providers-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { TimePanel } from './time-panel.tsx';
import { SecondStepPanel } from '#renderer/second-step/second-step-panel.tsx';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './account-page.module.css';

/** My account: who I am, and how and where I am signed in. Each section is a panel of this folder. */
export function AccountPage() {
  const { timeFormat, timeZone } = useSession();
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={texts.myAccount} />
      <HoverTip>
        <div className={`${panelStyles.pageBody} ${styles.account}`}>
          <div className={styles.column}>
            <ProfilePanel />
            <PasswordPanel />
            <TimePanel />
            <DataPanel />
          </div>
          <div className={styles.column}>
            <SecondStepPanel />
            <ProvidersPanel />
            <ChatAccountsPanel />
            {/* Its times are read otherwise as soon as that is chosen beside it. */}
            <SessionsPanel key={`${timeFormat} ${timeZone}`} />
            <TokensPanel />
          </div>
        </div>
      </HoverTip>
    </div>
  );
}
