import { TickIcon } from '@blueprintjs/icons';
import { useId } from 'react';
import { type FolderColor, folderColorSchema } from '#backend/contract/folder.ts';
import { FolderDot } from '#renderer/ui/folder-dot/folder-dot.tsx';
import './color-swatches.css';

interface ColorSwatchesProps {
  value: FolderColor;
  onChange: (color: FolderColor) => void;
}

/** The six folder colours as a group of radio buttons. */
export function ColorSwatches({ value, onChange }: ColorSwatchesProps) {
  const group = useId();
  return (
    <fieldset className="ad-swatches">
      <legend>Color</legend>
      {folderColorSchema.options.map((color) => (
        <label key={color} className="ad-swatch">
          <input
            type="radio"
            name={group}
            aria-label={`${color.charAt(0).toUpperCase()}${color.slice(1)}`}
            value={color}
            checked={color === value}
            onChange={() => onChange(color)}
          />
          <FolderDot color={color} size={32} />
          {color === value && <TickIcon className="ad-swatch-tick" size={16} />}
        </label>
      ))}
    </fieldset>
  );
}
