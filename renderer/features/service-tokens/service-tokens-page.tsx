import { ADMIN_PANEL, SOURCE_PAGES } from '#renderer/lib/paths.ts';
import { useTokens } from '#renderer/tokens/token-list.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';

/** Service Tokens: with which programs call the API under their own names. */
export function ServiceTokensPage() {
  const { count, action, list } = useTokens('service');
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title="Service Tokens" parent={ADMIN_PANEL} count={count} countLabel={count === 1 ? 'token' : 'tokens'}>
        {action}
      </PageHead>
      <PageTabs isFirst label="Sources and keys" tabs={SOURCE_PAGES} />
      <div className={panelStyles.pageBody}>{list}</div>
    </div>
  );
}
