import { HTMLSelect } from '@blueprintjs/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DEFAULT_FLAPPING_RULE } from '#backend/contract/flapping-rule.ts';
import type { SourceSettings } from '#backend/contract/source.ts';
import { flappingRuleQuery } from '#renderer/alerts/data/flapping-rule.ts';
import { timesChoices, withinChoices } from '#renderer/alerts/data/flapping-labels.ts';
import { readNow } from '#renderer/lib/query-answers.ts';
import { FLAPPING_CHOICES, flappingChoice } from './setting-options.ts';
import { SelectRow, SettingRow } from './setting-rows.tsx';
import type { Save } from './use-save.ts';
import * as texts from './texts.ts';
import * as styles from './settings.module.css';

/**
 * When problems of a source flap: as on the Admin Panel, never, or by a limit of their own, which stands below then. Their own
 * limit begins with the numbers that it had before on this page, else with those of the Admin Panel.
 */
export function FlappingRows({ set, save }: { set: SourceSettings['flapping']; save: Save }) {
  const client = useQueryClient();
  const [former, setFormer] = useState<SourceSettings['flapping']>();
  const choose = async (value: string): Promise<void> => {
    if (typeof set !== 'string') setFormer(set);
    if (value === 'installation' || value === 'never') {
      save(texts.flappingProblems, { flapping: value });
      return;
    }
    // Read now: another administrator may have changed it. The defaults are a beginning as well where it cannot be read.
    const { times, withinMinutes } =
      typeof former === 'object' ? former : await readNow(client, flappingRuleQuery).catch(() => DEFAULT_FLAPPING_RULE);
    save(texts.flappingProblems, { flapping: { times, withinMinutes } });
  };
  const saveLimit = (limit: SourceSettings['flapping']): void => save(texts.flappingLimit, { flapping: limit });
  return (
    <>
      <SelectRow
        title={texts.flappingProblems}
        text={texts.flappingHint}
        choices={FLAPPING_CHOICES}
        value={flappingChoice(set)}
        onChange={(value) => void choose(value)}
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
