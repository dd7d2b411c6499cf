import { writeTime } from '#renderer/lib/times.ts';
import { Button } from '@blueprintjs/core';
import { KeyIcon, RefreshIcon } from '@blueprintjs/icons';
import type { Source, SourceSecret } from '#backend/contract/source.ts';
import { useExpireSecret } from '#renderer/features/sources/data/source-commands.ts';
import { formatLeft } from '#renderer/features/sources/shown/ages.ts';
import { formatAgoInHours } from '#renderer/lib/ages.ts';
import { formatDay } from '#renderer/lib/times.ts';
import type { SourceActions } from '#renderer/features/sources/shown/use-source-actions.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { useToasts } from '#renderer/toasts/toast.ts';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './settings.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';

const KIND_LABELS = { key: sourceTexts.apiKey, token: texts.addressToken, signing: sourceTexts.signingSecret } as const;

/** The credentials of a source, by their last characters, and who still uses an old one. */
export function SecretsPanel({ source, actions }: { source: Source; actions: SourceActions }) {
  const live = useNow((now) =>
    source.secrets
      .filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now)
      .map(({ id }) => id)
      .join(),
  ).split(',');
  const secrets = source.secrets.filter(({ id }) => live.includes(id));
  const isRotating = secrets.some(({ kind, expiresAt }) => kind === 'key' && expiresAt !== null);
  return (
    <section
      ref={keepFocus}
      className={`${panelStyles.panel} ${styles.settingsPanel}`}
      aria-labelledby="ad-secrets-title"
    >
      <div className={styles.settingsHead}>
        <h2 id="ad-secrets-title">{texts.credentials}</h2>
        <Button
          icon={<RefreshIcon />}
          text={sourceTexts.rotateApiKey}
          disabled={isRotating}
          aria-describedby={isRotating ? 'ad-rotate-reason' : undefined}
          onClick={() => actions.rotate(source)}
        />
      </div>
      {isRotating && (
        <p id="ad-rotate-reason" className={styles.settingsNote}>
          {texts.previousApiKeyStillWorks}
        </p>
      )}
      {secrets.map((secret) => (
        <SecretRow key={secret.id} source={source} secret={secret} />
      ))}
    </section>
  );
}

function SecretRow({ source, secret }: { source: Source; secret: SourceSecret }) {
  const expire = useExpireSecret(source.id);
  const toasts = useToasts();
  const { kind, hint, createdAt, createdBy, expiresAt, lastUsedAt, lastUsedFrom } = secret;
  const left = useNow((now) => (expiresAt === null ? undefined : formatLeft(new Date(expiresAt), now)));
  const used = useNow((now) =>
    lastUsedAt === null
      ? undefined
      : (formatAgoInHours(new Date(lastUsedAt), now) ?? formatDay(new Date(lastUsedAt), now)),
  );
  const isOld = expiresAt !== null;
  const use =
    used === undefined
      ? pageTexts.neverUsed
      : isOld && lastUsedFrom !== null
        ? texts.stillUsedBy(lastUsedFrom, used)
        : texts.lastUsed(used);
  const label = hint === '' ? KIND_LABELS[kind] : `${KIND_LABELS[kind]} …${hint}`;
  const canExpire = isOld || kind === 'signing';
  return (
    <div className={styles.setting}>
      <KeyIcon className={styles.secretIcon} />
      <div className={styles.settingWords}>
        <div className={styles.secretName}>
          <code>{label}</code>
          {isOld ? (
            <span className={`${sourcesStyles.health} ${sourcesStyles.health_silent}`}>
              <span className={sourcesStyles.healthWord}>
                <span className={sourcesStyles.dot} />
                {texts.expiresIn(left)}
              </span>
            </span>
          ) : (
            <span className={`${sourcesStyles.health} ${sourcesStyles.health_ok}`}>
              <span className={sourcesStyles.healthWord}>
                <span className={sourcesStyles.dot} />
                {texts.current}
              </span>
            </span>
          )}
        </div>
        <div className={styles.settingText}>
          {texts.createdAndUsed(
            writeTime(new Date(createdAt), 'MMM d, yyyy'),
            createdBy === null ? null : inertLine(createdBy),
            use,
          )}
        </div>
      </div>
      {canExpire && (
        <LastingButton
          text={kind === 'signing' && !isOld ? pageTexts.remove : texts.expireNow}
          aria-label={`${kind === 'signing' && !isOld ? pageTexts.remove : texts.expireNow}, ${label}`}
          isOff={expire.isPending}
          onClick={() =>
            expire.mutate(secret.id, {
              onError: ({ message }) =>
                toasts.show({ variant: 'destructive', title: texts.failedToRevokeCredential, description: message }),
            })
          }
        />
      )}
    </div>
  );
}
