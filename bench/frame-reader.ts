/** Opcodes that a server's frames have (RFC 6455 section 5.2). */
export const TEXT_FRAME = 1;
export const CLOSE_FRAME = 8;
export const PING_FRAME = 9;

/** Receives every frame; `payload` is there when it was asked for, and may be used only until the call returns. */
type OnFrame = (opcode: number, payload: Buffer | undefined) => void;

/**
 * Reads a WebSocket server's frames out of the pieces in which they arrive. A hundred browsers stand on a hundred
 * machines; here they share two processors with the server, so who only listens does not even look at the payload.
 */
export function createFrameReader(withPayload: boolean, onFrame: OnFrame): (piece: Buffer) => void {
  const header = Buffer.alloc(10);
  let headerBytes = 0;
  let payloadLeft = 0;
  let kept: Buffer[] = [];

  const finish = (last: Buffer | undefined) => {
    const payload = last && (kept.length > 0 ? Buffer.concat([...kept, last]) : last);
    kept = [];
    onFrame((header[0] ?? 0) & 0x0f, payload);
  };

  return (piece) => {
    let at = 0;
    while (at < piece.length) {
      if (payloadLeft === 0) {
        header[headerBytes] = piece[at] as number;
        headerBytes += 1;
        at += 1;
        if (headerBytes < 2 || headerBytes < headerLength(header)) continue;
        headerBytes = 0;
        payloadLeft = payloadLength(header);
        if (payloadLeft === 0) finish(withPayload ? Buffer.alloc(0) : undefined);
        continue;
      }
      const end = Math.min(piece.length, at + payloadLeft);
      const part = withPayload ? piece.subarray(at, end) : undefined;
      payloadLeft -= end - at;
      at = end;
      if (payloadLeft === 0) finish(part);
      else if (part) kept.push(Buffer.from(part));
    }
  };
}

/** The second byte says whether the length follows in two bytes, in eight, or is the byte itself. */
function headerLength(header: Buffer): number {
  if (header[1] === 126) return 4;
  return header[1] === 127 ? 10 : 2;
}

function payloadLength(header: Buffer): number {
  if (header[1] === 126) return header.readUInt16BE(2);
  return header[1] === 127 ? Number(header.readBigUInt64BE(2)) : (header[1] ?? 0);
}
