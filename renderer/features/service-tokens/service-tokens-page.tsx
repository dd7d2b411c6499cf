import { ADMIN_PANEL } from '#renderer/lib/paths.ts';
import { useTokens } from '#renderer/tokens/token-list.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';

/** Service Tokens: with which programs call the API under their own names. */
export function ServiceTokensPage() {
  const { count, action, list } = useTokens('service');
  return (
    <div className="ad-page">
      <PageHead title="Service Tokens" parent={ADMIN_PANEL} count={count} countLabel={count === 1 ? 'token' : 'tokens'}>
        {action}
      </PageHead>
      <div className="ad-page-body">{list}</div>
    </div>
  );
}
