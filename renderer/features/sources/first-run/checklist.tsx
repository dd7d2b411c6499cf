import { Button, HTMLSelect, InputGroup, SegmentedControl, Spinner } from '@blueprintjs/core';
import { SendMessageIcon, WarningSignIcon } from '@blueprintjs/icons';
import { useAtom } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Source, SourceWithSecrets } from '#backend/contract/source.ts';
import type { useCreateSource } from '#renderer/features/sources/data/source-commands.ts';
import { StepMark } from '#renderer/features/sources/new/step-mark.tsx';
import { useFirstDelivery } from '#renderer/features/sources/new/use-first-delivery.ts';
import { WaitingNews } from '#renderer/features/sources/new/waiting-panel.tsx';
import type { SetUpValues } from '#renderer/features/sources/set-up/fill-in.ts';
import { SetUpBody } from '#renderer/features/sources/set-up/set-up-body.tsx';
import type { SetUp } from '#renderer/features/sources/set-up/set-up-texts.ts';
import { SET_UPS } from '#renderer/features/sources/set-up/set-ups.ts';
import { SenderTile, senderOf } from '#renderer/features/sources/shown/sender-tile.tsx';
import { NEW_SOURCE_PAGE, pageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { useMaskWhenAway } from '#renderer/ui/mask-when-away.ts';
import { useSourceActions } from '#renderer/features/sources/shown/use-source-actions.tsx';
import { ApiError } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import classNames from 'classnames';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './first-run.module.css';
import * as formDialogStyles from '#renderer/ui/form-dialog/form-dialog.module.css';
import * as waitingPanelStyles from '#renderer/features/sources/new/waiting-panel.module.css';

type PlainSecrets = SourceWithSecrets['plain'];

/** Creates the source: the page's, which stays when this step is done. */
type CreateSource = ReturnType<typeof useCreateSource>;

interface ChecklistProps {
  /** The source to go on with; none before the first is created. */
  source: Source | undefined;
  /** Its secrets, where it was created on this page. */
  plain: PlainSecrets | undefined;
  create: CreateSource;
  onSaved: () => void;
}

/** The three steps to the first alert. */
export function Checklist({ source, plain, create, onSaved }: ChecklistProps) {
  return (
    <section className={panelStyles.panel} aria-labelledby="ad-first-title">
      <div className={styles.head}>
        <h3 id="ad-first-title">{texts.receiveYourFirstAlert}</h3>
        <span>{texts.threeStepsAboutTwoMinutes}</span>
      </div>
      {source ? (
        <Step
          mark={<StepMark step={1} isDone />}
          title={texts.createSource}
          side={
            <>
              <SenderTile sender={senderOf(source) ?? 'generic'} isSmall />
              <bdi className={styles.source}>{inertLine(source.name)}</bdi>
              <Link className="ad-link" to={pageOf(source.id)}>
                {texts.open}
              </Link>
            </>
          }
        />
      ) : (
        <CreateStep create={create} />
      )}
      {source ? (
        <SetUpStep source={source} plain={plain} onSaved={onSaved} />
      ) : (
        <Step
          mark={<StepMark step={2} isLater />}
          title={texts.setUpSender}
          isLater
          side={<span className={styles.side}>{CHOICES.map(({ label }) => label).join(', ')}</span>}
        />
      )}
      {source ? (
        <WaitingStep source={source} />
      ) : (
        <Step mark={<StepMark step={3} isLater />} title={texts.seeYourFirstAlert} isLater />
      )}
    </section>
  );
}

interface StepProps {
  mark: ReactNode;
  title: ReactNode;
  isLater?: boolean;
  /** At the right of the title. */
  side?: ReactNode;
  children?: ReactNode;
}

function Step({ mark, title, isLater = false, side, children }: StepProps) {
  return (
    <div className={classNames(styles.step, isLater && styles.step_later)}>
      <div className={styles.stepHead}>
        {mark}
        <h4 className={styles.stepTitle}>{title}</h4>
        {side !== undefined && <div className={styles.stepSide}>{side}</div>}
      </div>
      {children !== undefined && <div className={styles.stepBody}>{children}</div>}
    </div>
  );
}

/** One name, one button. */
function CreateStep({ create }: { create: CreateSource }) {
  const [name, setName] = useState('');
  const hint = useId();
  const isTaken = create.error instanceof ApiError && create.error.status === 409;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== '' && !create.isPending) create.mutate({ name: name.trim() });
  };
  return (
    <Step mark={<StepMark step={1} />} title={texts.createSource}>
      <p className={styles.text}>{texts.sourceIsOnePlaceThat}</p>
      <form className={styles.form} onSubmit={submit} noValidate>
        <InputGroup
          aria-label={texts.sourceName}
          aria-describedby={hint}
          aria-invalid={isTaken || undefined}
          autoComplete="off"
          maxLength={100}
          placeholder={texts.productionMonitoring}
          value={name}
          onValueChange={(text) => {
            setName(text);
            if (create.isError) create.reset();
          }}
        />
        <Button
          type="submit"
          intent="primary"
          text={create.isPending ? texts.creating : sourceTexts.createSource}
          disabled={name.trim() === ''}
          aria-disabled={create.isPending || undefined}
        />
      </form>
      <p id={hint} className={styles.hint}>
        {create.error ? (
          <span className={formDialogStyles.fieldError} role="alert">
            {isTaken ? create.error.message : texts.sourceCouldNotBeCreated(create.error.message)}
          </span>
        ) : (
          <>
            {texts.senderIsDetectedFromIts((text) => (
              <Link className="ad-link" to={NEW_SOURCE_PAGE}>
                {text}
              </Link>
            ))}
          </>
        )}
      </p>
    </Step>
  );
}

