/** Manages the members of an organisation through REST and GraphQL, with outcomes in a shared format. */
import { expect } from 'vitest';
import type { TestApp } from '../support/app.ts';
import type { Answer, ErrorBody, GraphQLBody, Sender } from '../support/client.ts';
import type { User } from '../support/response-bodies.ts';

interface Outcome {
  /** The error code; null on success. */
  readonly code: string | null;
  /** The paths in the details of an error, as in REST. */
  readonly paths: readonly string[];
  /** The member in the response, if there is one. */
  readonly person: { readonly id: string; readonly role: string; readonly version: number } | undefined;
  readonly text: string;
}

interface Target {
  /** By default acme. */
  readonly org?: string;
  readonly userId: number | string;
  readonly ifVersion?: number;
}

interface Door {
  create(as: Sender | undefined, input: object, org?: string): Promise<Outcome>;
  change(as: Sender | undefined, target: Target, input: object): Promise<Outcome>;
  remove(as: Sender | undefined, target: Target): Promise<Outcome>;
}

export const memberDoors = (app: TestApp): [title: string, door: Door][] => [
  ['REST', restDoor(app)],
  ['the graph', graphDoor(app)],
];

function restDoor(app: TestApp): Door {
  const condition = (version: number | undefined) =>
    version === undefined ? {} : { headers: { 'if-match': `"v${version}"` } };
  return {
    create: async (as, body, org = 'acme') =>
      ofRest(await app.post(`/v1/orgs/${org}/users`, { ...sender(as), body }), 201),
    change: async (as, { org = 'acme', userId, ifVersion }, body) => {
      const options = { ...sender(as), ...condition(ifVersion), body };
      return ofRest(await app.patch(`/v1/orgs/${org}/users/${userId}`, options), 200);
    },
    remove: async (as, { org = 'acme', userId, ifVersion }) => {
      const options = { ...sender(as), ...condition(ifVersion) };
      return ofRest(await app.delete(`/v1/orgs/${org}/users/${userId}`, options), 204);
    },
  };
}

const CREATE = `mutation ($org: String!, $input: CreateMemberInput!) {
  createMember(org: $org, input: $input) { id role version email name }
}`;
const CHANGE = `mutation ($org: String!, $id: ID!, $input: UpdateMemberInput!, $versions: [Int!]) {
  updateMember(org: $org, userId: $id, input: $input, ifVersion: $versions) { id role version email name }
}`;
const REMOVE = `mutation ($org: String!, $id: ID!, $versions: [Int!]) {
  deleteMember(org: $org, userId: $id, ifVersion: $versions)
}`;

function graphDoor(app: TestApp): Door {
  const run = async (document: string, variables: Record<string, unknown>, as: Sender | undefined) =>
    ofGraph(await app.graphql(document, variables, sender(as)));
  const named = ({ org = 'acme', userId: id, ifVersion }: Target) => ({
    org,
    id,
    versions: ifVersion === undefined ? null : [ifVersion],
  });
  return {
    create: (as, input, org = 'acme') => run(CREATE, { org, input }, as),
    change: (as, target, input) => run(CHANGE, { ...named(target), input }, as),
    remove: (as, target) => run(REMOVE, named(target), as),
  };
}

const sender = (as: Sender | undefined) => (as === undefined ? {} : { as });

const STATUS: Readonly<Record<string, number>> = {
  invalid_parameter: 400,
  unauthenticated: 401,
  invalid_token: 401,
  forbidden: 403,
  insufficient_scope: 403,
  insufficient_role: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  validation_failed: 422,
};

/** @param success the status of the route on success. */
function ofRest(response: Answer<unknown>, success: number): Outcome {
  const { status, text } = response;
  if (status === success) {
    const body = response.body as User | undefined;
    const version = Number(/^"v(\d+)"$/.exec(response.headers.get('etag') ?? '')?.[1]);
    return {
      code: null,
      paths: [],
      person: body && { id: String(body.id), role: body.role, version },
      text,
    };
  }
  const { code, details } = (response.body as ErrorBody).error;
  expect(status, text).toBe(STATUS[code]);
  return { code, paths: (details ?? []).map(({ path }) => path), person: undefined, text };
}

function ofGraph({ body, text }: Answer<GraphQLBody<Record<string, unknown>>>): Outcome {
  const { code, details } = body.errors?.[0]?.extensions ?? {};
  const [value] = Object.values(body.data ?? {});
  return {
    code: code ?? null,
    paths: (details ?? []).map(({ path }) => path.replace(/^input\./, '')),
    // The documents above select these fields, or return an id.
    person: typeof value === 'object' && value !== null ? (value as Outcome['person']) : undefined,
    text,
  };
}
