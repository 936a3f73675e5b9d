/** Encodes a message for the clients of one door. */
export type Encode = (message: StreamMessage) => Buffer;

/** A message for many clients. */
export class StreamMessage {
  /** The position in the log of a client that has received the message. */
  readonly cursor: string;
  /** JSON. */
  readonly payload: string;
  #encodings: Map<Encode, Buffer> | undefined;

  constructor(cursor: string, payload: string) {
    this.cursor = cursor;
    this.payload = payload;
  }

  /** Returns the message in an encoding, which is made once for all clients that use it. */
  encodedBy(encode: Encode): Buffer {
    this.#encodings ??= new Map();
    let bytes = this.#encodings.get(encode);
    if (!bytes) {
      bytes = encode(this);
      this.#encodings.set(encode, bytes);
    }
    return bytes;
  }
}
