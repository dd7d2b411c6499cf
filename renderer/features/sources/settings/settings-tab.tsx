import { Button, SegmentedControl } from '@blueprintjs/core';
import { PauseIcon, PlayIcon, TrashIcon } from '@blueprintjs/icons';
import { SENDERS } from '#backend/contract/sender.ts';
import { type Source, adapterSettingSchema, BODY_LIMITS, DELIVERY_DAYS } from '#backend/contract/source.ts';
import { OFFERED_SENDERS } from '#renderer/features/sources/set-up/set-ups.ts';
import { formatBytes } from '#renderer/features/sources/shown/amounts.ts';
import type { SourceActions } from '#renderer/features/sources/shown/use-source-actions.tsx';
import { countText } from '#renderer/lib/badge-text.ts';
import { AuthPanel } from './auth-panel.tsx';
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
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './settings.module.css';

/** What an administrator decides about a source. Everything saves at once. */
export function SettingsTab({ source, actions }: { source: Source; actions: SourceActions }) {
  const { save, saveName } = useSave(source);
  const { settings, recognisedAs, log } = source;
  const isPaused = source.pausedAt !== null;
  const automatic = recognisedAs === null ? 'Automatic' : `Automatic (${SENDERS[recognisedAs].name})`;
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
            <h2 id="ad-general-title">General</h2>
          </div>
          <TextRow
            title="Name"
            text="Shown on alerts and in filters."
            value={source.name}
            maxLength={100}
            isRequired
            onSave={saveName}
          />
          <SelectRow
            title="Sender"
            text="How deliveries are parsed."
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
            title="Default customer"
            text="Used when a delivery names no customer."
            value={settings.defaultCustomer ?? ''}
            placeholder="None"
            maxLength={200}
            onSave={(customer) => save('Default customer', { defaultCustomer: customer === '' ? null : customer })}
          />
        </section>
      </div>
      <div className={styles.settingsTabColumn}>
        <section className={`${panelStyles.panel} ${styles.settingsPanel}`} aria-labelledby="ad-repeats-title">
          <div className={styles.settingsHead}>
            <h2 id="ad-repeats-title">Repeats and resolutions</h2>
          </div>
          <SettingRow
            title="When the sender resolves an alert"
            text="Applies to alerts that no one has accepted. An accepted alert stays with its owner, who is notified."
          >
            {({ labelId }) => (
              <SegmentedControl
                aria-labelledby={labelId}
                options={[
                  { label: 'Complete it', value: 'complete' },
                  { label: 'Keep it', value: 'keep' },
                ]}
                value={settings.onResolved}
                onValueChange={(value) =>
                  save('When the sender resolves an alert', { onResolved: value === 'keep' ? 'keep' : 'complete' })
                }
              />
            )}
          </SettingRow>
          <SelectRow
            title="When an alert is no longer reported"
            text="Ends it as if the sender had resolved it. Automatic: when the sender's own end time has passed, or well after its repeat interval."
            choices={unreportedChoices(settings)}
            value={String(settings.completeUnreported)}
            onChange={(value) =>
              save('When an alert is no longer reported', { completeUnreported: unreportedOf(value) })
            }
          />
          <SelectRow
            title="Notify again while an alert repeats"
            text="A higher severity always notifies."
            choices={notifyChoices(settings)}
            value={settings.notifyAgainAfterMinutes === null ? '' : String(settings.notifyAgainAfterMinutes)}
            onChange={(value) => save('Notify again', { notifyAgainAfterMinutes: value === '' ? null : Number(value) })}
          />
          <SelectRow
            title="Reopen after completion"
            text="If the problem fires again within this time, the alert reopens. After that, a new alert is created."
            choices={reopenChoices(settings)}
            value={String(settings.reopenWithinMinutes)}
            onChange={(value) => save('Reopen after completion', { reopenWithinMinutes: Number(value) })}
          />
          <SelectRow
            title="Report silence"
            text={usualSentence(source.usualGapMs)}
            choices={silenceChoices(settings)}
            value={String(settings.reportSilence)}
            onChange={(value) => save('Report silence', { reportSilence: silenceOf(value) })}
          />
        </section>
        <section className={`${panelStyles.panel} ${styles.settingsPanel}`} aria-labelledby="ad-log-title">
          <div className={styles.settingsHead}>
            <h2 id="ad-log-title">Delivery log</h2>
            <span>
              {formatBytes(log.bytes)} in {countText(log.deliveries)} {log.deliveries === 1 ? 'delivery' : 'deliveries'}
            </span>
          </div>
          <SelectRow
            title="Keep deliveries for"
            text="Alerts are kept when their deliveries are deleted."
            choices={DAY_CHOICES}
            value={String(settings.keepDeliveriesDays)}
            onChange={(value) => {
              const days = DELIVERY_DAYS.find((one) => String(one) === value);
              if (days !== undefined) save('Keep deliveries for', { keepDeliveriesDays: days });
            }}
          />
          <SelectRow
            title="Keep bodies up to"
            text="Longer bodies are truncated in the log, never in the alert."
            choices={BODY_CHOICES}
            value={String(settings.keepBodiesUpTo)}
            onChange={(value) => {
              const bytes = BODY_LIMITS.find((one) => String(one) === value);
              if (bytes !== undefined) save('Keep bodies up to', { keepBodiesUpTo: bytes });
            }}
          />
        </section>
        <section className={`${panelStyles.panel} ${styles.settingsPanel}`} aria-label="Pause and delete">
          <SettingRow
            title="Pause"
            text="Deliveries are logged and answered but create no alerts. You can replay them later."
          >
            {() => (
              <Button
                icon={isPaused ? <PlayIcon /> : <PauseIcon />}
                text={isPaused ? 'Resume source' : 'Pause source'}
                onClick={() => actions.pause(source, !isPaused)}
              />
            )}
          </SettingRow>
          <SettingRow title="Delete" text="Its credentials and address stop working immediately. Its alerts are kept.">
            {() => <Button icon={<TrashIcon />} text="Delete source…" onClick={() => actions.remove(source)} />}
          </SettingRow>
        </section>
      </div>
    </div>
  );
}
