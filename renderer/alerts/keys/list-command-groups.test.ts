import { expect, test } from 'vitest';
import { commandsLike } from './list-command-groups.ts';

const command = (label: string) => ({ label, keys: [], run: () => undefined });
const GROUPS = [
  { heading: 'Disk full', commands: [command('Accept'), command('Move')] },
  { heading: 'Go to', commands: [command('My Alerts'), command('Infrastructure › Databases')] },
];
const found = (text: string) =>
  commandsLike(text, GROUPS).map(({ heading, commands }) => [heading, commands.map(({ label }) => label)]);

test('without a text every command is offered', () => {
  expect(found('  ')).toEqual([
    ['Disk full', ['Accept', 'Move']],
    ['Go to', ['My Alerts', 'Infrastructure › Databases']],
  ]);
});

test('a command has every word of the text in its label, in whatever order and case', () => {
  expect(found('DATA infra')).toEqual([['Go to', ['Infrastructure › Databases']]]);
  expect(found('m')).toEqual([
    ['Disk full', ['Move']],
    ['Go to', ['My Alerts']],
  ]);
});

test('what an alert is called is not what is done with it', () => {
  expect(found('disk')).toEqual([]);
});
