import { Callout, SegmentedControl, Tag } from '@blueprintjs/core';
import type { SecretKind, Source } from '#backend/contract/source.ts';
import { CodeBox } from '#renderer/features/sources/shown/code-box.tsx';
import { keyed } from '#renderer/features/sources/shown/keyed.ts';
import { RichText } from '#renderer/features/sources/shown/rich-text.tsx';
import { type SetUpValues, copyText, isComplete, secretsIn, textParts } from './fill-in.ts';
import { LocalAddressNote } from '#renderer/ui/local-address-note.tsx';
import { FieldCopy } from './field-copy.tsx';
import type { SetUp, SetUpStep, SetUpTab } from './set-up-texts.ts';
import { OwnKeyForm, SigningForm } from './signing-form.tsx';
import * as texts from './texts.tsx';
import * as codeBoxStyles from '#renderer/features/sources/shown/code-box.module.css';
import * as styles from './set-up.module.css';

interface SetUpTabsProps {
  tabs: readonly SetUpTab[];
  shown: number;
  onShow: (tab: number) => void;
}

/** The forms of a set-up to choose from; nothing where there is only one. */
export function SetUpTabs({ tabs, shown, onShow }: SetUpTabsProps) {
  if (tabs.length < 2) return null;
  return (
    <SegmentedControl
      className={styles.tabs}
      aria-label={texts.setupFormat}
      options={tabs.map(({ label }, index) => ({ label, value: String(index) }))}
      value={String(shown)}
      onValueChange={(value) => onShow(Number(value))}
    />
  );
}

interface SetUpBodyProps {
  setUp: SetUp;
  tab: number;
  values: SetUpValues;
  source: Source;
  /** What was copied contained these secrets. */
  onCopied?: ((kinds: readonly SecretKind[]) => void) | undefined;
  /** Says what the highlight of filled-in values means. */
  hasLegend?: boolean;
}

/** One form of a set-up, filled in for a source. */
export function SetUpBody({ setUp, tab, values, source, onCopied, hasLegend = false }: SetUpBodyProps) {
  const { label, intro, code, steps } = setUp.tabs[tab] ?? setUp.tabs[0] ?? { label: '' };
  const copied = (template: string): void => {
    const kinds = secretsIn(template, values);
    if (kinds.length > 0) onCopied?.(kinds);
  };
  return (
    <div className={styles.setUp}>
      {setUp.ways !== 'Email' && <LocalAddressNote />}
      {setUp.ways === 'Email' && values.mail === undefined && <NoMailNote source={source} />}
      {intro !== undefined && (
        <p className={styles.intro}>
          <RichText text={intro} />
        </p>
      )}
      {code && (
        <CodeBox
          label={label}
          parts={textParts(code.text, values, code.language)}
          text={copyText(code.text, values)}
          onCopied={() => copied(code.text)}
        />
      )}
      {code && hasLegend && (
        <p className={styles.legend}>
          <span className={`${codeBoxStyles.code_filled} ${styles.sample}`}>{texts.highlighted}</span>{' '}
          {texts.valuesFilledIn(secretsIn(code.text, values).length > 0)}
        </p>
      )}
      {steps && (
        <ol className={styles.steps}>
          {keyed(steps).map(({ key, item }) => (
            <li key={key} className={styles.step}>
              <span className={styles.number} aria-hidden>
                {Number(key) + 1}
              </span>
              <div className={styles.stepBody}>
                <p>
                  <RichText text={item.text} />
                </p>
                <StepBody step={item} values={values} source={source} setUp={setUp} onCopied={copied} />
              </div>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

/** Why the source has no address for emails, and what an administrator can do. */
function NoMailNote({ source: { settings } }: { source: Source }) {
  const { token, signature } = settings.auth;
  return (
    <Callout intent="warning" compact>
      {token && signature === null ? (
        <>
          {texts.thisServerReceivesNoEmails(<code>SMTP_PORT</code>, <code>SMTP_DOMAIN</code>, (text) => (
            <strong>{text}</strong>
          ))}
        </>
      ) : (
        texts.thisSourceAcceptsNoEmails
      )}
    </Callout>
  );
}

interface StepBodyProps {
  step: SetUpStep;
  values: SetUpValues;
  source: Source;
  setUp: SetUp;
  onCopied: (template: string) => void;
}

function StepBody({
  step: { fields, code, tags, asksForSigning, asksForKey },
  values,
  source,
  setUp,
  onCopied,
}: StepBodyProps) {
  return (
    <>
      {fields && (
        <dl className={styles.form}>
          {fields.map(({ name, value, note }) => (
            <div key={name} className={styles.field}>
              <dt>{name}</dt>
              <dd>
                <div className={styles.words}>
                  <code className={styles.value} dir="ltr">
                    {textParts(value, values, 'plain')
                      .map(({ text }) => text)
                      .join('')}
                  </code>
                  {note !== undefined && <span className={styles.note}>{note}</span>}
                </div>
                {isComplete(value, values) && (
                  <FieldCopy name={name} text={copyText(value, values)} onCopied={() => onCopied(value)} />
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {code && (
        <CodeBox
          label={texts.text}
          parts={textParts(code.text, values, code.language)}
          text={copyText(code.text, values)}
          onCopied={() => onCopied(code.text)}
        />
      )}
      {tags && (
        <div className={styles.tags}>
          {tags.map((tag) => (
            <Tag key={tag} minimal className={styles.tag}>
              {tag}
            </Tag>
          ))}
        </div>
      )}
      {asksForKey && <OwnKeyForm source={source} />}
      {asksForSigning && setUp.scheme !== undefined && <SigningForm source={source} scheme={setUp.scheme} />}
    </>
  );
}
