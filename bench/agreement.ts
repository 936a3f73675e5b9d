import type { BenchRequest, Case } from './cases.ts';
import { type Answer, ask } from './client.ts';
import type { SeededIds } from './data.ts';
import type { BenchServer } from './servers.ts';

/** Requests of each case that are compared, besides those below. */
const SAMPLES = 100;

/** Headers that say something about the answer. Others, such as a request's id, differ by their nature. */
const HEADERS = ['content-type', 'content-length', 'etag', 'cache-control', 'vary'];

const get = (path: string): BenchRequest => ({ method: 'GET', path });

/** Demo orders in all currencies, and lists in every form. */
const SPECIAL: readonly BenchRequest[] = [
  ...[1, 7, 12, 59].map((id) => get(`/v1/orders/${id}`)),
  ...[
    '',
    '?page=2&limit=7',
    '?status=shipped',
    '?sort=-total&limit=100',
    '?sort=id&status=pending&page=4',
  ].map((query) => get(`/v1/users/1/orders${query}`)),
];

/** What both refuse, each in words of its own. */
const REFUSED: readonly BenchRequest[] = [
  get('/v1/orders/x'),
  get('/v1/orders/61'),
  get('/v1/orders/999999999'),
  get('/v1/orders/1?limit=2'),
  get('/v1/users/4/orders'),
  get('/v1/users/1/orders?limit=0'),
  get('/v1/users/1/orders?sort=name'),
];

/** @throws an Error that shows the first answer in which the servers differ. Their speed means nothing then. */
export async function assertAgreement(
  server: BenchServer,
  handwritten: BenchServer,
  token: string,
  cases: readonly Case[],
  ids: SeededIds,
): Promise<void> {
  const samples = cases
    .filter(({ isPaired }) => isPaired)
    .flatMap((one) => one.requests(ids).slice(0, SAMPLES));
  for (const request of [...SPECIAL, ...samples, ...REFUSED]) {
    const [ours, theirs] = [
      await ask(server.url, token, request),
      await ask(handwritten.url, token, request),
    ];
    const isRefusal = REFUSED.includes(request);
    const difference = isRefusal ? differenceOfStatus(ours, theirs, 400) : difference200(ours, theirs);
    if (difference) throw new Error(`${request.path} is answered differently: ${difference}`);
  }
}

function difference200(ours: Answer, theirs: Answer): string | undefined {
  if (ours.status !== 200) return `status ${ours.status} of the server, with ${ours.body}`;
  for (const name of HEADERS) {
    const [a, b] = [ours.headers.get(name), theirs.headers.get(name)];
    if (a !== b) return `${name} is ${a} and ${b}`;
  }
  if (ours.body !== theirs.body) return `\n  server        ${ours.body}\n  hand-written  ${theirs.body}`;
  return differenceOfStatus(ours, theirs, 200);
}

function differenceOfStatus(ours: Answer, theirs: Answer, least: number): string | undefined {
  if (ours.status === theirs.status && ours.status >= least) return undefined;
  return `status ${ours.status} and ${theirs.status}`;
}
