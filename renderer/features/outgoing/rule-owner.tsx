import { HTMLSelect } from '@blueprintjs/core';
import { usePeople } from '#renderer/alerts/assign/people.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { Row } from './setting-row.tsx';
import * as texts from './incoming-rules-texts.ts';
import * as styles from './outgoing.module.css';

/** The members who can be chosen, oneself first. */
export function useMembers(): { id: string; displayName: string }[] {
  const { data: people = [] } = usePeople();
  const { id, displayName } = useSession();
  return [{ id, displayName }, ...people.filter((person) => person.id !== id)];
}

interface OwnerProps {
  ownerId: string | undefined;
  name: string | undefined;
  onChange: (ownerId: string | undefined) => void;
}

/** Who answers for a rule. */
export function Owner({ ownerId, name, onChange }: OwnerProps) {
  const me = useSession();
  const owners = useMembers();
  const isOther = ownerId !== undefined && !owners.some(({ id }) => id === ownerId);
  return (
    <div className={styles.part}>
      <Row label={texts.owner} hint={texts.ownerHint}>
        {(id) => (
          <HTMLSelect id={id} value={ownerId ?? me.id} onChange={({ currentTarget: { value } }) => onChange(value)}>
            {isOther && <option value={ownerId}>{inertLine(name ?? texts.noOwner)}</option>}
            {owners.map((person) => (
              <option key={person.id} value={person.id}>
                {inertLine(person.displayName)}
              </option>
            ))}
          </HTMLSelect>
        )}
      </Row>
    </div>
  );
}
