import { describe, expect, test } from 'vitest';
import { createTargets, problemWithUrl, TargetError, type TargetRules } from '../../src/webhooks/targets.ts';

const STRICT: TargetRules = { allowHttp: false, allowLoopback: false };
const OPEN: TargetRules = { allowHttp: true, allowLoopback: false };
const SANDBOX: TargetRules = { allowHttp: true, allowLoopback: true };

const PUBLIC = '93.184.215.14';

/** Every form of a non-public address, as the host of a URL. */
const REFUSED_HOSTS: readonly (readonly [string, string])[] = [
  ['loopback', '127.0.0.1'],
  ['loopback, short', '127.1'],
  ['loopback with a trailing dot', '127.0.0.1.'],
  ['loopback in hexadecimal', '0x7f000001'],
  ['loopback in hexadecimal parts', '0x7f.0.0.0x1'],
  ['loopback in decimal', '2130706433'],
  ['loopback in octal', '0177.0.0.1'],
  ['loopback in one octal number', '017700000001'],
  ['loopback in full-width digits', '１２７.０.０.１'],
  ['loopback in circled digits', '①②⑦.⓪.⓪.①'],
  ['loopback, another address', '127.255.255.254'],
  ['loopback of IPv6', '[::1]'],
  ['loopback of IPv6 in full', '[0:0:0:0:0:0:0:1]'],
  ['loopback, mapped', '[::ffff:127.0.0.1]'],
  ['loopback, mapped in hexadecimal', '[::ffff:7f00:1]'],
  ['loopback, compatible', '[::127.0.0.1]'],
  ['loopback, translated', '[::ffff:0:127.0.0.1]'],
  ['loopback through NAT64', '[64:ff9b::127.0.0.1]'],
  ['loopback through a local NAT64', '[64:ff9b:1::127.0.0.1]'],
  ['loopback through 6to4', '[2002:7f00:1::]'],
  ['loopback through Teredo', '[2001:0:4136:e378:8000:63bf:80ff:fffe]'],
  ['a public address, mapped', `[::ffff:${PUBLIC}]`],
  ['unspecified', '0.0.0.0'],
  ['unspecified, short', '0'],
  ['this network', '0.1.2.3'],
  ['unspecified of IPv6', '[::]'],
  ['metadata of a cloud', '169.254.169.254'],
  ['metadata of a cloud in decimal', '2852039166'],
  ['metadata of a cloud, mapped', '[::ffff:169.254.169.254]'],
  ['metadata of a cloud in IPv6', '[fd00:ec2::254]'],
  ['carrier-grade NAT', '100.64.0.1'],
  ['private, 10', '10.0.0.1'],
  ['private, 172', '172.16.0.1'],
  ['private, 172, the last', '172.31.255.255'],
  ['private, 192', '192.168.1.1'],
  ['private of IPv6', '[fc00::1]'],
  ['link-local of IPv6', '[fe80::1]'],
  ['site-local of IPv6', '[fec0::1]'],
  ['multicast', '224.0.0.1'],
  ['multicast of IPv6', '[ff02::1]'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['protocol assignments', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['documentation', '198.51.100.1'],
  ['documentation', '203.0.113.1'],
  ['documentation of IPv6', '[2001:db8::1]'],
  ['documentation of IPv6', '[3fff::1]'],
  ['benchmarking', '198.18.0.1'],
  ['benchmarking of IPv6', '[2001:2::1]'],
  ['discard', '[100::1]'],
  ['reserved', '[4000::1]'],
  ['localhost', 'localhost'],
  ['localhost with a trailing dot', 'localhost.'],
  ['localhost in upper case', 'LOCALHOST'],
  ['a subdomain of localhost', 'hooks.localhost'],
  ['internal', 'metadata.google.internal'],
  ['internal with a trailing dot', 'metadata.google.internal.'],
  ['local', 'printer.local'],
  ['home', 'router.home.arpa'],
  ['a name of the local network', 'redis'],
];

const REFUSED_URLS: readonly (readonly [string, string, RegExp])[] = [
  ['not a URL', 'example.com/hooks', /must be a URL/],
  ['empty', '', /must be a URL/],
  ['file', 'file:///etc/passwd', /must begin with/],
  ['ftp', 'ftp://example.com/', /must begin with/],
  ['data', 'data:text/plain,x', /must begin with/],
  ['javascript', 'javascript:alert(1)', /must begin with/],
  ['gopher', 'gopher://example.com/', /must begin with/],
  ['no scheme', '//example.com/', /must be a URL/],
  ['user', 'https://user@example.com/', /user name/],
  ['user and password', 'https://user:pass@example.com/', /user name/],
  ['password', 'https://:pass@example.com/', /user name/],
  ['a user that looks like a host', `https://example.com@127.0.0.1/`, /user name/],
  ['fragment', 'https://example.com/#x', /fragment/],
  ['ssh', 'https://example.com:22/', /port/],
  ['smtp', 'https://example.com:25/', /port/],
  ['port 0', 'https://example.com:0/', /port/],
  ['the last port of others', 'https://example.com:1023/', /port/],
  ['too long', `https://example.com/${'x'.repeat(2000)}`, /characters/],
];

describe('a URL', () => {
  test.each(REFUSED_HOSTS)('is refused with %s: %s', (_, host) => {
    expect(problemWithUrl(`https://${host}/hooks`, STRICT)).toMatch(/public internet/);
    expect(problemWithUrl(`http://${host}:8080/hooks`, OPEN)).toMatch(/public internet/);
  });

  test.each(REFUSED_URLS)('is refused with %s', (_, url, message) => {
    for (const rules of [STRICT, OPEN, SANDBOX]) expect(problemWithUrl(url, rules)).toMatch(message);
  });

  test.each([
    'https://example.com',
    'https://example.com/hooks?a=b',
    'https://example.com:8443/hooks',
    'https://example.com:80/hooks',
    'https://EXAMPLE.com./',
    'https://bücher.example/',
    `https://${PUBLIC}/`,
    'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/',
    'https://172.32.0.1/',
    'https://100.128.0.1/',
    'https://localhost.example.com/',
    'https://internal.example.com/',
  ])('is accepted: %s', (url) => {
    expect(problemWithUrl(url, STRICT)).toBeUndefined();
  });

  test('with http needs permission', () => {
    expect(problemWithUrl('http://example.com/', STRICT)).toBe('must begin with https://');
    expect(problemWithUrl('http://example.com/', OPEN)).toBeUndefined();
    expect(problemWithUrl('ftp://example.com/', OPEN)).toBe('must begin with https:// or http://');
  });

  test.each(['127.0.0.1', '127.1', '[::1]', 'localhost', 'hooks.localhost', 'localhost.'])(
    'may lead to this machine if that is allowed: %s',
    (host) => {
      expect(problemWithUrl(`http://${host}:8080/`, SANDBOX)).toBeUndefined();
    },
  );

  test.each(['10.0.0.1', '169.254.169.254', '[::ffff:127.0.0.1]', '0.0.0.0', 'redis', 'a.internal'])(
    'may not lead to another private address then: %s',
    (host) => {
      expect(problemWithUrl(`http://${host}:8080/`, SANDBOX)).toMatch(/public internet/);
    },
  );
});

const targetsWith = (addresses: readonly string[] | Error, rules = STRICT) =>
  createTargets(rules, async () => {
    if (addresses instanceof Error) throw addresses;
    return addresses;
  });

describe('a name', () => {
  test.each([
    ['a private address', ['10.0.0.1']],
    ['a public and a private address', [PUBLIC, '192.168.0.1']],
    ['a public address and loopback of IPv6', [PUBLIC, '::1']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a zone', ['fe80::1%eth0']],
    ['an invalid address', ['127.0.0.1:80']],
  ])('is refused with %s', async (_, addresses) => {
    const targets = targetsWith(addresses);
    expect(await targets.problemWith('https://hooks.example.com/')).toMatch(/public internet/);
    await expect(targets.locate(new URL('https://hooks.example.com/'))).rejects.toMatchObject({
      name: 'TargetError',
      reason: 'target_refused',
    });
  });

  test('resolves to the addresses that were checked', async () => {
    const addresses = [PUBLIC, '2606:4700::1111'];
    expect(await targetsWith(addresses).locate(new URL('https://hooks.example.com/'))).toEqual([
      { address: PUBLIC, family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test.each([
    ['no address', []],
    ['an error', new Error('ENOTFOUND')],
  ])('with %s may be registered, but not called', async (_, response) => {
    const targets = targetsWith(response);
    expect(await targets.problemWith('https://hooks.example.com/')).toBeUndefined();
    await expect(targets.locate(new URL('https://hooks.example.com/'))).rejects.toMatchObject({
      reason: 'name_not_resolved',
    });
  });

  test('of this machine is not resolved, and neither is an address', async () => {
    const targets = targetsWith(new Error('was asked'), SANDBOX);
    expect(await targets.locate(new URL('http://localhost:8080/'))).toHaveLength(2);
    expect(await targets.locate(new URL('http://[::1]:8080/'))).toEqual([{ address: '::1', family: 6 }]);
  });

  test('is refused at delivery because of its URL, too', async () => {
    const targets = targetsWith([PUBLIC]);
    await expect(targets.locate(new URL('http://hooks.example.com/'))).rejects.toBeInstanceOf(TargetError);
    await expect(targets.locate(new URL('https://127.1/'))).rejects.toBeInstanceOf(TargetError);
  });
});
