import { isDeepStrictEqual } from 'node:util';
import type { BenchRequest, Case } from '../cases.ts';
import { type Answer, ask } from '../client.ts';
import type { SeededIds } from '../data.ts';
import type { BenchServer } from '../servers.ts';

/** Requests of each case that are compared. */
const SAMPLES = 50;

/** What an answer to a write has of its own: identifiers go on from what was written before, and times pass. */
const OWN = new Set(['id', 'created_at', 'updated_at']);

/**
 * Asks both servers the same, and compares status and JSON. `extensions` of GraphQL responses, where Portico reports what an
 * operation cost, may differ.
 *
 * @throws Error that shows the first difference. Figures mean nothing then.
 */
export async function assertAgreement(
  one: Case,
  server: BenchServer,
  peer: BenchServer,
  token: string,
  ids: SeededIds,
): Promise<void> {
  for (const request of one.requests(ids).slice(0, SAMPLES)) {
    const [ours, theirs] = [await ask(server.url, token, request), await ask(peer.url, token, request)];
    const isWrite = one.name === 'create-order';
    if (ours.status === theirs.status && isSuccess(ours) && isSame(ours, theirs, isWrite)) continue;
    throw new Error(
      `${describe(request)} is answered differently:\n  ${server.name}: ${ours.status} ${ours.body}\n  ${peer.name}: ${theirs.status} ${theirs.body}`,
    );
  }
}

const isSuccess = ({ status }: Answer) => status === 200 || status === 201;

const isSame = (ours: Answer, theirs: Answer, isWrite: boolean) =>
  isDeepStrictEqual(comparable(ours, isWrite), comparable(theirs, isWrite));

function comparable({ body }: Answer, isWrite: boolean): unknown {
  return JSON.parse(body, (key, value: unknown) =>
    key === 'extensions' || (isWrite && OWN.has(key)) ? undefined : value,
  );
}

const describe = ({ method, path, body = '' }: BenchRequest) => `${method} ${path} ${body}`.trimEnd();
