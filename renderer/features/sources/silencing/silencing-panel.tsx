import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  DEFAULT_SILENCE_MINUTES,
  type SilencingChange,
  type SilencingSettings,
  type SilencingTry,
  senderAuthSchema,
} from '#backend/contract/silence.ts';
import { SettingRow, SwitchRow } from '#renderer/features/sources/settings/setting-rows.tsx';
import { useToasts } from '#renderer/toasts/toast.ts';
import { WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { SilenceList } from './silence-list.tsx';
import { silencingQuery, useSilencingCommands } from './silencing-data.ts';
import * as texts from './texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as settingStyles from '#renderer/features/sources/settings/settings.module.css';
import * as styles from './silencing.module.css';

/** For how long a silence may be asked for, in minutes. */
const MINUTES = [30, 60, 120, DEFAULT_SILENCE_MINUTES, 480, 1440];

const START: SilencingChange = { isOn: false, url: '', auth: 'none', minutes: DEFAULT_SILENCE_MINUTES };

const startOf = (settings: SilencingSettings | null): SilencingChange =>
  settings === null
    ? START
    : { isOn: settings.isOn, url: settings.url, auth: settings.auth, user: settings.user, minutes: settings.minutes };

/** How what is accepted is silenced at the sender of a source, and which silences are active. */
export function SilencingPanel({ sourceId }: { sourceId: string }) {
  const query = useQuery(silencingQuery(sourceId));
  return (
    <section className={`${panelStyles.panel} ${settingStyles.settingsPanel}`} aria-labelledby="ad-silencing-title">
      <div className={settingStyles.settingsHead}>
        <h2 id="ad-silencing-title">{texts.title}</h2>
        <span>{texts.alertmanagerOrGrafana}</span>
      </div>
      <WhenLoaded what={texts.what} queries={[query]}>
        {query.data && (
          <>
            <SilencingForm key={query.data.settings?.version ?? 0} sourceId={sourceId} settings={query.data.settings} />
            {query.data.settings && <SilenceList sourceId={sourceId} silences={query.data.silences} />}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}

function SilencingForm({ sourceId, settings }: { sourceId: string; settings: SilencingSettings | null }) {
  const [written, setWritten] = useState(() => startOf(settings));
  const [pending, setPending] = useState<'try' | 'save'>();
  const [said, setSaid] = useState<SilencingTry>();
  const commands = useSilencingCommands(sourceId);
  const toasts = useToasts();
  const change = (some: Partial<SilencingChange>): void => {
    setSaid(undefined);
    setWritten((now) => ({ ...now, ...some }));
  };
  const run = async (what: 'try' | 'save', work: () => Promise<SilencingTry | undefined>): Promise<void> => {
    setPending(what);
    setSaid(undefined);
    try {
      setSaid(await work());
    } catch (error) {
      setSaid({ isReached: false, message: error instanceof Error ? error.message : String(error) });
    } finally {
      setPending(undefined);
    }
  };
  const save = () =>
    run('save', async () => {
      await commands.save(written);
      toasts.show({ title: texts.saved });
      return undefined;
    });
  const isChanged = JSON.stringify(written) !== JSON.stringify(startOf(settings));
  const isMissing = written.url.trim() === '';
  const hint = settings?.secretHint;
  const placeholder =
    hint !== undefined && hint !== null && settings?.auth === written.auth ? texts.kept(hint) : undefined;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <SwitchRow
        title={texts.silenceWhatIsAccepted}
        text={texts.silenceHint}
        isOn={written.isOn}
        onChange={(isOn) => change({ isOn })}
      />
      <SettingRow title={texts.address} text={texts.addressHint}>
        {({ id, textId }) => (
          <InputGroup
            id={id}
            aria-describedby={textId}
            className={styles.field}
            value={written.url}
            placeholder={texts.addressExample}
            maxLength={1_000}
            spellCheck={false}
            onValueChange={(url) => change({ url })}
          />
        )}
      </SettingRow>
      <SettingRow title={texts.signIn} text={texts.signInHint}>
        {({ id, textId }) => (
          <HTMLSelect
            id={id}
            aria-describedby={textId}
            className={`${settingStyles.settingSelect} ${styles.field}`}
            options={senderAuthSchema.options.map((value) => ({ value, label: texts.AUTH_LABELS[value] }))}
            value={written.auth}
            onChange={({ target }) => change({ auth: senderAuthSchema.parse(target.value) })}
          />
        )}
      </SettingRow>
      {written.auth === 'basic' && (
        <SettingRow title={texts.userName}>
          {({ id }) => (
            <InputGroup
              id={id}
              className={styles.field}
              value={written.user ?? ''}
              maxLength={200}
              autoComplete="off"
              onValueChange={(user) => change({ user })}
            />
          )}
        </SettingRow>
      )}
      {written.auth !== 'none' && (
        <SettingRow title={written.auth === 'basic' ? texts.password : texts.token}>
          {({ id }) => (
            <InputGroup
              id={id}
              className={styles.field}
              type="password"
              autoComplete="new-password"
              value={written.secret ?? ''}
              placeholder={placeholder ?? ''}
              maxLength={2_000}
              onValueChange={(secret) => change({ secret: secret === '' ? undefined : secret })}
            />
          )}
        </SettingRow>
      )}
      <SettingRow title={texts.silenceFor} text={texts.silenceForHint}>
        {({ id, textId }) => (
          <HTMLSelect
            id={id}
            aria-describedby={textId}
            className={settingStyles.settingSelect}
            options={[...new Set([...MINUTES, written.minutes])]
              .toSorted((one, other) => one - other)
              .map((minutes) => ({ value: String(minutes), label: texts.lasting(minutes) }))}
            value={String(written.minutes)}
            onChange={({ target }) => change({ minutes: Number(target.value) })}
          />
        )}
      </SettingRow>
      <div className={styles.actions}>
        <output className={said?.isReached === false ? styles.fault : styles.said}>{said?.message}</output>
        <Button
          text={texts.tryIt}
          disabled={isMissing}
          loading={pending === 'try'}
          onClick={() => void run('try', () => commands.tryOut(written))}
        />
        <Button
          type="submit"
          intent="primary"
          text={texts.save}
          disabled={isMissing || !isChanged}
          loading={pending === 'save'}
        />
      </div>
    </form>
  );
}
