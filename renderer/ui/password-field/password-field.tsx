import { Button, InputGroup } from '@blueprintjs/core';
import { EyeOffIcon, EyeOpenIcon } from '@blueprintjs/icons';
import { type RefObject, useState } from 'react';
import { MIN_PASSWORD_LENGTH } from '#backend/contract/user.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { FormField } from '#renderer/ui/form-dialog/form-field.tsx';
import { suggestPassword } from './suggest-password.ts';
import './password-field.css';

interface PasswordFieldProps {
  label: string;
  value: string;
  onChange: (password: string) => void;
  inputRef?: RefObject<HTMLInputElement | null>;
}

/** A new password for somebody: hidden or shown, typed or suggested, and easy to copy, as it has to be handed over. */
export function PasswordField({ label, value, onChange, inputRef }: PasswordFieldProps) {
  const [isShown, setShown] = useState(false);
  const suggest = (): void => {
    onChange(suggestPassword());
    setShown(true);
  };
  return (
    <FormField
      label={label}
      action={<Button className="ad-password-suggest" variant="minimal" text="Suggest a password" onClick={suggest} />}
      hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
    >
      {(ids) => (
        <InputGroup
          {...ids}
          {...(inputRef && { inputRef })}
          className="ad-password"
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          spellCheck={false}
          required
          minLength={MIN_PASSWORD_LENGTH}
          value={value}
          onValueChange={onChange}
          rightElement={
            <span className="ad-password-buttons">
              {value !== '' && <CopyButton text={value} label="Copy password" />}
              <Button
                variant="minimal"
                icon={isShown ? <EyeOffIcon /> : <EyeOpenIcon />}
                aria-label={isShown ? 'Hide password' : 'Show password'}
                onClick={() => setShown(!isShown)}
              />
            </span>
          }
        />
      )}
    </FormField>
  );
}
