import { HTMLSelect } from '@blueprintjs/core';
import type { SourceSettings } from '#backend/contract/source.ts';
import { timesChoices, withinChoices } from '#renderer/alerts/data/flapping-labels.ts';
import { FLAPPING_CHOICES, flappingChoice, flappingOf } from './setting-options.ts';
import { SelectRow, SettingRow } from './setting-rows.tsx';
import type { Save } from './use-save.ts';
import * as texts from './texts.ts';
import * as styles from './settings.module.css';

/** When problems of a source flap: as on the Admin Panel, never, or by a limit of their own, which stands below then. */
export function FlappingRows({ set, save }: { set: SourceSettings['flapping']; save: Save }) {
  const saveLimit = (limit: SourceSettings['flapping']): void => save(texts.flappingLimit, { flapping: limit });
  return (
    <>
      <SelectRow
        title={texts.flappingProblems}
        text={texts.flappingHint}
        choices={FLAPPING_CHOICES}
        value={flappingChoice(set)}
        onChange={(value) => save(texts.flappingProblems, { flapping: flappingOf(value) })}
      />
      {typeof set !== 'string' && (
        <SettingRow title={texts.flappingLimit} text={texts.flappingLimitHint}>
          {({ labelId, textId }) => (
            <fieldset className={styles.settingLimit} aria-labelledby={labelId}>
              {texts.moreThan}
              <HTMLSelect
                className={styles.settingSelect}
                aria-label={texts.numberOfTimes}
                aria-describedby={textId}
                value={set.times}
                options={timesChoices(set.times)}
                onChange={({ target }) => saveLimit({ ...set, times: Number(target.value) })}
              />
              {texts.timesIn}
              <HTMLSelect
                className={styles.settingSelect}
                aria-label={texts.timeWindow}
                aria-describedby={textId}
                value={set.withinMinutes}
                options={withinChoices(set.withinMinutes)}
                onChange={({ target }) => saveLimit({ ...set, withinMinutes: Number(target.value) })}
              />
            </fieldset>
          )}
        </SettingRow>
      )}
    </>
  );
}
