import { Button, PopoverNext, PopupKind } from '@blueprintjs/core';
import { CaretDownIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import type { Colleague } from '#backend/contract/assignment.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { Initials } from '#renderer/ui/initials.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PeopleMenu, busyLabel } from './people.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as styles from './assign.module.css';

interface PersonFieldProps {
  /** The field's id, and that of what describes it, as `FormField` gives them. */
  id: string;
  'aria-describedby': string | undefined;
  to: Colleague | undefined;
  people: readonly Colleague[] | undefined;
  /** They could not be read, which the dialog says. */
  isFailed: boolean;
  me: string;
  /** The dialog begins with it. */
  takesFocus: boolean;
  onSelect: (person: Colleague) => void;
}

/** A field that opens a menu of people: who is to have the alerts. */
export function PersonField({ to, people, isFailed, me, takesFocus, onSelect, ...ids }: PersonFieldProps) {
  const valueId = `${ids.id}-value`;
  const name = to && inertLine(to.displayName);
  const nobody =
    people === undefined
      ? isFailed
        ? pageTexts.couldNotBeLoaded
        : texts.loadingPeople
      : people.length === 0
        ? texts.thereIsNoOneElseYet
        : texts.choosePerson;
  return (
    <PopoverNext
      placement="bottom-start"
      arrow={false}
      popoverClassName={styles.peoplePopover}
      matchTargetWidth
      animation="minimal"
      popupKind={PopupKind.MENU}
      shouldReturnFocusOnClose
      onOpening={focusMenu}
      content={<PeopleMenu label={texts.to} people={people ?? []} me={me} onSelect={onSelect} />}
    >
      <Button
        {...ids}
        // A button has no value that is read after the name that its label gives it.
        aria-describedby={classNames(valueId, ids['aria-describedby'])}
        className={styles.to}
        data-first-field={takesFocus || undefined}
        fill
        alignText="start"
        disabled={people ? people.length === 0 : isFailed}
        {...(name !== undefined && { icon: <Initials name={name} /> })}
        endIcon={<CaretDownIcon />}
        text={
          to === undefined ? (
            <span id={valueId} className={styles.nobody}>
              {nobody}
            </span>
          ) : (
            <span id={valueId} className={styles.choice}>
              <bdi>{name}</bdi> <span className={styles.count}>{busyLabel(to)}</span>
            </span>
          )
        }
      />
    </PopoverNext>
  );
}
