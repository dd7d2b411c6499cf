import { expect, it } from 'vitest';
import { mentionAt, mentionedIn, notePartsOf } from './note-text.ts';
import { timelineOf } from './timeline.tsx';

const entry = (id: string, action: 'received' | 'note_added' | 'note_deleted', minute: number) => ({
  id,
  action,
  userDisplayName: 'Ann',
  createdAt: new Date(minute * 60_000).toISOString(),
});

it('cuts a note into links, mentions and text', () => {
  const parts = notePartsOf('See (https://a.example/x?y=1). @Ann Ashby, @Ann look', ['Ann', 'Ann Ashby']);
  expect(parts.map(({ kind, text }) => [kind, text])).toEqual([
    ['text', 'See ('],
    ['link', 'https://a.example/x?y=1'],
    ['text', '). '],
    ['mention', '@Ann Ashby'],
    ['text', ', '],
    ['mention', '@Ann'],
    ['text', ' look'],
  ]);
  expect(notePartsOf('javascript:alert(1) <b>', [])).toEqual([
    { kind: 'text', at: 0, text: 'javascript:alert(1) <b>' },
  ]);
});

it('mentions whom the text names, not one whose name only begins the name that is there', () => {
  const people = [
    { id: 'a', name: 'Ann' },
    { id: 'b', name: 'Ann Ashby' },
    { id: 'c', name: 'Cem' },
  ];
  expect(mentionedIn('@Ann Ashby look', people)).toEqual(['b']);
  expect(mentionedIn('@Ann Ashby, @Ann look', people)).toEqual(['a', 'b']);
  expect(mentionedIn('@Cem https://a.example/@Ann', people)).toEqual(['c']);
});

it('finds the name that is being typed after an @', () => {
  expect(mentionAt('Hello @jo', 9)).toEqual({ at: 6, search: 'jo' });
  expect(mentionAt('@', 1)).toEqual({ at: 0, search: '' });
  expect(mentionAt('@Ann As', 7)).toEqual({ at: 0, search: 'Ann As' });
  for (const text of ['mail me@example.com', 'none', '@Ann\nnext', '@ Ann']) {
    expect(mentionAt(text, text.length)).toBeUndefined();
  }
});

it('puts notes and history in one order, and leaves out what the notes themselves show', () => {
  const note = {
    id: 'n',
    authorId: 'a',
    authorName: 'Ann',
    text: 'Hi',
    mentions: [],
    createdAt: entry('', 'received', 2).createdAt,
  };
  const items = timelineOf(
    [note],
    [entry('3', 'note_deleted', 3), entry('2', 'note_added', 2), entry('1', 'received', 1)],
  );
  expect(items.map((item) => (item.kind === 'note' ? item.note.id : item.entry.id))).toEqual(['3', 'n', '1']);
});
