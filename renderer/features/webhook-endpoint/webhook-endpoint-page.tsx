import { Link } from 'react-router-dom';
import { WEBHOOK_PATH } from '#backend/contract/webhook.ts';
import { ADMIN_PANEL, SOURCE_PAGES } from '#renderer/lib/paths.ts';
import { CopyField } from '#renderer/ui/copy-button.tsx';
import { LocalAddressNote } from '#renderer/ui/local-address-note.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { PageTabs } from '#renderer/ui/page-head/page-tabs.tsx';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { TestAlertPanel } from './test-alert-panel.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './webhook-endpoint-page.module.css';

/** Webhook Endpoint: what an outside system has to know to post alerts. */
export function WebhookEndpointPage() {
  const url = `${window.location.origin}${WEBHOOK_PATH}`;
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={common.webhookEndpoint} parent={ADMIN_PANEL} />
      <PageTabs isFirst label={pageTexts.sourcesAndKeys} tabs={SOURCE_PAGES} />
      <div className={`${panelStyles.pageBody} ${styles.endpoint}`}>
        <Panel title={texts.postUrl} hint={texts.externalSystemsSendAlertsTo}>
          <div className={`${panelStyles.panelBody} ${styles.endpointText}`}>
            <CopyField copyLabel={texts.copyUrl} text={url} />
            <LocalAddressNote />
          </div>
        </Panel>
        <Panel title={texts.requiredHeader}>
          <div className={panelStyles.panelBody}>
            <p>
              {texts.headerHint(<code className="ad-code">X-Webhook-Auth</code>, (text) => (
                <Link className="ad-link" to="/admin/api-keys">
                  {text}
                </Link>
              ))}
            </p>
          </div>
        </Panel>
        <Panel title={texts.payload}>
          <div className={`${panelStyles.panelBody} ${styles.endpointText}`}>
            <p>
              {texts.payloadHint(
                <code className="ad-code">customer</code>,
                <code className="ad-code">Customer</code>,
                <code className="ad-code">customerName</code>,
              )}
            </p>
            <p className={styles.endpointNote}>{texts.responseHint(<code className="ad-code">Retry-After</code>)}</p>
          </div>
        </Panel>
        <Panel title={texts.example} hint={texts.pasteItIntoShellAnd}>
          <div className={panelStyles.panelBody}>
            <CopyField copyLabel={texts.copyCurlCommand} text={curlExample(url)} />
          </div>
        </Panel>
        <TestAlertPanel />
      </div>
    </div>
  );
}

/** An alert as an outside system may post it, with the fields that a card is made from. */
const EXAMPLE = {
  customer: 'Harbor & Finch',
  type: 'order.payment_failed',
};

/** The shell command that posts a first alert to `url`. */
export const curlExample = (url: string): string =>
  [
    `curl -i ${url}`,
    "-H 'X-Webhook-Auth: YOUR_API_KEY'",
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(EXAMPLE)}'`,
  ].join(' \\\n  ');
