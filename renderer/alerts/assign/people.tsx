import { Button } from '@blueprintjs/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { countText } from '#backend/contract/count-text.ts';
import { type Colleague, colleaguesSchema } from '#backend/contract/assignment.ts';
import type { ChoicesProps } from '#renderer/alerts/actions/action.ts';
import { assignChange } from '#renderer/alerts/actions/changes.ts';
import { Initials } from '#renderer/ui/initials.tsx';
import { apiGet } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.ts';
import * as styles from './assign.module.css';

/** `GET /api/people`, asked for whenever somebody chooses. */
export const peopleQuery = queryOptions({
  queryKey: ['/api/people'] as const,
  queryFn: ({ signal }) => apiGet('/api/people', colleaguesSchema, { signal }),
  refetchOnMount: 'always',
});

/** The members to whom alerts can be given, who has fewest open ones first. */
export const usePeople = () => useQuery(peopleQuery);

/** How busy somebody is, and whether they are there: "4 open, online". */
export const busyLabel = ({ openAlerts, isOnline }: Pick<Colleague, 'openAlerts' | 'isOnline'>): string =>
  `${countText(openAlerts)} open${isOnline ? ', online' : ''}`;

interface PeopleChoiceProps {
  /** Whose the alerts are already. */
  except: string | undefined;
  onSelect: (person: Colleague) => void;
  /** The focus goes to the people once they are there. */
  takesFocus: boolean;
}

/** The people to choose from, or why there are none. */
export function PeopleChoice({ except, onSelect, takesFocus }: PeopleChoiceProps) {
  const me = useSession().id;
  const { data, error, refetch } = usePeople();
  if (error) {
    return (
      <div className={styles.assignState} role="alert">
        <p>{texts.peopleNotLoaded(error.message)}</p>
        <Button text={common.tryAgain} onClick={() => void refetch()} />
      </div>
    );
  }
  if (data === undefined) return <output className={styles.assignState}>{texts.loadingPeople}</output>;
  const people = data.filter(({ id }) => id !== except);
  if (people.length === 0) return <p className={styles.assignState}>{texts.thereIsNoOneElse}</p>;
  return (
    <div className={styles.assignPeople} ref={takesFocus ? focusOnce : undefined}>
      <PeopleMenu label={texts.assignTo} people={people} me={me} onSelect={onSelect} />
    </div>
  );
}

/** The people to whom alerts can be assigned. */
export const AssignChoices = ({ ifOwner, takesFocus, onChange }: ChoicesProps) => (
  <PeopleChoice except={ifOwner} takesFocus={takesFocus} onSelect={(to) => onChange(assignChange(to, ifOwner))} />
);

/** The people come after what they are in; the focus goes to them when they do. */
const focusOnce = (element: HTMLElement | null): void => {
  if (element) requestAnimationFrame(() => focusMenu(element));
};

interface PeopleMenuProps {
  label: string;
  people: readonly Colleague[];
  /** Id of the member at this screen. */
  me: string;
  onSelect: (person: Colleague) => void;
}

/** One entry for each person, with how busy they are. */
export function PeopleMenu({ label, people, me, onSelect }: PeopleMenuProps) {
  return (
    <FilteredMenu
      label={label}
      filterLabel={texts.findPeople}
      entries={people.map((person) => {
        const name = inertLine(person.displayName);
        return {
          key: person.id,
          name,
          className: styles.person,
          icon: <Initials name={name} />,
          text: (
            <>
              <bdi>{name}</bdi>
              {person.id === me && texts.you}
            </>
          ),
          label: busyLabel(person),
          onSelect: () => onSelect(person),
        };
      })}
    />
  );
}
