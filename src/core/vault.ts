/** Encrypts secrets that the server stores in the database and must be able to read again, with a key from the key file. */
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

/** Keys of 32 bytes. The first one seals, all of them open. */
export type Secrets = readonly [KeyObject, ...KeyObject[]];

/** AES-256 in GCM (NIST SP 800-38D), with a random nonce of its recommended length. */
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** `sealed:v1:<kid>:<base64url of nonce, ciphertext and tag>`. No plaintext secret begins like this. */
const SEALED = /^sealed:v1:(?<kid>[\w.-]{1,64}):(?<data>[\w-]+)$/;

const PREFIX = 'sealed:v1:';

/** The keys of a vault, by their `kid` in the key file. */
interface VaultKeys {
  /** Returns the key for sealing new values. */
  newest(): { readonly kid: string; readonly secret: KeyObject };
  /** Finds the key with this `kid`, even if it no longer signs. Undefined if the key file does not have it. */
  find(kid: string): Promise<KeyObject | undefined>;
}

/** A value cannot be decrypted: its key is gone, or it was changed or belongs to another row. */
export class VaultError extends Error {
  override readonly name = 'VaultError';
}

export type Vault = ReturnType<typeof createVault>;

export function createVault(keys: VaultKeys) {
  return {
    /** The prefix of values that are sealed with the newest key. */
    get prefix(): string {
      return `${PREFIX}${keys.newest().kid}:`;
    },
    /** @param path table, row and column, such as `webhooks/acme/7/secret`. The value can be opened only for this path. */
    seal(text: string, path: string): string {
      const { kid, secret } = keys.newest();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES }).setAAD(
        Buffer.from(path),
      );
      const data = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${PREFIX}${kid}:${data.toString('base64url')}`;
    },
    /** Opens a value made by `seal`. Plaintext, stored before values were sealed, is returned unchanged. @throws VaultError */
    async open(kept: string, path: string): Promise<string> {
      if (!kept.startsWith(PREFIX)) return kept;
      const { kid, data } = SEALED.exec(kept)?.groups ?? {};
      if (kid === undefined || data === undefined) throw new VaultError(`${path} is damaged.`);
      const secret = await keys.find(kid);
      if (!secret)
        throw new VaultError(`${path} was sealed with the key ${kid}, which the key file does not have.`);
      return decrypt(Buffer.from(data, 'base64url'), secret, path);
    },
  };
}

function decrypt(data: Buffer, secret: KeyObject, path: string): string {
  const nonce = data.subarray(0, NONCE_BYTES);
  const text = data.subarray(NONCE_BYTES, -TAG_BYTES);
  try {
    const decipher = createDecipheriv(CIPHER, secret, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(path))
      .setAuthTag(data.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(text), decipher.final()]).toString();
  } catch (cause) {
    throw new VaultError(`${path} was changed, or sealed for another row.`, { cause });
  }
}
