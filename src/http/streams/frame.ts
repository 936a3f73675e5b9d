/** WebSocket frames that are made here, and not by ws, since most of what is in one is the same for many sockets. */

/** The first byte of a text that is in one frame: FIN, and the opcode of text (RFC 6455, section 5.2). */
const WHOLE_TEXT = 0x81;

/** Lengths up to this stand in the second byte; further ones follow it, in 2 bytes or in 8, as this byte says. */
const SHORT = 125;
const IN_2_BYTES = 126;
const IN_8_BYTES = 127;

/**
 * One text in one frame, as servers send it: neither masked nor compressed.
 *
 * @param start its first part, and `rest` the others, both in UTF-8.
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