/** A source that was made here has no secret to sign with: its address is the secret. */
const unsigned = (setUp: SetUp): SetUp => ({
  ...setUp,
  tabs: setUp.tabs.map((tab) => ({
    ...tab,
    ...(tab.steps && {
      steps: tab.steps.map((step) => ({
        ...step,
        ...(step.fields && { fields: step.fields.filter(({ value }) => !value.includes('{g}')) }),
      })),
    }),
  })),
});

/** The set-ups that are offered, each in its usual form. */
const CHOICES = [
  { value: 'alertmanager', label: 'Alertmanager', setUp: SET_UPS.alertmanager },
  { value: 'grafana', label: 'Grafana', setUp: SET_UPS.grafana },
  { value: 'github', label: 'GitHub', setUp: unsigned(SET_UPS.github) },
  { value: 'uptime-kuma', label: 'Uptime Kuma', setUp: SET_UPS['uptime-kuma'] },
  { value: 'curl', label: 'curl', setUp: SET_UPS.generic },
] as const;

const isText = (value: unknown): value is string => typeof value === 'string';

/** The set-up that was chosen last in this browser. */
const choiceAtom = atomWithStorage<string>(
  'first-run-set-up',
  CHOICES[0].value,
  withStorageValidator(isText)(createJSONStorage()),
  { getOnInit: true },
);

interface SetUpStepProps {
  source: Source;
  plain: PlainSecrets | undefined;
  onSaved: () => void;
}

/** Step two: the set-up of one of five senders, with address and secret filled in. */
export function SetUpStep({ source, plain, onSaved }: SetUpStepProps) {
  const [choice, setChoice] = useAtom(choiceAtom);
  const isMobile = useMediaQuery(MOBILE);
  const { isMasked, unmask } = useMaskWhenAway();
  const { setUp } = CHOICES.find(({ value }) => value === choice) ?? CHOICES[0];
  const shown = isMasked ? undefined : plain;
  const hintOf = (kind: 'key' | 'token'): string =>
    source.secrets.find((secret) => secret.kind === kind && secret.expiresAt === null)?.hint ?? '';
  const values: SetUpValues = {
    origin: window.location.origin,
    secret: shown?.key,
    token: shown?.token,
    signing: undefined,
    hints: { secret: hintOf('key'), token: hintOf('token'), signing: '' },
  };
  const options = CHOICES.map(({ value, label }) => ({ value, label }));
  const chooser = isMobile ? (
    <HTMLSelect
      fill
      aria-label={texts.sender}
      options={options}
      value={choice}
      onChange={({ currentTarget }) => setChoice(currentTarget.value)}
    />
  ) : (
    <SegmentedControl aria-label={texts.sender} options={options} value={choice} onValueChange={setChoice} />
  );
  return (
    <Step mark={<StepMark step={2} />} title={texts.setUpSender} side={chooser}>
      <SetUpBody setUp={setUp} tab={0} values={values} source={source} onCopied={onSaved} />
      <p className={styles.once}>
        <WarningSignIcon size={12} />
        {plain === undefined ? (
          <span>
            {texts.credentialsWereOnlyShownWhen((text) => (
              <Link className="ad-link" to={pageOf(source.id, 'set-up')}>
                {text}
              </Link>
            ))}
          </span>
        ) : isMasked ? (
          <Button size="small" text={texts.showCredentialsAgain} onClick={unmask} />
        ) : (
          <span>{sourceTexts.saveKeyHint}</span>
        )}
      </p>
    </Step>
  );
}

/** Step three waits from the start, and says what went wrong. */
function WaitingStep({ source }: { source: Source }) {
  const { refused, isLate, isConnected } = useFirstDelivery(source.id);
  const { actions, dialogs } = useSourceActions();
  return (
    <Step
      mark={<StepMark step={3} isLater />}
      title={
        <>
          {texts.waitingForYourFirstAlert}
          <Spinner size={16} aria-label={texts.waiting} />
        </>
      }
      side={
        <>
          <span className={styles.side}>{isConnected ? texts.noSenderReady : texts.notConnectedTryingAgain}</span>
          <Button icon={<SendMessageIcon />} text={pageTexts.sendTest} onClick={() => actions.sendTest(source)} />
        </>
      }
    >
      <WaitingNews sourceId={source.id} refused={refused} />
      {isLate && (
        <output className={waitingPanelStyles.news}>
          {texts.nothingYetFromSendersMachine(
            <code className="ad-code">curl -I {window.location.origin}/webhook</code>,
          )}
        </output>
      )}
      {dialogs}
    </Step>
  );
}
