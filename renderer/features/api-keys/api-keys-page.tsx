import { Button } from '@blueprintjs/core';
import { KeyIcon, PlusIcon, TrashIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { ApiKey, CreatedApiKey } from '#backend/contract/api-key.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { ADMIN_PANEL, SOURCE_PAGES } from '#renderer/lib/paths.ts';
import { formatExactTime, formatLongDate } from '#renderer/lib/times.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { ShownOnceDialog } from '#renderer/ui/form-dialog/shown-once-dialog.tsx';
import { DeleteKeyDialog, NewKeyDialog } from './api-key-dialogs.tsx';
import { apiKeysQuery, lastUsedLabel } from './api-keys.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './api-keys-page.module.css';

/** API Keys: the keys with which outside systems post alerts. */
export function ApiKeysPage() {
  const { data: keys, error, refetch } = useQuery(apiKeysQuery);
  const naming = useDialog();
  const created = useDialog<CreatedApiKey>();
  const deleting = useDialog<ApiKey>();

  return (
    <div className={pageHeadStyles.page}>
      <PageHead
        title={common.apiKeys}
        parent={ADMIN_PANEL}
        count={keys?.length}
        countLabel={keys?.length === 1 ? texts.key : texts.keys}
      >
        <Button
          className={pageHeadStyles.action}
          intent="primary"
          icon={<PlusIcon />}
          text={texts.newKey}
          aria-haspopup="dialog"
          onClick={() => naming.open(true)}
        />
      </PageHead>
      <PageTabs isFirst label={pageTexts.sourcesAndKeys} tabs={SOURCE_PAGES} />
      <div className={panelStyles.pageBody}>
        {keys ? (
          keys.length > 0 ? (
            <HoverTip>
              <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={texts.apiKeys}>
                {keys.map((apiKey) => (
                  <KeyRow key={apiKey.id} apiKey={apiKey} onDelete={deleting.open} />
                ))}
              </ul>
            </HoverTip>
          ) : (
            <EmptyState
              icon={<KeyIcon size={40} />}
              title={texts.noApiKeysYet}
              text={texts.externalSystemsNeedApiKey}
            />
          )
        ) : error ? (
          <LoadError what={texts.apiKeys} error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label={texts.apiKeys} isSheet />
        )}
      </div>
      {naming.shown && (
        <NewKeyDialog key={naming.shown.key} presence={naming.shown.presence} onCreated={created.open} />
      )}
      {created.shown && (
        <ShownOnceDialog
          title={texts.apiKeyCreated}
          what={texts.key}
          copyLabel={pageTexts.copyApiKey}
          text={created.shown.subject.plainKey}
          presence={created.shown.presence}
        />
      )}
      {deleting.shown && (
        <DeleteKeyDialog key={deleting.shown.key} apiKey={deleting.shown.subject} presence={deleting.shown.presence} />
      )}
    </div>
  );
}

/** A key: its name, when it was created and last used, and its delete button. */
function KeyRow({ apiKey, onDelete }: { apiKey: ApiKey; onDelete: (apiKey: ApiKey) => void }) {
  const nameId = useId();
  const { createdAt, lastUsedAt } = apiKey;
  const name = inertLine(apiKey.name);
  return (
    <li className={styles.key} aria-labelledby={nameId}>
      <KeyIcon className={styles.icon} />
      <span className={styles.name} id={nameId} dir="auto" data-tip={name}>
        {name}
      </span>
      <time
        className={styles.date}
        dateTime={createdAt}
        data-tip={formatExactTime(new Date(createdAt))}
        data-tip-always
      >
        {texts.createdAt(formatLongDate(new Date(createdAt)))}
      </time>
      {lastUsedAt === null ? (
        <span className={`${styles.date} ${styles.used}`}>{lastUsedLabel(apiKey)}</span>
      ) : (
        <time
          className={`${styles.date} ${styles.used}`}
          dateTime={lastUsedAt}
          data-tip={formatExactTime(new Date(lastUsedAt))}
          data-tip-always
        >
          {lastUsedLabel(apiKey)}
        </time>
      )}
      <Button
        className={styles.keyDelete}
        variant="minimal"
        icon={<TrashIcon />}
        aria-label={texts.deleteApiKeyButton}
        aria-describedby={nameId}
        aria-haspopup="dialog"
        data-tip={texts.deleteApiKeyButton}
        data-tip-always
        onClick={() => onDelete(apiKey)}
      />
    </li>
  );
}
