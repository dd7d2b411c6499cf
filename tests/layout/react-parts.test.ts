import { expect, test } from 'vitest';
import { filesWith } from '#tests/support/product-code.ts';

/** What `scripts/web/react-dom-cuts.ts` takes out of the built app: in tests, which have all of React, it would work. */
const CUT = {
  'markup of a server': /\bhydrateRoot\b/,
  'view transitions, activities, lists of suspense': /\b(?:ViewTransition|Activity|SuspenseList)\b[^'"]*from 'react'/,
  'actions of forms':
    /\b(?:useActionState|useFormStatus|useFormState|requestFormReset)\b|<form\b[^>]*\baction=\{|\bformAction=/,
  'hints what to load': /\b(?:prefetchDNS|preconnect|preload|preloadModule|preinit|preinitModule)\(/,
  'refs of fragments': /<Fragment[^>]* ref=/,
  'where an error came from': /\bcomponentStack\b|\bcaptureOwnerStack\b/,
  'elements that React moves to the head, or that are there once':
    /\bcreateElement\(\s*'(?:title|meta|link|style|script|base|html|head|body)'\s*,\s*(?:\{|null)|<(?:title|meta|link|style|script|base|html|head|body)(?:\s[^<>]*)?\/?>(?!`)/,
  'elements of the app’s own': /<[a-z]+-[a-z-]+[\s/>]/,
};

for (const [what, pattern] of Object.entries(CUT)) {
  test(`the web app has no part that is cut out of React: ${what}`, () => {
    // The page that a service worker answers with is text.
    const files = filesWith(pattern, 'renderer').filter((file) => file !== 'renderer/service-worker/offline-page.ts');
    expect(files).toEqual([]);
  });
}
