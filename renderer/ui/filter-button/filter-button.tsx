import { Button, PopupKind } from '@blueprintjs/core';
import { CaretDownIcon, SmallCrossIcon } from '@blueprintjs/icons';
import { type ComponentType, type ReactNode, useRef } from 'react';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import classNames from 'classnames';
import * as styles from './filter-button.module.css';

interface FilterButtonProps<P extends object> {
  /** What the button reads, such as a {@link FilterLabel}. */
  children: ReactNode;
  /** Its name for assistive technology, where what it reads says too little. */
  label?: string;
  /** Something is filtered by it. */
  isSet?: boolean;
  /** Takes back what is filtered, and what the button is called that does. */
  onClear?: () => void;
  clearLabel?: string;
  /** Fetches the menu, and what is passed to it. */
  load: () => Promise<ComponentType<P>>;
  content: P;
  onOpened?: () => void;
  onClosed?: () => void;
}

/** A button that opens the menu of what can be chosen, and reads what is. */
export function FilterButton<P extends object>(props: FilterButtonProps<P>) {
  const { children, label, isSet = false, onClear, clearLabel, load, content, onOpened, onClosed } = props;
  const button = useRef<HTMLButtonElement>(null);
  const isClearable = isSet && onClear !== undefined;
  return (
    <span className={classNames(styles.group, isClearable && styles.group_clearable)}>
      <PopupButton
        placement="bottom-end"
        popupKind={PopupKind.MENU}
        onOpening={(popup) => {
          focusMenu(popup);
          onOpened?.();
        }}
        {...(onClosed && { onClosed })}
        load={load}
        content={content}
        buttonRef={button}
        button={{
          className: classNames(styles.filter, isSet && styles.filter_set),
          ...(!isClearable && { endIcon: <CaretDownIcon /> }),
          children,
          ...(label !== undefined && { 'aria-label': label }),
        }}
      />
      {isClearable && (
        <Button
          className={styles.clear}
          icon={<SmallCrossIcon />}
          aria-label={clearLabel}
          onClick={() => {
            onClear();
            // This button is gone by now.
            button.current?.focus();
          }}
        />
      )}
    </span>
  );
}

/** What is filtered by, and the value: "Health All". */
export function FilterLabel({ name, value }: { name: string; value: string | undefined }) {
  return (
    <>
      <span className={styles.name}>{name}</span>
      <span className={styles.value}>
        <bdi>{value}</bdi>
      </span>
    </>
  );
}
