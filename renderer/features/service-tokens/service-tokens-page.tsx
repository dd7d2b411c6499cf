import { ADMIN_PANEL, SOURCE_PAGES } from '#renderer/lib/paths.ts';
import { useTokens } from '#renderer/tokens/token-list.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';

/** Service Tokens: with which programs call the API under their own names. */
export function ServiceTokensPage() {
  const { count, action, list } = useTokens('service');
  return (
    <div className={pageHeadStyles.page}>
      <PageHead
        title={common.serviceTokens}
        parent={ADMIN_PANEL}
        count={count}
        countLabel={count === 1 ? texts.token : texts.tokens}
      >
        {action}
      </PageHead>
      <PageTabs isFirst label={pageTexts.sourcesAndKeys} tabs={SOURCE_PAGES} />
      <div className={panelStyles.pageBody}>{list}</div>
    </div>
  );
}
