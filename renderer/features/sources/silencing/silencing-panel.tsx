import { Button } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  DEFAULT_SILENCE_MINUTES,
  type SenderApiKind,
  type SilencingChange,
  type SilencingSettings,
  type SilencingTry,
  senderApiKindSchema,
} from '#backend/contract/silence.ts';
import type { Source } from '#backend/contract/source.ts';
import { ChangedMeanwhile } from '#renderer/ui/changed-meanwhile/changed-meanwhile.tsx';
import { ApiError } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import { WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import { SilenceList } from './silence-list.tsx';
import { SilencingFields, addressOf } from './silencing-fields.tsx';
import { silencingQuery, useSilencingCommands } from './silencing-data.ts';
import * as texts from './texts.ts';
import * as settingTexts from '#renderer/features/sources/settings/texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as settingStyles from '#renderer/features/sources/settings/settings.module.css';
import * as styles from './silencing.module.css';

/** The kind of the sender whose deliveries a source has had, or was set to have. */
const kindOf = ({ settings, recognisedAs }: Source): SenderApiKind =>
  senderApiKindSchema.safeParse(settings.adapter === 'auto' ? recognisedAs : settings.adapter).data ?? 'alertmanager';

const startOf = (source: Source, settings: SilencingSettings | null): SilencingChange => {
  if (settings === null) {
    const kind = kindOf(source);
    return {
      kind,
      isOn: false,
      url: addressOf(kind),
      auth: 'none',
      minutes: DEFAULT_SILENCE_MINUTES,
      resolvesCompleted: false,
    };
  }
  const { kind, isOn, url, auth, user, minutes, resolvesCompleted } = settings;
  return { kind, isOn, url, auth, user, minutes, resolvesCompleted };
};

/** How what is accepted is silenced at the sender of a source, and which silences are active. */
export function SilencingPanel({ source }: { source: Source }) {
  const query = useQuery(silencingQuery(source.id));
  const { settings = null, silences = [] } = query.data ?? {};
  return (
    <section className={`${panelStyles.panel} ${settingStyles.settingsPanel}`} aria-labelledby="ad-silencing-title">
      <div className={settingStyles.settingsHead}>
        <h2 id="ad-silencing-title">{texts.title}</h2>
        {settings && <span>{texts.KIND_LABELS[settings.kind]}</span>}
      </div>
      <WhenLoaded what={texts.what} queries={[query]}>
        {query.data && (
          <>
            {settings?.failing && (
              <output className={styles.failing}>{texts.failing(inertLine(settings.failing))}</output>
            )}
            <SilencingForm source={source} settings={settings} />
            {settings && <SilenceList sourceId={source.id} silences={silences} />}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}

/** What is typed stays while others save: then this says so, and nothing is saved over theirs unseen. */
function SilencingForm({ source, settings }: { source: Source; settings: SilencingSettings | null }) {
  const [base, setBase] = useState(settings);
  const [start, setStart] = useState(() => startOf(source, settings));
  const [written, setWritten] = useState(start);
  const [pending, setPending] = useState<'try' | 'save'>();
  const [said, setSaid] = useState<SilencingTry>();
  const commands = useSilencingCommands(source.id);
  const toasts = useToasts();
  const begin = (from: SilencingSettings | null): void => {
    const started = startOf(source, from);
    setBase(from);
    setStart(started);
    setWritten(started);
  };
  // Against what was there at first: a first delivery decides with which kind the form would begin, and changes nothing here.
  const isChanged = JSON.stringify(written) !== JSON.stringify(start);
  const guard = useLeaveGuard(isChanged);
  const isOutdated = (settings?.version ?? 0) !== (base?.version ?? 0);
  if (isOutdated && !isChanged) begin(settings);
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
      setSaid({ isReached: false, message: messageOf(error) });
    } finally {
      setPending(undefined);
    }
  };
  const save = () =>
    run('save', async () => {
      try {
        const saved = (await commands.save(written, base?.version ?? 0)).settings;
        const started = startOf(source, saved);
        setBase(saved);
        setStart(started);
        // What was typed while it was being saved stays.
        setWritten((now) => (now === written ? started : now));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 409) throw error;
        // Theirs is shown beside what is written here.
        await commands.readAgain();
        return undefined;
      }
      toasts.show({ title: texts.saved });
      return undefined;
    });
  const isMissing = written.url.trim() === '';
  const isKept = base !== null && base.kind === written.kind && base.auth === authOf(written);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <SilencingFields written={written} secretHint={isKept ? base.secretHint : null} onChange={change} />
      {isOutdated && isChanged && (
        <ChangedMeanwhile
          text={texts.savedMeanwhile}
          onShowTheirs={() => begin(settings)}
          onKeepEditing={() => {
            setBase(settings);
            setStart(startOf(source, settings));
          }}
        />
      )}
      <div className={styles.actions}>
        <output className={said?.isReached === false ? styles.fault : styles.said}>{said?.message}</output>
        <Button
          text={texts.tryIt}
          loading={pending === 'try'}
          disabled={isMissing || pending === 'save'}
          onClick={() => void run('try', () => commands.tryOut(written))}
        />
        <Button
          text={texts.save}
          type="submit"
          intent="primary"
          loading={pending === 'save'}
          disabled={isMissing || !isChanged || isOutdated || pending === 'try'}
        />
      </div>
      <UnsavedDialog guard={guard} text={settingTexts.yourChangesAreNotSaved(texts.title)} />
    </form>
  );
}

/** All but Alertmanager take a token. */
const authOf = ({ kind, auth }: SilencingChange): SilencingChange['auth'] =>
  kind === 'alertmanager' ? auth : 'bearer';
