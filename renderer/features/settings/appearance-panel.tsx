import { SegmentedControl } from '@blueprintjs/core';
import { useId } from 'react';
import { isDensity, useDensityChoice } from '#renderer/lib/density.ts';
import { useThemeChoice } from '#renderer/lib/theme.ts';
import { isThemeChoice } from '#renderer/lib/theme-storage.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';

const THEMES = [
  { label: 'System', value: 'system' },
  { label: 'Light', value: 'light' },
  { label: 'Dark', value: 'dark' },
];

const DENSITIES = [
  { label: 'Dense', value: 'dense' },
  { label: 'Comfortable', value: 'comfortable' },
];

/** Theme and density, remembered on this device (ux.md, "Look"). */
export function AppearancePanel() {
  const [theme, setTheme] = useThemeChoice();
  const [density, setDensity] = useDensityChoice();
  const id = useId();
  return (
    <Panel title="Appearance">
      <div className="ad-panel-body ad-settings-choices">
        <span id={`${id}-theme`}>Theme</span>
        <SegmentedControl
          aria-labelledby={`${id}-theme`}
          options={THEMES}
          value={theme}
          onValueChange={(value) => isThemeChoice(value) && setTheme(value)}
        />
        <span id={`${id}-density`}>Density</span>
        <SegmentedControl
          aria-labelledby={`${id}-density`}
          options={DENSITIES}
          value={density}
          onValueChange={(value) => isDensity(value) && setDensity(value)}
        />
      </div>
    </Panel>
  );
}
