import { PopupKind } from '@blueprintjs/core';
import { CaretDownIcon } from '@blueprintjs/icons';
import type { ComponentType, ReactNode } from 'react';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import classNames from 'classnames';
import * as styles from './filter-button.module.css';

interface FilterButtonProps<P extends object> {
  /** What the button reads, such as a {@link FilterLabel}. */
  children: ReactNode;
  /** Its name for assistive technology, where what it reads says too little. */
  label?: string;
  /** Class of the element around the button. */
  className?: string;
  /** Something is filtered by it. */
  isSet?: boolean;
  /** Fetches the menu, and what is passed to it. */
  load: () => Promise<ComponentType<P>>;
  content: P;
  onOpened?: () => void;
  onClosed?: () => void;
}

/** A button that opens the menu of what can be chosen, and reads what is. */
export function FilterButton<P extends object>(props: FilterButtonProps<P>) {
  const { children, label, className, isSet = false, load, content, onOpened, onClosed } = props;
  return (
    <PopupButton
      placement="bottom-end"
      popupKind={PopupKind.MENU}
      onOpening={(popup) => {
        focusMenu(popup);
        onOpened?.();
      }}
      {...(className !== undefined && { className })}
      {...(onClosed && { onClosed })}
      load={load}
      content={content}
      button={{
        className: classNames(styles.filter, isSet && styles.filter_set),
        endIcon: <CaretDownIcon />,
        children,
        ...(label !== undefined && { 'aria-label': label }),
      }}
    />
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
