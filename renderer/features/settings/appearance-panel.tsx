import { SegmentedControl } from '@blueprintjs/core';
import { useId } from 'react';
import { useThemeChoice } from '#renderer/lib/theme.ts';
import { isThemeChoice } from '#renderer/lib/theme-storage.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';

const THEMES = [
  { label: 'System', value: 'system' },
  { label: 'Light', value: 'light' },
  { label: 'Dark', value: 'dark' },
];

/** The theme, remembered on this device (ux.md, "Look"). */
export function AppearancePanel() {
  const [theme, setTheme] = useThemeChoice();
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
      </div>
    </Panel>
  );
}
