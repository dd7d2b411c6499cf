import { Button, HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import { type SignatureScheme, signatureSchemeSchema } from '#backend/contract/sender.ts';
import type { Source } from '#backend/contract/source.ts';
import { mask } from '#renderer/ui/mask-when-away.ts';
import { setUpOf } from '#renderer/features/sources/set-up/set-ups.ts';
import { SigningForm } from '#renderer/features/sources/set-up/signing-form.tsx';
import { formatAgoInHours } from '#renderer/lib/ages.ts';
import { formatDay } from '#renderer/lib/times.ts';
import { senderOf } from '#renderer/features/sources/shown/sender-tile.tsx';
import type { SourceActions } from '#renderer/features/sources/shown/use-source-actions.tsx';
import { FormDialog } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { type CredentialMethod, METHOD_TITLES, offQuestion } from './auth-change.ts';
import { SCHEME_NAMES } from './auth-change.ts';
import { SwitchRow } from './setting-rows.tsx';
import type { Save } from './use-save.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './settings.module.css';

interface AuthPanelProps {
  source: Source;
  actions: SourceActions;
  save: Save;
}

/** By which methods requests may authenticate. */
export function AuthPanel({ source, actions, save }: AuthPanelProps) {
  const { auth } = source.settings;
  const asking = useDialog<{ way: CredentialMethod; question: string }>();
  const token = source.secrets.find(({ kind, expiresAt }) => kind === 'token' && expiresAt === null);

  const turn = (way: CredentialMethod, isOn: boolean): void =>
    save(METHOD_TITLES[way], { auth: { ...auth, [way]: isOn } });
  const onChange = (way: CredentialMethod, isOn: boolean): void => {
    const question = isOn ? undefined : offQuestion(source, auth, way);
    if (question === undefined) turn(way, isOn);
    else asking.open({ way, question });
  };
  return (
    <section className={`${panelStyles.panel} ${styles.settingsPanel}`} aria-labelledby="ad-auth-title">
      <div className={styles.settingsHead}>
        <h2 id="ad-auth-title">{texts.authentication}</h2>
        <span>{texts.requestNeedsOnlyOneOf}</span>
      </div>
      <SwitchRow
        title={METHOD_TITLES.key}
        text={
          <>
            {texts.authorizationBearerXWebhookAuth} <Use use={source.ways.key} />
          </>
        }
        isOn={auth.key}
        onChange={(isOn) => onChange('key', isOn)}
      />
      <SwitchRow
        title={METHOD_TITLES.basic}
        text={
          <>
            {texts.apiKeyIsPasswordAny} <Use use={source.ways.basic} />
          </>
        }
        isOn={auth.basic}
        onChange={(isOn) => onChange('basic', isOn)}
      />
      <SwitchRow
        title={METHOD_TITLES.token}
        text={
          <>
            {texts.tokenAddress(window.location.host, token ? mask(token.hint) : '…')} <Use use={source.ways.token} />
          </>
        }
        isOn={auth.token}
        onChange={(isOn) => onChange('token', isOn)}
      >
        <Button text={sourceTexts.newAddress} onClick={() => actions.rotate(source, 'token')} />
      </SwitchRow>
      <SignatureRow source={source} save={save} />
      {asking.shown && (
        <FormDialog
          key={asking.shown.key}
          title={texts.turnOff(METHOD_TITLES[asking.shown.subject.way])}
          subtitle={asking.shown.subject.question}
          presence={asking.shown.presence}
          onSubmit={() => {
            asking.shown?.presence.onClose();
            if (asking.shown) turn(asking.shown.subject.way, false);
          }}
          submit={{ text: texts.turnOffNow, pendingText: texts.turningOff, isPending: false, intent: 'danger' }}
        >
          {null}
        </FormDialog>
      )}
    </section>
  );
}

function SignatureRow({ source, save }: Omit<AuthPanelProps, 'actions'>) {
  const { auth } = source.settings;
  const [isAdding, setAdding] = useState(false);
  const [chosen, setChosen] = useState<SignatureScheme>(
    auth.signature ?? setUpOf(senderOf(source)).scheme ?? 'standard-webhooks',
  );
  const hasSecret = source.secrets.some(({ kind }) => kind === 'signing');
  const needsSecret = (scheme: SignatureScheme): boolean => scheme !== 'sns' && !hasSecret;
  const turn = (isOn: boolean): void => {
    if (isOn && needsSecret(chosen)) setAdding(true);
    else save(texts.requireSignature, { auth: { ...auth, signature: isOn ? chosen : null } });
  };
  return (
    <>
      <SwitchRow
        title={texts.requireSignature}
        text={texts.senderMustSignEveryRequest}
        isOn={auth.signature !== null}
        onChange={turn}
      >
        <HTMLSelect
          className={styles.settingSelect}
          aria-label={texts.howRequestsAreSigned}
          options={signatureSchemeSchema.options.map((value) => ({ value, label: SCHEME_NAMES[value] }))}
          value={auth.signature ?? chosen}
          onChange={({ target }) => {
            const scheme = signatureSchemeSchema.parse(target.value);
            setChosen(scheme);
            if (auth.signature !== null) save(texts.requireSignature, { auth: { ...auth, signature: scheme } });
          }}
        />
      </SwitchRow>
      {(isAdding || auth.signature !== null) && (
        <div className={`${styles.setting} ${styles.setting_form}`}>
          <p className={styles.settingText}>
            {hasSecret ? texts.newSigningSecretReplacesCurrent : texts.enterSigningSecretOfSender}
          </p>
          <SigningForm source={source} scheme={auth.signature ?? chosen} />
        </div>
      )}
    </>
  );
}

/** How often a method was used in the last day, or when it was last. */
function Use({ use: { deliveries, lastUsedAt } }: { use: Source['ways']['key'] }) {
  const ago = useNow((now) =>
    lastUsedAt === null
      ? undefined
      : (formatAgoInHours(new Date(lastUsedAt), now) ?? formatDay(new Date(lastUsedAt), now)),
  );
  if (deliveries > 0) return texts.in24H(countText(deliveries));
  return ago === undefined ? pageTexts.neverUsed : texts.lastUsedAgo(ago);
}
