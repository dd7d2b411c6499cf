import { expect, it } from 'vitest';
import { inertLine, inertText } from './inert-text.ts';

it('takes direction overrides out, so that names read as they are written', () => {
  expect(inertText('photo\u202egpj.exe')).toBe('photogpj.exe');
  expect(inertText('شركة الشرق')).toBe('شركة الشرق');
});

it('makes control characters visible', () => {
  expect(inertText('a\u0000b\u001b[31mc\u007f\u0085')).toBe('a␀b␛[31mc␡\ufffd');
});

it('repairs half characters', () => {
  expect(inertText('x\ud83d')).toBe('x\ufffd');
});

it('keeps line breaks, or puts everything on one line', () => {
  expect(inertText('a\r\n\tb')).toBe('a\r\n\tb');
  expect(inertLine('  a\r\n\tb  c ')).toBe('a b c');
});
