/** `npm run bench -- apps`: compares a request with the token of an app to one with the token of a person. */
import type { Cleanups } from './cleanups.ts';
import { headersOf, signIn } from './client.ts';
import { prepareData } from './data.ts';
import { integer, readTexts } from './options.ts';
import { caseNamed, comparePairs } from './pairs.ts';

const USAGE = `npm run bench -- apps [options]

  --pairs <number>    pairs of processes, measured in turns (16)
  --orders <number>   orders in the database (20000)
`;

/** @throws UsageError for an invalid option. */
export async function apps(args: readonly string[], cleanups: Cleanups): Promise<void> {
  const values = readTexts(args, { pairs: '16', orders: '20000' }, USAGE);
  const pairs = integer('pairs', values.pairs, 2, 1000);
  const orders = integer('orders', values.orders, 1000, 1_000_000);
  const { data, progress } = await prepareData(orders, cleanups);
  const sides = [{ name: 'for an app', token: tokenOfApp }, { name: 'for a person' }] as const;
  const sentence = await comparePairs({ one: caseNamed('order'), pairs, sides }, data, progress);
  progress.clear();
  process.stdout.write(`${sentence}\n`);
}

/** Creates an app and returns its access token (a JWT) from the client credentials grant. */
async function tokenOfApp(url: string): Promise<string> {
  const made = await fetch(`${url}/v1/apps`, {
    method: 'POST',
    headers: headersOf(await signIn(url)),
    body: JSON.stringify({ name: 'Benchmark', type: 'service', scopes: ['read:orders'] }),
  });
  const { client_id, client_secret } = Object(await made.json());
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
  const granted = await fetch(`${url}/oauth/token`, { method: 'POST', body: form });
  const response = Object(await granted.json());
  if (!granted.ok) throw new Error(`The app received no token: ${JSON.stringify(response)}`);
  return String(response.access_token);
}
