/** Tokens of links in mail: opaque strings with 256 random bits. The database stores only their hashes. */
import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'plt_';
const TOKEN_BYTES = 32;

/** 43 characters carry 32 bytes; the last one carries 4 bits, so only 16 values are accepted. */
const SHAPE = /^plt_[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

export const isLinkToken = (text: string): boolean => SHAPE.test(text);

export const newLinkToken = (): string => PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');

/** The stored hash of a token. A token has too much entropy to be guessed, so a fast hash without salt is enough. */
export const hashLinkToken = (token: string): string =>
  createHash('sha256').update(token).digest('base64url');
