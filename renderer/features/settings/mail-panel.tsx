import { InputGroup, Switch } from '@blueprintjs/core';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, useId } from 'react';
import { type AccountOptions, accountOptionsSchema } from '#backend/contract/account-link.ts';
import type { MailChoice } from '#backend/contract/notification-settings.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import {
  notificationSettingsQuery,
  useChangeNotificationSettings,
} from '#renderer/notifications/notification-settings.ts';
import { useSession } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './quiet-panel.module.css';

/** `GET /api/auth/options`: whether this server can mail. */
const optionsQuery = queryOptions<AccountOptions>({
  queryKey: ['/api/auth/options'],
  queryFn: ({ signal }) => apiGet('/api/auth/options', accountOptionsSchema, { signal }),
});

/** When a digest comes until another time is chosen. */
const FIRST_DIGEST = '08:00';

/** What I am mailed. Left out where this server cannot mail, unless something was chosen before. */
export function MailPanel() {
  const { data: options } = useQuery(optionsQuery);
  const { data: settings } = useQuery(notificationSettingsQuery);
  if (!options || !settings) return null;
  const { mentions, digestAt } = settings.mail;
  if (!options.hasMail && !mentions && digestAt === null) return null;
  return (
    <Panel title={pageTexts.email} hint={texts.sentToYourAccountsEmail}>
      <div className={`${panelStyles.panelBody} ${styles.quiet}`}>
        <MailForm mail={settings.mail} />
      </div>
    </Panel>
  );
}

function MailForm({ mail: { mentions, digestAt, timeZone } }: { mail: MailChoice }) {
  const id = useId();
  const session = useSession();
  const change = useChangeMail();
  const zone = session.timeZone ?? timeZone ?? timeZoneHere();
  const setTime = ({ target }: ChangeEvent<HTMLInputElement>): void =>
    // Half-typed it is empty.
    void (target.value !== '' && change({ digestAt: target.value }));
  return (
    <>
      <Switch
        className={styles.quietSwitch}
        role="switch"
        aria-checked={mentions}
        label={texts.emailMeWhenIAm}
        checked={mentions}
        onChange={() => change({ mentions: !mentions })}
      />
      <p className={styles.note}>{texts.onlyWhileYouHaveNo}</p>
      <Switch
        className={styles.quietSwitch}
        role="switch"
        aria-checked={digestAt !== null}
        label={texts.emailMeDailyDigest}
        checked={digestAt !== null}
        onChange={() => change({ digestAt: digestAt === null ? FIRST_DIGEST : null })}
      />
      {digestAt !== null && (
        <div className={styles.form}>
          <label htmlFor={`${id}-at`}>{texts.at}</label>
          <InputGroup id={`${id}-at`} type="time" value={digestAt} onChange={setTime} />
          <p className={styles.note}>{texts.digestHint(zone)}</p>
        </div>
      )}
    </>
  );
}

/** Each change counts at once. */
function useChangeMail(): (change: Partial<MailChoice>) => void {
  const client = useQueryClient();
  const { mutateAsync } = useChangeNotificationSettings();
  const toasts = useToasts();
  return (change) => {
    // As they are by now: the form may not have drawn the change before this one.
    const known = client.getQueryData(notificationSettingsQuery.queryKey);
    if (!known) return;
    // Where the account names no time zone, that of this device is meant.
    const mail = { ...known.mail, ...change, ...(change.digestAt !== undefined && { timeZone: timeZoneHere() }) };
    mutateAsync({ mail }).catch((error: Error) =>
      toasts.show({ variant: 'destructive', title: texts.failedToChangeEmailSettings, description: error.message }),
    );
  };
}
