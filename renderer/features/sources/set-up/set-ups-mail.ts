import { type SetUp, formTab } from './set-up-texts.ts';

/** Set-up of what sends emails. */
export const MAIL_SET_UPS = {
  email: {
    ways: 'Email',
    created: 'An email address for this source only',
    waits: 'Mail servers may take a minute to deliver the first email.',
    tabs: [
      formTab(
        'Email',
        {
          text: 'Have your system send its alerts to this address.',
          fields: [{ name: 'To', value: '{m}', note: 'Anyone who knows the address can send alerts to it.' }],
        },
        {
          text: 'The subject becomes the title. Words such as **RESOLVED**, **OK** or **recovered** in it close the problem; replies and emails with the same subject belong to the same problem.',
        },
        {
          text: 'Send a first email to try it.',
          code: {
            language: 'plain',
            text: [
              'swaks --to {m} \\',
              '  --from monitoring@example.com \\',
              "  --header 'Subject: CRITICAL: Disk full on web-1' \\",
              "  --body 'Only 1 % is left on /var.'",
            ].join('\n'),
          },
        },
      ),
    ],
  },
} satisfies Record<string, SetUp>;
