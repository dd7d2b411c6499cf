import { describe, expect, it } from 'vitest';
import { DEFAULT_SOURCE_SETTINGS } from '#backend/contract/source.ts';
import { offQuestion } from './auth-change.ts';
import {
  BODY_CHOICES,
  minutesLabel,
  notifyChoices,
  reopenChoices,
  silenceChoices,
  silenceOf,
} from './setting-options.ts';

const use = (deliveries: number) => ({ deliveries, lastUsedAt: null });

describe('turning a way of authentication off', () => {
  const auth = { key: true, basic: true, token: false, signature: null };
  const ways = { key: use(1284), basic: use(0), token: use(1) };

  it('is asked about when it is the only one', () => {
    const question = offQuestion({ ways }, { ...auth, key: false }, 'basic');
    expect(question).toContain('the only method that is on');
    expect(question).toContain('0 deliveries');
  });

  it('is asked about when it was used in the last 24 hours', () => {
    expect(offQuestion({ ways }, auth, 'key')).toContain('1,284 deliveries');
    expect(offQuestion({ ways }, { ...auth, token: true }, 'token')).toContain('1 delivery');
  });

  it('is not asked about else', () => {
    expect(offQuestion({ ways }, auth, 'basic')).toBeUndefined();
  });
});

describe('choices', () => {
  it('name times in their largest unit', () => {
    expect([5, 60, 90, 1_440].map(minutesLabel)).toEqual(['5 minutes', '1 hour', '90 minutes', '1 day']);
  });

  it('keep a value that was set elsewhere', () => {
    const settings = {
      ...DEFAULT_SOURCE_SETTINGS,
      reopenWithinMinutes: 7,
      notifyAgainAfterMinutes: 90,
      reportSilence: 25,
    };
    expect(reopenChoices(settings).at(-1)).toEqual({ value: '7', label: '7 minutes' });
    expect(notifyChoices(settings).at(-1)).toEqual({ value: '90', label: '90 minutes' });
    expect(silenceChoices(settings).at(-1)).toEqual({ value: '25', label: 'After 25 minutes' });
    expect(reopenChoices(DEFAULT_SOURCE_SETTINGS)).toHaveLength(6);
  });

  it('of silence are read back', () => {
    expect(['never', 'usual', '60'].map(silenceOf)).toEqual(['never', 'usual', 60]);
  });

  it('of bodies are sizes', () => {
    expect(BODY_CHOICES.map(({ label }) => label)).toEqual(['None', '16 KB', '64 KB', '256 KB', '1 MB']);
  });
});
