import { MenuItem } from '@blueprintjs/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Colleague, colleaguesSchema } from '#backend/contract/assignment.ts';
import { Initials } from '#renderer/ui/initials.tsx';
import { apiGet } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';

/** `GET /api/people`, asked for whenever somebody chooses. */
const peopleQuery = queryOptions({
  queryKey: ['/api/people'] as const,
  queryFn: ({ signal }) => apiGet('/api/people', colleaguesSchema, { signal }),
  refetchOnMount: 'always',
});

/** The members to whom alerts can be given, who has fewest open ones first. */
export const usePeople = () => useQuery(peopleQuery);

/** How busy somebody is, and whether they are there: "4 open, online". */
export const busyLabel = ({ openAlerts, isOnline }: Pick<Colleague, 'openAlerts' | 'isOnline'>): string =>
  `${openAlerts.toLocaleString('en')} open${isOnline ? ', online' : ''}`;

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
      filterLabel="Find people"
      entries={people.map((person) => {
        const name = inertLine(person.displayName);
        return {
          key: person.id,
          name,
          item: (
            <MenuItem
              className="ad-person"
              icon={<Initials name={name} />}
              text={
                <>
                  <bdi>{name}</bdi>
                  {person.id === me && ' (you)'}
                </>
              }
              htmlTitle={name}
              label={busyLabel(person)}
              onClick={() => onSelect(person)}
            />
          ),
        };
      })}
    />
  );
}
