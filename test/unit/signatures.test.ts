import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import {
  isSigningSecret,
  newSigningSecret,
  type ReceivedHeaders,
  signMessage,
  type Verdict,
  verifyMessage,
} from '../../src/core/signatures.ts';

/** The published reference vectors of Standard Webhooks and of Svix, the author of the scheme. */
const VECTORS = [
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    seconds: 1614265330,
    body: '{"test": 2432232314}',
    signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    secret: 'whsec_plJ3nmyCDGBKInavdOK15jsl',
    id: 'msg_loFOjxBNrRLzqYUf',
    seconds: 1731705121,
    body: '{"event_type":"ping","data":{"success":true}}',
    signature: 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
  },
];

const [VECTOR = { secret: '', id: '', seconds: 0, body: '', signature: '' }] = VECTORS;
const OTHER = newSigningSecret();
const at = (seconds: number) => new Date(seconds * 1000);

const HEADERS = {
  'webhook-id': VECTOR.id,
  'webhook-timestamp': String(VECTOR.seconds),
  'webhook-signature': VECTOR.signature,
};

interface Change {
  readonly secrets?: readonly string[];
  readonly headers?: ReceivedHeaders;
  readonly body?: Uint8Array | string;
  /** Seconds between the timestamp and now. */
  readonly after?: number;
}

function judge({ secrets = [VECTOR.secret], headers, body = VECTOR.body, after = 0 }: Change): Verdict {
  return verifyMessage(
    secrets,
    { ...HEADERS, ...headers },
    typeof body === 'string' ? Buffer.from(body) : body,
    at(VECTOR.seconds + after),
  );
}

describe('the reference vectors', () => {
  test.each(VECTORS)('$id', ({ secret, id, seconds, body, signature }) => {
    const headers = signMessage([secret], id, at(seconds), body);
    expect(headers).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': signature,
    });
    expect(verifyMessage([secret], { ...headers }, Buffer.from(body), at(seconds))).toBe('genuine');
  });
});

describe('a genuine message', () => {
  test.each<[string, Change]>([
    ['as it was sent', {}],
    ['one of several secrets', { secrets: [OTHER, VECTOR.secret] }],
    [
      'one of several signatures, some of other schemes',
      { headers: { 'webhook-signature': `v1a,AAAA v1,AAAA  ${VECTOR.signature} v2,x` } },
    ],
    ['300 seconds old', { after: 300 }],
    ['300 seconds ahead', { after: -300 }],
  ])('%s', (_, change) => {
    expect(judge(change)).toBe('genuine');
  });
});

describe('a forged message', () => {
  test.each<[string, Verdict, Change]>([
    ['another secret', 'forged', { secrets: [OTHER] }],
    ['no secret', 'forged', { secrets: [] }],
    ['another body', 'forged', { body: `${VECTOR.body} ` }],
    ['another id', 'forged', { headers: { 'webhook-id': 'msg_other' } }],
    ['another timestamp', 'forged', { headers: { 'webhook-timestamp': String(VECTOR.seconds + 1) } }],
    ['bytes that are not UTF-8', 'forged', { body: Buffer.from([0xff]) }],
    [
      'a signature of another scheme',
      'forged',
      { headers: { 'webhook-signature': `v1a${VECTOR.signature.slice(2)}` } },
    ],
    ['a truncated signature', 'forged', { headers: { 'webhook-signature': VECTOR.signature.slice(0, -1) } }],
    ['a bare scheme', 'forged', { headers: { 'webhook-signature': 'v1, v1,' } }],
    [
      'signatures separated by a comma',
      'forged',
      { headers: { 'webhook-signature': `v1,AAAA,${VECTOR.signature}` } },
    ],
    ['301 seconds old', 'untimely', { after: 301 }],
    ['301 seconds ahead', 'untimely', { after: -301 }],
    ['no id', 'incomplete', { headers: { 'webhook-id': undefined } }],
    ['an empty id', 'incomplete', { headers: { 'webhook-id': '' } }],
    ['an id given twice', 'incomplete', { headers: { 'webhook-id': [VECTOR.id, VECTOR.id] } }],
    ['no timestamp', 'incomplete', { headers: { 'webhook-timestamp': undefined } }],
    [
      'a timestamp followed by other characters',
      'incomplete',
      { headers: { 'webhook-timestamp': `${VECTOR.seconds}x` } },
    ],
    ['a negative timestamp', 'incomplete', { headers: { 'webhook-timestamp': '-1' } }],
    ['no signature', 'incomplete', { headers: { 'webhook-signature': undefined } }],
    ['an empty signature', 'incomplete', { headers: { 'webhook-signature': '' } }],
  ])('%s is %s', (_, verdict, change) => {
    expect(judge(change)).toBe(verdict);
  });

  test('two different invalid UTF-8 bodies that decode to the same text', () => {
    const text = Buffer.from([0xff]).toString();
    const headers = signMessage([OTHER], 'msg_1', at(1), text);
    expect(verifyMessage([OTHER], { ...headers }, Buffer.from(text), at(1))).toBe('genuine');
    expect(verifyMessage([OTHER], { ...headers }, Buffer.from([0xff]), at(1))).toBe('forged');
  });
});

test('two secrets give two signatures, and a receiver with either can verify', () => {
  const secrets = [newSigningSecret(), newSigningSecret()];
  const headers = signMessage(secrets, 'msg_1', new Date(), '{"a":"ü"}');
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of secrets) {
    expect(new Webhook(secret).verify('{"a":"ü"}', { ...headers })).toEqual({ a: 'ü' });
  }
  expect(() => new Webhook(OTHER).verify('{"a":"ü"}', { ...headers })).toThrow('No matching signature');
});

test('a secret has 32 random bytes', () => {
  const [one, other] = [newSigningSecret(), newSigningSecret()];
  expect(Buffer.from(one.slice('whsec_'.length), 'base64')).toHaveLength(32);
  expect(isSigningSecret(one)).toBe(true);
  expect(one).not.toBe(other);
});

test.each([
  ['without its prefix', OTHER.slice('whsec_'.length)],
  ['of 23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['of 65 bytes', `whsec_${Buffer.alloc(65).toString('base64')}`],
  ['in base64url', `whsec_${Buffer.alloc(24, 255).toString('base64url')}`],
  ['with bits that count for nothing', `whsec_${'A'.repeat(42)}B=`],
  ['with a blank', `${OTHER} `],
])('%s is not a secret', (_, text) => {
  expect(isSigningSecret(text)).toBe(false);
});

test.each([24, 32, 64])('%i bytes are a secret', (size) => {
  expect(isSigningSecret(`whsec_${Buffer.alloc(size).toString('base64')}`)).toBe(true);
});
