import { HTMLSelect } from '@blueprintjs/core';
import { usePeople } from '#renderer/alerts/assign/people.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSession } from '#renderer/session/session.ts';
import { Row } from './setting-row.tsx';
import * as texts from './incoming-rules-texts.ts';
import * as styles from './outgoing.module.css';

interface MemberOptionsProps {
  chosenId: string | undefined;
  /** The name of who is chosen as it is stored; null once the account is gone. */
  name: string | null | undefined;
}

/**
 * The members who can be chosen, oneself first. Who is chosen and is none of them, such as a disabled member, comes before
 * them.
 */
export function MemberOptions({ chosenId, name }: MemberOptionsProps) {
  const { data: people = [] } = usePeople();
  const me = useSession();
  const members = [me, ...people.filter(({ id }) => id !== me.id)];
  const isOther = chosenId !== undefined && !members.some(({ id }) => id === chosenId);
  return (
    <>
      {isOther && <option value={chosenId}>{inertLine(name ?? texts.noOwner)}</option>}
      {members.map(({ id, displayName }) => (
        <option key={id} value={id}>
          {inertLine(displayName)}
        </option>
      ))}
    </>
  );
}

interface OwnerProps {
  ownerId: string | undefined;
  name: string | null | undefined;
  onChange: (ownerId: string | undefined) => void;
}

/** Who answers for a rule. */
export function Owner({ ownerId, name, onChange }: OwnerProps) {
  const me = useSession();
  return (
    <div className={styles.part}>
      <Row label={texts.owner} hint={texts.ownerHint}>
        {(id) => (
          <HTMLSelect id={id} value={ownerId ?? me.id} onChange={({ currentTarget: { value } }) => onChange(value)}>
            <MemberOptions chosenId={ownerId} name={name} />
          </HTMLSelect>
        )}
      </Row>
    </div>
  );
}
