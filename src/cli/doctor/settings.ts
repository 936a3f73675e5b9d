import { type Config, misspelledSettings } from '../../config.ts';
import { reasonOf } from '../../core/failure.ts';
import { freePort } from '../../core/free-port.ts';
import { type Check, type Finding, findingsOf } from './finding.ts';

const settings = findingsOf('settings');
const proxy = findingsOf('proxy');

/** Checks for settings without effect, for settings that are wrong in production, and the address to listen on. */
export const checkSettings: Check = async ({ config, environment }) => {
  const advice = 'Correct its name, or remove it.';
  const found = [
    ...misspelledSettings(environment).map((problem) => settings.warning(problem, advice)),
    modesOf(config),
    await addressOf(config),
  ].flat();
  return found.length > 0 ? found : [settings.ok('all variables are valid, and no name looks misspelt')];
};

function modesOf({ production, payments, http: { publicUrl } }: Config): Finding | readonly Finding[] {
  if (!production) {
    if (!publicUrl.startsWith('https:')) return [];
    return settings.warning(
      'PUBLIC_URL has https, but NODE_ENV is not production',
      'Set NODE_ENV=production: without it a new database has accounts with a known password.',
    );
  }
  if (payments.provider === 'stripe') return [];
  return settings.warning(
    'PAYMENTS is the sandbox: charges are recorded, but no money moves',
    'Set PAYMENTS=stripe.',
  );
}

/** Listens on a port that is free, since the server may be running on its own. */
async function addressOf({ http: { host } }: Config): Promise<readonly Finding[]> {
  try {
    await freePort(host);
    return [];
  } catch (error) {
    const found = `HOST is ${host}, where the server cannot listen: ${reasonOf(error)}`;
    return [settings.problem(found, 'Set it to an address of this machine, or to 0.0.0.0 for all of them.')];
  }
}

/** Checks the public URL and the settings of proxies. */
export const checkProxy: Check = async ({ config: { http, production } }) => {
  const { publicUrl, trustProxy, tls } = http;
  const url = new URL(publicUrl);
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const none = trustProxy === 0;
  if (production && isLocal)
    return proxy.warning(
      `PUBLIC_URL is ${publicUrl}`,
      'Set it to the URL that clients use: tokens and links contain it.',
    );
  if (url.protocol === 'https:' && none && tls.cert === undefined) {
    return proxy.warning(
      'PUBLIC_URL has https, but TRUST_PROXY is 0: all clients seem to have the address of the proxy',
      'Set TRUST_PROXY to the number of proxies; otherwise all clients share the limits by address.',
    );
  }
  if (url.protocol === 'http:' && !isLocal)
    return proxy.warning(
      `PUBLIC_URL is ${publicUrl}: passwords and tokens are sent in clear`,
      'Put a proxy with TLS in front, and set PUBLIC_URL to its https address.',
    );
  if (isLocal && !none) {
    return proxy.warning(
      `TRUST_PROXY is ${trustProxy}, but PUBLIC_URL is ${publicUrl}`,
      'Set TRUST_PROXY=0 unless a proxy is in front: clients could forge their address.',
    );
  }
  return proxy.ok(
    none ? 'no proxy is in front' : `TRUST_PROXY is ${trustProxy}, and PUBLIC_URL is ${publicUrl}`,
  );
};
