import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import './copy-field.css';

interface CopyFieldProps {
  /** Names the text to screen readers. */
  label: string;
  /** Names the button. */
  copyLabel: string;
  text: string;
}

/** Text to take along: in full, line by line as it is, and with a button that copies it. */
export function CopyField({ label, copyLabel, text }: CopyFieldProps) {
  return (
    <div className="ad-copy-field">
      <ScrollRegion label={label} className="ad-copy-field-scroll">
        <code className="ad-copy-field-text" dir="ltr">
          {text}
        </code>
      </ScrollRegion>
      <CopyButton text={text} label={copyLabel} />
    </div>
  );
}
