/** Encodes WebSocket frames without ws, since most of a frame is the same for many sockets. */

/** The first byte of a text message in a single frame: FIN, and the opcode of text (RFC 6455, section 5.2). */
const WHOLE_TEXT = 0x81;

/** The longest length that fits the second byte. Longer ones follow it in 2 or 8 bytes, as the second byte indicates. */
const SHORT = 125;
const IN_2_BYTES = 126;
const IN_8_BYTES = 127;

/**
 * Returns a text message as a single frame from a server: neither masked nor compressed.
 *
 * @param start the first part of the text in UTF-8, followed by `rest`.
 */
export function textFrame(start: Buffer, rest: Buffer): Buffer {
  const length = start.length + rest.length;
  const header = length <= SHORT ? 2 : length <= 0xffff ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = WHOLE_TEXT;
  if (header === 2) frame[1] = length;
  else if (header === 4) {
    frame[1] = IN_2_BYTES;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = IN_8_BYTES;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.set(start, header);
  frame.set(rest, header + start.length);
  return frame;
}
