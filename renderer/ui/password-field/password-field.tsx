import { Button, InputGroup } from '@blueprintjs/core';
import { EyeOffIcon, EyeOpenIcon } from '@blueprintjs/icons';
import { type RefObject, useState } from 'react';
import { MIN_PASSWORD_LENGTH } from '#backend/contract/user.ts';
import { CopyButton } from '#renderer/ui/copy-button.tsx';
import { FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import * as texts from './texts.ts';
import * as styles from './password-field.module.css';

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
      action={<Button className={styles.suggest} variant="minimal" text={texts.suggestPassword} onClick={suggest} />}
      hint={texts.atLeastCharacters(MIN_PASSWORD_LENGTH)}
    >
      {(ids) => (
        <InputGroup
          {...ids}
          {...(inputRef && { inputRef })}
          className={styles.password}
          type={isShown ? 'text' : 'password'}
          autoComplete="new-password"
          spellCheck={false}
          required
          minLength={MIN_PASSWORD_LENGTH}
          value={value}
          onValueChange={onChange}
          rightElement={
            <span className={styles.buttons}>
              {value !== '' && <CopyButton text={value} label={texts.copyPassword} />}
              <Button
                variant="minimal"
                icon={isShown ? <EyeOffIcon /> : <EyeOpenIcon />}
                aria-label={isShown ? texts.hidePassword : texts.showPassword}
                onClick={() => setShown(!isShown)}
              />
            </span>
          }
        />
      )}
    </FormField>
  );
}

/** Without look-alikes: nobody should have to guess between 0 and o, 1 and l. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** The largest multiple of the alphabet's length that a byte holds: higher bytes would favour its first letters. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length);

/**
 * A password to take over: four groups of four from 31 characters, 79 bits, typed by hand without a mistake.
 * `randomBytes` gives so many random bytes.
 */
export function suggestPassword(randomBytes: (count: number) => Uint8Array = browserBytes): string {
  let letters = '';
  while (letters.length < GROUPS * GROUP_LENGTH) {
    for (const byte of randomBytes(GROUPS * GROUP_LENGTH)) {
      if (byte < FAIR_BYTES && letters.length < GROUPS * GROUP_LENGTH) letters += ALPHABET[byte % ALPHABET.length];
    }
  }
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH),
  ).join('-');
}

const browserBytes = (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count));
