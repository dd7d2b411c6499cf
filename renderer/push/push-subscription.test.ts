import { expect, it } from 'vitest';
import { PushError, pushFailure } from './push-subscription.ts';

const failed = (step: 'worker' | 'subscription' | 'server') => new PushError(step, 'what the browser said', {});

it.each([
  [failed('worker'), 'Service worker registration failed. Check browser compatibility.'],
  [failed('subscription'), 'Failed to create push subscription. Please check browser settings.'],
  [failed('server'), 'Failed to save subscription to server. Please try again.'],
  [new Error('The database is away.'), 'The database is away.'],
  [new Error(''), 'An unexpected error occurred.'],
])('%s is reported as its cause', (error, cause) => {
  expect(pushFailure(error)).toMatchObject({
    title: 'Failed to enable notifications',
    description: `Unable to enable push notifications. ${cause}`,
  });
});
