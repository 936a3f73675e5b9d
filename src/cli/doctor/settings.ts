import { type Config, misspelledSettings } from '../../config.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';

const settings = findingsOf('settings');
const proxy = findingsOf('proxy');

/** Settings that have no effect, or another one than production wants. */
export const checkSettings: Check = async ({ config, environment }) => {
  const advice = 'Correct its name, or remove it.';
  const found = [
    ...misspelledSettings(environment).map((problem) => settings.warning(problem, advice)),
    ...modesOf(config),
  ];
  return found.length > 0
    ? found
    : [settings.ok('every variable is usable, and none is nearly the name of one')];
};

function modesOf({ production, payments, http: { publicUrl } }: Config): readonly Finding[] {
  if (!production) {
    if (!publicUrl.startsWith('https:')) return [];
    const found = 'PUBLIC_URL has https, and NODE_ENV is not production';
    return [
      settings.warning(
        found,
        'Set NODE_ENV=production: without it a new database has accounts with a known password.',
      ),
    ];
  }
  if (payments.provider === 'stripe') return [];
  return [
    settings.warning(
      'PAYMENTS is the sandbox: charges are recorded, but no money moves',
      'Set PAYMENTS=stripe.',
    ),
  ];
}

/** How requests come in, and under which address. */
export const checkProxy: Check = async ({ config: { http, production } }) => {
  const { publicUrl, trustProxy, tls } = http;
  const url = new URL(publicUrl);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const none = trustProxy === 0;
  if (production && isLocal)
    return [
      proxy.warning(
        `PUBLIC_URL is ${publicUrl}`,
        'Set it to where clients reach the server: tokens and links name it.',
      ),
    ];
  if (url.protocol === 'https:' && none && tls.cert === undefined) {
    const found = 'PUBLIC_URL has https and TRUST_PROXY is 0: all clients have the address of the proxy';
    return [
      proxy.warning(
        found,
        'Set TRUST_PROXY to the number of proxies, or limits by address count for all clients together.',
      ),
    ];
  }
  if (url.protocol === 'http:' && !isLocal)
    return [
      proxy.warning(
        `PUBLIC_URL is ${publicUrl}: passwords and tokens are sent in clear`,
        'Put a proxy with TLS in front, and name its https address in PUBLIC_URL.',
      ),
    ];
  if (isLocal && !none) {
    const found = `TRUST_PROXY is ${trustProxy}, and PUBLIC_URL is ${publicUrl}`;
    return [
      proxy.warning(
        found,
        'Set TRUST_PROXY=0 where no proxy is in front: clients could choose their own address.',
      ),
    ];
  }
  return [
    proxy.ok(none ? 'none is in front' : `TRUST_PROXY is ${trustProxy}, and PUBLIC_URL is ${publicUrl}`),
  ];
};
