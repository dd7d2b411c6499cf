import { Button, InputGroup } from '@blueprintjs/core';
import { type FormEvent, useState } from 'react';
import { ROLE_LABELS } from '#renderer/session/role-labels.ts';
import { useSession } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { FormField } from '#renderer/ui/form-dialog/form-dialog.tsx';
import { useFocusOfDisabled } from '#renderer/ui/keep-focus.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { useChangeProfile } from './account.ts';
import * as texts from './texts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './account-page.module.css';

/** Who I am: my display name to change; e-mail and role, which are the administrators' to change. */
export function ProfilePanel() {
  const { displayName, email, role } = useSession();
  const [name, setName] = useState(displayName);
  const [known, setKnown] = useState(displayName);
  const change = useChangeProfile();
  const toasts = useToasts();
  useFocusOfDisabled([name, displayName]);
  // Changed in another window, it changes here, too, unless somebody is typing.
  if (known !== displayName) {
    setKnown(displayName);
    if (name === known) setName(displayName);
  }

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (change.isPending) return;
    change.mutate(
      { displayName: name },
      {
        // What was typed meanwhile stays.
        onSuccess: (session) => setName((now) => (now === name ? session.displayName : now)),
        onError: ({ message }) =>
          toasts.show({ variant: 'destructive', title: texts.failedToChangeDisplayName, description: message }),
      },
    );
  };

  return (
    <Panel title={texts.profile}>
      <form className={`${panelStyles.panelBody} ${styles.form}`} onSubmit={submit}>
        <FormField label={texts.displayName} hint={texts.yourColleaguesSeeItOn}>
          {(ids) => (
            <InputGroup
              {...ids}
              autoComplete="name"
              required
              // A name of blanks is none.
              pattern=".*\S.*"
              maxLength={100}
              value={name}
              onValueChange={setName}
            />
          )}
        </FormField>
        <dl className={styles.facts}>
          <dt>{pageTexts.email}</dt>
          <dd>
            <bdi>{email}</bdi>
          </dd>
          <dt>{texts.role}</dt>
          <dd>{ROLE_LABELS[role]}</dd>
        </dl>
        <Button
          type="submit"
          intent="primary"
          disabled={name.trim() === displayName}
          aria-disabled={change.isPending || undefined}
          text={change.isPending ? texts.saving : pageTexts.save}
        />
      </form>
    </Panel>
  );
}
