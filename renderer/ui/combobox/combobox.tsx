import {
  type ComboboxProps as AriakitFieldProps,
  ComboboxItem,
  type ComboboxItemProps,
  ComboboxList,
  type ComboboxListProps,
  ComboboxProvider,
  Combobox as AriakitField,
  useComboboxContext,
} from '@ariakit/react/combobox';
import { Classes } from '@blueprintjs/core';
import { useStoreState } from '@ariakit/react/store';
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useId } from 'react';
import classNames from 'classnames';

interface ComboboxProps {
  /** What the options are found by. When it changes, the first option is the active one again. */
  text: string;
  /** Whether there are options to choose from now. */
  isOpen?: boolean;
  children: ReactNode;
}

/**
 * A field and the options that are chosen from it (docs/decisions/0087-one-combobox.md). The focus stays in the field: arrows
 * and pages move the active option, Enter or a click chooses it, Home and End are the text's.
 */
export function Combobox({ text, isOpen = true, children }: ComboboxProps) {
  return (
    <ComboboxProvider open={isOpen} inputValue={text} focusLoop compositeElementInFocusOrder={false}>
      {children}
    </ComboboxProvider>
  );
}

interface ComboboxFieldProps extends Omit<AriakitFieldProps, 'onKeyDownCapture'> {
  /**
   * Receives each key before it moves or chooses, with the active option, which a click chooses. Preventing the key's
   * default keeps it from doing so.
   */
  onKey?: (event: KeyboardEvent<HTMLElement>, option: HTMLElement | null) => void;
}

/** The field of a {@link Combobox}. Its text is the caller's, as are the keys that close the list. */
export function ComboboxField({ onKey, autoSelect = 'always', ...props }: ComboboxFieldProps) {
  return (
    <AriakitField
      autoSelect={autoSelect}
      setValueOnChange={false}
      setValueOnClick={false}
      showOnKeyPress={false}
      {...props}
      onKeyDownCapture={(event: KeyboardEvent<HTMLElement>) => {
        const id = event.currentTarget.getAttribute('aria-activedescendant');
        onKey?.(event, id === null ? null : document.getElementById(id));
      }}
    />
  );
}

interface ComboboxSearchProps extends Pick<ComboboxFieldProps, 'autoSelect' | 'placeholder' | 'ref' | 'type'> {
  className?: string | undefined;
  icon: ReactNode;
  label: string;
  text: string;
  onText: (text: string) => void;
}

/** The field at the head of a list, whose options are found by typing. */
export function ComboboxSearch({ className, icon, label, text, onText, ...props }: ComboboxSearchProps) {
  return (
    <div className={classNames(Classes.INPUT_GROUP, className)}>
      <span className={Classes.INPUT_LEFT_CONTAINER}>{icon}</span>
      <ComboboxField
        {...props}
        className={Classes.INPUT}
        aria-label={label}
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
    </div>
  );
}

/** The list of a {@link Combobox}. */
export const ComboboxOptions = (props: ComboboxListProps & { 'aria-label': string }) => <ComboboxList {...props} />;

/** The key that Ariakit repeats at the active option was for the field, which passes it on to what is around. */
const keepHere = (event: SyntheticEvent): void => event.stopPropagation();

/** One option; `onClick` chooses it. The pointer makes it the active one where the field has the focus, and takes none. */
export function ComboboxOption(props: ComboboxItemProps) {
  const id = useId();
  const store = useComboboxContext();
  const isActive = useStoreState(store, ['activeId'], (state) => state?.activeId === id);
  return (
    <ComboboxItem
      id={id}
      aria-selected={isActive}
      focusOnHover={() => store?.getState().compositeElement === document.activeElement}
      blurOnHoverEnd={false}
      onMouseDown={(event) => event.preventDefault()}
      onKeyDown={keepHere}
      onKeyUp={keepHere}
      {...props}
    />
  );
}
