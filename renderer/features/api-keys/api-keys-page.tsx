import { Button } from '@blueprintjs/core';
import { KeyIcon, PlusIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ApiKey, CreatedApiKey } from '#backend/contract/api-key.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { LoadError } from '#renderer/ui/load-error.tsx';
import { ADMIN_PANEL } from '#renderer/lib/admin-panel.ts';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/rows-skeleton.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { DeleteKeyDialog } from './delete-key-dialog.tsx';
import { apiKeysQuery } from './get-api-keys.ts';
import { KeyRow } from './key-row.tsx';
import { NewKeyDialog } from './new-key-dialog.tsx';
import { PlainKeyDialog } from './plain-key-dialog.tsx';
import './api-keys-page.css';

/** API Keys: the keys with which outside systems post alerts. */
export function ApiKeysPage() {
  const { data: keys, error, refetch } = useQuery(apiKeysQuery);
  const naming = useDialog();
  const created = useDialog<CreatedApiKey>();
  const deleting = useDialog<ApiKey>();

  return (
    <div className="ad-page">
      <PageHead title="API Keys" parent={ADMIN_PANEL} count={keys?.length} words={keys?.length === 1 ? 'key' : 'keys'}>
        <Button
          className="ad-page-action"
          intent="primary"
          icon={<PlusIcon />}
          text="New Key"
          aria-haspopup="dialog"
          onClick={() => naming.open(true)}
        />
      </PageHead>
      <div className="ad-page-body">
        {keys ? (
          keys.length > 0 ? (
            <HoverTip>
              <ul className="ad-rows ad-rows--sheet" aria-label="API keys">
                {keys.map((apiKey) => (
                  <KeyRow key={apiKey.id} apiKey={apiKey} onDelete={deleting.open} />
                ))}
              </ul>
            </HoverTip>
          ) : (
            <EmptyState
              icon={<KeyIcon size={40} />}
              title="No API keys yet"
              text="Outside systems need a key to post alerts. Make one for each of them."
            />
          )
        ) : error ? (
          <LoadError what="API keys" error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label="API keys" isSheet />
        )}
      </div>
      {naming.shown && (
        <NewKeyDialog key={naming.shown.key} presence={naming.shown.presence} onCreated={created.open} />
      )}
      {created.shown && <PlainKeyDialog apiKey={created.shown.subject} presence={created.shown.presence} />}
      {deleting.shown && (
        <DeleteKeyDialog key={deleting.shown.key} apiKey={deleting.shown.subject} presence={deleting.shown.presence} />
      )}
    </div>
  );
}
