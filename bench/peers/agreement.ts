import { isDeepStrictEqual } from 'node:util';
import type { BenchRequest, Case } from '../cases.ts';
import { type BenchResponse, sendRequest } from '../client.ts';
import type { SeededIds } from '../data.ts';
import type { BenchServer } from '../servers.ts';

/** The number of compared requests per case. */
const SAMPLES = 50;

/** The members of a response to a write that differ: ids, which depend on previous writes, and times. */
const VARYING = new Set(['id', 'created_at', 'updated_at']);

/**
 * Sends the same requests to both servers, and compares status and JSON. The `extensions` of GraphQL responses, in which Portico
 * reports the cost of an operation, may differ.
 *
 * @throws Error with the first difference, which makes a comparison of the servers meaningless.
 */
export async function assertAgreement(
  one: Case,
  server: BenchServer,
  peer: BenchServer,
  token: string,
  ids: SeededIds,
): Promise<void> {
  for (const request of one.requests(ids).slice(0, SAMPLES)) {
    const [ours, theirs] = [
      await sendRequest(server.url, token, request),
      await sendRequest(peer.url, token, request),
    ];
    const isWrite = one.name === 'create-order';
    if (ours.status === theirs.status && isSuccess(ours) && isSame(ours, theirs, isWrite)) continue;
    throw new Error(
      `The responses to ${describe(request)} differ:\n  ${server.name}: ${ours.status} ${ours.body}\n  ${peer.name}: ${theirs.status} ${theirs.body}`,
    );
  }
}

const isSuccess = ({ status }: BenchResponse) => status === 200 || status === 201;

const isSame = (ours: BenchResponse, theirs: BenchResponse, isWrite: boolean) =>
  isDeepStrictEqual(comparable(ours, isWrite), comparable(theirs, isWrite));

function comparable({ body }: BenchResponse, isWrite: boolean): unknown {
  return JSON.parse(body, (key, value: unknown) =>
    key === 'extensions' || (isWrite && VARYING.has(key)) ? undefined : value,
  );
}

const describe = ({ method, path, body = '' }: BenchRequest) => `${method} ${path} ${body}`.trimEnd();
