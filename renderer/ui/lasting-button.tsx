import { Button, type ButtonProps, Classes } from '@blueprintjs/core';
import type { Ref } from 'react';
import classNames from 'classnames';

interface LastingButtonProps extends Omit<ButtonProps, 'disabled'> {
  /** There is nothing for it to do now. */
  isOff: boolean;
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** A button that may leave itself nothing to do, such as to the last of some: a browser takes the focus from one that is disabled. */
export const LastingButton = ({ isOff, className = '', onClick, ...props }: LastingButtonProps) => (
  <Button
    {...props}
    className={classNames(className, isOff && Classes.DISABLED)}
    aria-disabled={isOff || undefined}
    {...(!isOff && onClick && { onClick })}
  />
);
