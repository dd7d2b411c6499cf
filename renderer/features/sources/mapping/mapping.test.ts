import { describe, expect, it } from 'vitest';
import type { DryRunResult, ReadEvent } from '#backend/contract/delivery.ts';
import { changedParts, draftNote, fieldResult, mappingOf, pastedRequest } from './mapping-draft.ts';

const EVENT: ReadEvent = {
  title: 'Card declined',
  customer: null,
  alertType: null,
  severity: 'high',
  state: 'event',
  dedupKey: null,
  link: null,
  origins: [
    { field: 'title', value: 'Card declined', path: 'failure.reason' },
    { field: 'severity', value: 'high', path: 'failure.level' },
  ],
  element: '',
  payload: '{}',
};
const RESULT: DryRunResult = {
  sender: 'generic',
  recognisedBy: 'nothing else',
  events: [EVENT],
  errors: [{ field: 'link', message: 'The path ends inside a bracket.' }],
  splitInto: null,
  leftOut: [],
  ignored: null,
  handshake: null,
  problem: null,
};

describe('a draft of a mapping', () => {
  it('is sent without what is left to the sender’s rule', () => {
    expect(mappingOf({ title: ' order.no ', link: '  ', customer: 'store.name' })).toEqual({
      title: 'order.no',
      customer: 'store.name',
    });
  });

  it('knows what changed', () => {
    expect(changedParts({ title: 'a', link: 'b' }, { title: 'a ', link: '', state: 'c' })).toEqual(['state', 'link']);
    expect(changedParts({ title: 'a' }, { title: 'a' })).toEqual([]);
  });

  it('says what has to be fixed and what saving does', () => {
    expect(draftNote(1, 2)).toEqual({
      problem: '1 entry to fix',
      text: '2 unsaved changes. They apply to deliveries from now on.',
    });
    expect(draftNote(0, 1).text).toBe('1 unsaved change. It applies to deliveries from now on.');
    expect(draftNote(0, 0)).toEqual({ problem: undefined, text: '' });
  });
});

describe('the result of a field', () => {
  it('is its value', () => {
    expect(fieldResult('title', RESULT, EVENT, true, false)).toEqual({ kind: 'value', text: 'Card declined' });
    expect(fieldResult('severity', RESULT, EVENT, false, false)).toEqual({ kind: 'value', text: 'high' });
  });

  it('is the error of its path', () => {
    expect(fieldResult('link', RESULT, EVENT, true, false)).toMatchObject({ kind: 'error' });
  });

  it('is nothing, and says what is used instead', () => {
    expect(fieldResult('customer', RESULT, EVENT, true, true).text).toBe(
      'No match in this delivery. The default customer is used.',
    );
    expect(fieldResult('dedupKey', RESULT, EVENT, true, true).text).toBe('No match in this delivery.');
    expect(fieldResult('dedupKey', RESULT, EVENT, false, true).kind).toBe('unknown');
    expect(fieldResult('state', RESULT, EVENT, false, true).kind).toBe('unknown');
  });
});

it('reads a pasted request', () => {
  expect(pastedRequest('post', 'Content-Type: application/json\n\nX-GitHub-Event : push\nnonsense', '{}')).toEqual({
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-github-event': 'push' },
    body: '{}',
  });
});
