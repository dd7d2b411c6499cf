import { Button, SegmentedControl } from '@blueprintjs/core';
import { PauseIcon, PlayIcon, TrashIcon } from '@blueprintjs/icons';
import { countText } from '#backend/contract/count-text.ts';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import { type Source, adapterSettingSchema, BODY_LIMITS, DELIVERY_DAYS } from '#backend/contract/source.ts';
import { OFFERED_SENDERS } from '#renderer/features/sources/set-up/set-ups.ts';
import { formatBytes } from '#renderer/features/sources/shown/amounts.ts';
import type { SourceActions } from '#renderer/features/sources/shown/use-source-actions.tsx';
import { SilencingPanel } from '#renderer/features/sources/silencing/silencing-panel.tsx';
import { AuthPanel } from './auth-panel.tsx';
import { FlappingRows } from './flapping-rows.tsx';
import { SecretsPanel } from './secrets-panel.tsx';
import { SelectRow, SettingRow, TextRow } from './setting-rows.tsx';
import {
  BODY_CHOICES,
  DAY_CHOICES,
  notifyChoices,
  reopenChoices,
  silenceChoices,
  silenceOf,
  unreportedChoices,
  unreportedOf,
  usualSentence,
} from './setting-options.ts';
import { useSave } from './use-save.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './settings.module.css';

