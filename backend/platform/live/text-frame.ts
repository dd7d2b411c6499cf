/** First byte of a frame that is a whole text message: FIN and opcode 1. */
const WHOLE_TEXT = 0x81;

/** Payloads up to so many bytes have their length in the second byte; up to the next in two bytes of their own, else in eight. */
const MAX_SHORT = 125;
const MAX_MEDIUM = 0xffff;

/**
 * A text message as a WebSocket server writes it: unmasked, in one frame, not compressed. The same bytes go to every
 * socket, each with one write.
 *
 * Source: RFC 6455 section 5.2.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const lengthBytes = length <= MAX_SHORT ? 0 : length <= MAX_MEDIUM ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + lengthBytes + length);
  frame[0] = WHOLE_TEXT;
  if (lengthBytes === 0) frame[1] = length;
  else if (lengthBytes === 2) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, 2 + lengthBytes);
  return frame;
}
