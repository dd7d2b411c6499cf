import { randomInt } from 'node:crypto';

/** Without look-alikes: nobody should have to guess between 0 and o, 1 and l. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';

/** A password of four groups of four from 31 characters: 79 bits, and still typed by hand without a mistake. */
export const generatePassword = (): string => Array.from({ length: 4 }, randomGroup).join('-');

const randomGroup = (): string => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
