/** Embeddings, overrides and isolates: what makes text read in another order than it is written in. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Control characters, most of which a browser hides; tab and line breaks are left to the layout. */
const CONTROLS = /(?![\t\n\r])\p{Cc}/gu;

/** Where Unicode's pictures of the control characters begin, and that of DEL. */
const PICTURES = 0x2400;
const PICTURE_OF_DELETE = '\u2421';

/**
 * Text from outside, made safe to show: control characters become visible pictures, direction overrides are
 * taken out, and half characters are fixed. Line breaks stay.
 */
export function inertText(text: string): string {
  return text.toWellFormed().replace(BIDI_CONTROLS, '').replace(CONTROLS, picture);
}

function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code === 0x7f) return PICTURE_OF_DELETE;
  return code < 0x20 ? String.fromCharCode(PICTURES + code) : '\ufffd';
}

/** Inert text on one line: every run of white space is one space. */
export const inertLine = (text: string): string => inertText(text).replace(/\s+/g, ' ').trim();
