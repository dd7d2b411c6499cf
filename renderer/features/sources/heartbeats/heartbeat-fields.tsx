import { HTMLSelect, InputGroup, Radio, RadioGroup } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { heartbeatSeveritySchema } from '#backend/contract/heartbeat.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime } from '#renderer/lib/times.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { sourcesQuery } from '#renderer/features/sources/data/get-sources.ts';
import { type WrittenHeartbeat, type WrittenSpan, scheduleIn } from './heartbeat-form.ts';
import { SEVERITY_LABELS } from './heartbeat-labels.ts';
import { timesQuery } from './heartbeats-data.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as styles from './heartbeats.module.css';

interface FieldsProps {
  form: WrittenHeartbeat;
  change: (some: Partial<WrittenHeartbeat>) => void;
}

/** What is decided of a heartbeat: its name, when it is expected, and what its alert is like. */
export function HeartbeatFields({ form, change }: FieldsProps) {
  const { data: sources = [] } = useQuery({ ...sourcesQuery, refetchInterval: false });
  // One that is merely recognised as Opsgenie answers no calls of its API.
  const opsgenie = sources.filter(({ settings, id }) => settings.adapter === 'opsgenie' || id === form.sourceId);
  return (
    <>
      <Field id="ad-beat-name" label={pageTexts.name} hint={texts.nameHint}>
        <InputGroup id="ad-beat-name" value={form.name} maxLength={100} onValueChange={(name) => change({ name })} />
      </Field>
      <Field id="ad-beat-customer" label={pageTexts.customer} hint={texts.customerHint}>
        <InputGroup
          id="ad-beat-customer"
          value={form.customer}
          maxLength={200}
          onValueChange={(customer) => change({ customer })}
        />
      </Field>
      <ScheduleFields form={form} change={change} />
      <Field id="ad-beat-grace" label={texts.grace} hint={texts.graceHint}>
        <SpanField id="ad-beat-grace" label={texts.grace} span={form.grace} onChange={(grace) => change({ grace })} />
      </Field>
      <Field id="ad-beat-severity" label={texts.severity}>
        <HTMLSelect
          id="ad-beat-severity"
          value={form.severity}
          onChange={({ currentTarget: { value } }) => change({ severity: heartbeatSeveritySchema.parse(value) })}
          options={heartbeatSeveritySchema.options.map((value) => ({ value, label: SEVERITY_LABELS[value] }))}
        />
      </Field>
      {opsgenie.length > 0 && (
        <Field id="ad-beat-opsgenie" label={texts.opsgenie} hint={texts.opsgenieHint}>
          <HTMLSelect
            id="ad-beat-opsgenie"
            value={form.sourceId}
            onChange={({ currentTarget: { value } }) => change({ sourceId: value })}
            options={[
              { value: '', label: texts.noOpsgenie },
              ...opsgenie.map(({ id, name }) => ({ value: id, label: inertLine(name) })),
            ]}
          />
        </Field>
      )}
    </>
  );
}

function ScheduleFields({ form, change }: FieldsProps) {
  const zones = [...new Set([form.timeZone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
  return (
    <div className={styles.setting}>
      <span className={styles.settingLabel}>{texts.when}</span>
      <div>
        <RadioGroup
          inline
          selectedValue={form.kind}
          onChange={({ currentTarget: { value } }) => change({ kind: value === 'cron' ? 'cron' : 'interval' })}
          name="ad-beat-kind"
        >
          <Radio label={texts.every} value="interval" />
          <Radio label={texts.byCron} value="cron" />
        </RadioGroup>
        {form.kind === 'interval' ? (
          <SpanField id="ad-beat-every" label={texts.every} span={form.every} onChange={(every) => change({ every })} />
        ) : (
          <div className={styles.inline}>
            <InputGroup
              className={styles.cron}
              value={form.expression}
              maxLength={100}
              spellCheck={false}
              aria-label={texts.cronExpression}
              onValueChange={(expression) => change({ expression })}
            />
            <HTMLSelect
              value={form.timeZone}
              aria-label={pageTexts.timeZone}
              onChange={({ currentTarget: { value } }) => change({ timeZone: value })}
              options={zones}
            />
          </div>
        )}
        <NextTimes form={form} />
      </div>
    </div>
  );
}

/** The next times of what is written, or what is wrong with it. */
function NextTimes({ form }: { form: WrittenHeartbeat }) {
  const schedule = scheduleIn(form);
  const settled = useSettled(JSON.stringify(schedule ?? null));
  const asked = (JSON.parse(settled) as typeof schedule | null) ?? undefined;
  const { data } = useQuery({
    ...timesQuery(asked ?? { kind: 'interval', everySeconds: 3_600 }),
    enabled: asked !== undefined,
  });
  if (!asked || !data) return null;
  return (
    <div className={styles.times} aria-live="polite">
      {data.fault === null ? (
        <>
          <p className={styles.timesTitle}>{texts.nextTimes}</p>
          <ul>
            {data.times.map((time) => (
              <li key={time}>{formatCardTime(new Date(time))}</li>
            ))}
          </ul>
          <p className={styles.hint}>{asked.kind === 'cron' ? texts.nextTimesHint : texts.fromFirst}</p>
        </>
      ) : (
        <p className={styles.fault}>{data.fault}</p>
      )}
    </div>
  );
}

interface SpanFieldProps {
  id: string;
  label: string;
  span: WrittenSpan;
  onChange: (span: WrittenSpan) => void;
}

function SpanField({ id, label, span, onChange }: SpanFieldProps) {
  return (
    <div className={styles.inline}>
      <InputGroup
        id={id}
        className={styles.count}
        inputMode="numeric"
        value={span.count}
        maxLength={8}
        aria-label={`${label}: ${texts.number}`}
        onValueChange={(count) => onChange({ ...span, count })}
      />
      <HTMLSelect
        value={span.unit}
        aria-label={`${label}: ${texts.unit}`}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...span, unit: texts.units.find(([unit]) => unit === value)?.[0] ?? span.unit })
        }
        options={texts.units.map(([value, text]) => ({ value, label: text }))}
      />
    </div>
  );
}

interface FieldProps {
  id: string;
  label: string;
  hint?: string;
  children: ReactNode;
}

const Field = ({ id, label, hint, children }: FieldProps) => (
  <div className={styles.setting}>
    <label className={styles.settingLabel} htmlFor={id}>
      {label}
    </label>
    <div>
      {children}
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    </div>
  </div>
);