/** What an administrator decides about a source. Everything saves at once. */
export function SettingsTab({ source, actions }: { source: Source; actions: SourceActions }) {
  const { save, saveName } = useSave(source);
  const { settings, recognisedAs, log } = source;
  const isPaused = source.pausedAt !== null;
  const automatic = recognisedAs === null ? texts.automatic : texts.automaticAs(SENDERS[recognisedAs].name);
  const senders = OFFERED_SENDERS.map((value) => ({ value, label: SENDERS[value].name }));
  return (
    <div className={styles.settingsTab}>
      <div className={styles.settingsTabColumn}>
        <AuthPanel source={source} actions={actions} save={save} />
        <SecretsPanel source={source} actions={actions} />
        <section
          className={`${panelStyles.panel} ${styles.settingsPanel} ${styles.settingsGeneral}`}
          aria-labelledby="ad-general-title"
        >
          <div className={styles.settingsHead}>
            <h2 id="ad-general-title">{texts.general}</h2>
          </div>
          <TextRow
            title={pageTexts.name}
            text={sourceTexts.sourceNameHint}
            value={source.name}
            maxLength={100}
            isRequired
            onSave={saveName}
          />
          <SelectRow
            title={texts.sender}
            text={texts.howDeliveriesAreParsed}
            choices={[
              { value: 'auto', label: automatic },
              ...senders,
              ...(settings.adapter === 'grafana-legacy'
                ? [{ value: settings.adapter, label: SENDERS[settings.adapter].name }]
                : []),
            ]}
            value={settings.adapter}
            onChange={(value) => save('Sender', { adapter: adapterSettingSchema.parse(value) })}
          />
          <TextRow
            title={texts.defaultCustomer}
            text={sourceTexts.defaultCustomerHint}
            value={settings.defaultCustomer ?? ''}
            placeholder={texts.none}
            maxLength={200}
            onSave={(customer) => save(texts.defaultCustomer, { defaultCustomer: customer === '' ? null : customer })}
          />
        </section>
      </div>
      <div className={styles.settingsTabColumn}>
        <section className={`${panelStyles.panel} ${styles.settingsPanel}`} aria-labelledby="ad-repeats-title">
          <div className={styles.settingsHead}>
            <h2 id="ad-repeats-title">{texts.repeatsAndResolutions}</h2>
          </div>
          <SettingRow title={texts.whenSenderResolvesAlert} text={texts.appliesToAlertsThatNo}>
            {({ labelId }) => (
              <SegmentedControl
                aria-labelledby={labelId}
                options={[
                  { label: texts.completeIt, value: 'complete' },
                  { label: texts.keepIt, value: 'keep' },
                ]}
                value={settings.onResolved}
                onValueChange={(value) =>
                  save(texts.whenSenderResolvesAlert, { onResolved: value === 'keep' ? 'keep' : 'complete' })
                }
              />
            )}
          </SettingRow>
          <SelectRow
            title={texts.whenAlertIsNoLonger}
            text={texts.endsItAsIfSender}
            choices={unreportedChoices(settings)}
            value={String(settings.completeUnreported)}
            onChange={(value) => save(texts.whenAlertIsNoLonger, { completeUnreported: unreportedOf(value) })}
          />
          <SelectRow
            title={texts.notifyAgainWhileAlertRepeats}
            text={texts.higherSeverityAlwaysNotifies}
            choices={notifyChoices(settings)}
            value={settings.notifyAgainAfterMinutes === null ? '' : String(settings.notifyAgainAfterMinutes)}
            onChange={(value) =>
              save(texts.notifyAgain, { notifyAgainAfterMinutes: value === '' ? null : Number(value) })
            }
          />
          <SelectRow
            title={texts.reopenAfterCompletion}
            text={texts.ifProblemFiresAgainWithin}
            choices={reopenChoices(settings)}
            value={String(settings.reopenWithinMinutes)}
            onChange={(value) => save(texts.reopenAfterCompletion, { reopenWithinMinutes: Number(value) })}
          />
          <FlappingRows key={source.id} set={settings.flapping} save={save} />
          <SelectRow
            title={texts.reportSilence}
            text={usualSentence(source.usualGapMs)}
            choices={silenceChoices(settings)}
            value={String(settings.reportSilence)}
            onChange={(value) => save(texts.reportSilence, { reportSilence: silenceOf(value) })}
          />
        </section>
        <SilencingPanel source={source} />
        <section className={`${panelStyles.panel} ${styles.settingsPanel}`} aria-labelledby="ad-log-title">
          <div className={styles.settingsHead}>
            <h2 id="ad-log-title">{texts.deliveryLog}</h2>
            <span>{texts.inDelivery(formatBytes(log.bytes), countText(log.deliveries), log.deliveries)}</span>
          </div>
          <SelectRow
            title={texts.keepDeliveriesFor}
            text={texts.alertsAreKeptWhenTheir}
            choices={DAY_CHOICES}
            value={String(settings.keepDeliveriesDays)}
            onChange={(value) => {
              const days = DELIVERY_DAYS.find((one) => String(one) === value);
              if (days !== undefined) save(texts.keepDeliveriesFor, { keepDeliveriesDays: days });
            }}
          />
          <SelectRow
            title={texts.keepBodiesUpTo}
            text={texts.longerBodiesAreTruncatedIn}
            choices={BODY_CHOICES}
            value={String(settings.keepBodiesUpTo)}
            onChange={(value) => {
              const bytes = BODY_LIMITS.find((one) => String(one) === value);
              if (bytes !== undefined) save(texts.keepBodiesUpTo, { keepBodiesUpTo: bytes });
            }}
          />
        </section>
        <section className={`${panelStyles.panel} ${styles.settingsPanel}`} aria-label={texts.pauseAndDelete}>
          <SettingRow title={texts.pause} text={texts.deliveriesAreLoggedAndAnswered}>
            {() => (
              <Button
                icon={isPaused ? <PlayIcon /> : <PauseIcon />}
                text={isPaused ? texts.resumeSource : texts.pauseSource}
                onClick={() => actions.pause(source, !isPaused)}
              />
            )}
          </SettingRow>
          <SettingRow title={common.deleteAction} text={texts.itsCredentialsAndAddressStop}>
            {() => <Button icon={<TrashIcon />} text={texts.deleteSource} onClick={() => actions.remove(source)} />}
          </SettingRow>
        </section>
      </div>
    </div>
  );
}
