import { SegmentedControl } from '@blueprintjs/core';
import { useId } from 'react';
import { isDensity, useDensityChoice, useThemeChoice } from '#renderer/lib/appearance.ts';
import { isThemeChoice } from '#renderer/lib/theme-storage.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './settings-page.module.css';

const THEMES = [
  { label: texts.system, value: 'system' },
  { label: texts.light, value: 'light' },
  { label: texts.dark, value: 'dark' },
];

const DENSITIES = [
  { label: texts.dense, value: 'dense' },
  { label: texts.comfortable, value: 'comfortable' },
];

const ON_OFF = [
  { label: texts.on, value: 'on' },
  { label: texts.off, value: 'off' },
];

/** Theme, density and keys without a modifier, remembered on this device. */
export function AppearancePanel() {
  const [theme, setTheme] = useThemeChoice();
  const [density, setDensity] = useDensityChoice();
  const [areKeysOn, setKeysOn] = useSingleKeys();
  const id = useId();
  return (
    <Panel title={texts.appearance}>
      <div className={`${panelStyles.panelBody} ${styles.settingsChoices}`}>
        <span id={`${id}-theme`}>{texts.theme}</span>
        <SegmentedControl
          aria-labelledby={`${id}-theme`}
          options={THEMES}
          value={theme}
          onValueChange={(value) => isThemeChoice(value) && setTheme(value)}
        />
        <span id={`${id}-density`}>{texts.density}</span>
        <SegmentedControl
          aria-labelledby={`${id}-density`}
          options={DENSITIES}
          value={density}
          onValueChange={(value) => isDensity(value) && setDensity(value)}
        />
        <span id={`${id}-keys`}>{texts.singleKeyShortcuts}</span>
        <SegmentedControl
          aria-labelledby={`${id}-keys`}
          options={ON_OFF}
          value={areKeysOn ? 'on' : 'off'}
          onValueChange={(value) => setKeysOn(value === 'on')}
        />
      </div>
    </Panel>
  );
}
